"""All commands in one place."""

from __future__ import annotations

from typing import Annotated

import typer

from audit import __version__
from audit.cli import (
    baseline,
    explain,
    findings,
    inspect,
    rejects,
    replay,
    report,
    rules,
    run,
    sample,
    sql,
    verify,
)

app = typer.Typer(
    name="baccarat-audit",
    help="Tells, for every baccarat round dealt in Macau, whether it was dealt, resolved and paid "
    "by the law in force that day, and proves it.\n\n"
    "Example: baccarat-audit run sample_logs/clean-day --case case --report report.pdf",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"baccarat-audit {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command("run")(run.run)
app.command("report")(report.report)
app.command("findings")(findings.findings)
app.command("rejects")(rejects.rejects)
app.command("baseline")(baseline.baseline)
app.command("verify")(verify.verify)
app.command("replay")(replay.replay)
app.command("explain")(explain.explain)
app.add_typer(rules.app, name="rules")
app.command("inspect")(inspect.inspect)
app.command("sql")(sql.sql)
app.command("sample")(sample.sample)
