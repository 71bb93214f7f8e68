"""``baccarat-audit sample``: writes a synthetic log, with a key of the faults planted in it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer


def sample(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="New or empty folder.")],
    rounds: Annotated[int, typer.Option(help="Rounds to deal.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed and options give the same log.")] = 1,
    faults: Annotated[
        float,
        typer.Option(metavar="RATE", help="Probability of a fault in each round, 0 to 1."),
    ] = 0.0,
    output: Annotated[
        Literal["csv", "parquet", "jsonl"], typer.Option("--format", help="Kind of files.")
    ] = "csv",
    start: Annotated[
        datetime,
        typer.Option(formats=["%Y-%m-%d"], help="First day.", show_default="2007-07-01"),
    ] = datetime(2007, 7, 1),
    days: Annotated[int, typer.Option(help="Days that the log covers.")] = 31,
    tables: Annotated[
        int | None, typer.Option(help="Gaming tables; default: as many as the rounds ask for.")
    ] = None,
    casinos: Annotated[int, typer.Option(help="Casinos, 1 to 6.")] = 3,
    bets: Annotated[float, typer.Option(help="Mean number of bets on a round.")] = 3.0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
) -> None:
    """Write a synthetic log: real shoes dealt and paid by the law, and faults if asked for.

    With --faults, faults.csv in the folder lists the findings that an audit must give, and no
    others; without, there are none.

    Example: baccarat-audit sample log --rounds 10000 --seed 7 --faults 0.01
    """
    from audit.sample import Options, write_sample

    written = write_sample(
        folder,
        Options(
            rounds=rounds,
            seed=seed,
            faults=faults,
            format=output,
            start=start.date(),
            days=days,
            tables=tables,
            casinos=casinos,
            bets=bets,
        ),
    )
    if quiet:
        return
    typer.echo(
        f"{folder}: {written.rounds} rows of rounds, {written.bets} of bets, {written.shoes} shoes."
    )
    if faults:
        typer.echo(f"{folder / 'faults.csv'}: {written.findings} findings that it must give.")
