"""``verify``: whether a case is what it was, and its log still gives it; a report, whose it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from audit.verify import Part, Verification

_WORDS = {"same": "same", "differs": "DIFFERS", "not_checked": "not checked"}
_PDF_WORDS = {"same": "holds", "differs": "FAILS", "not_checked": "not checked"}
_STYLES = {"same": "green", "differs": "bold red", "not_checked": "yellow"}


def verify(
    case: Annotated[Path, typer.Argument(help="Folder of the case, or a report of it.")],
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LOG]...", help="More files of the log, after --log."),
    ] = None,
    log: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LOG", help="Folder, file or database of its log, to audit again; repeatable."
        ),
    ] = None,
    rules_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of own rule sets of that run.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Baseline of that run.")
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Profile of that run.")
    ] = None,
    trust: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="CERT", help="Of a report: certificate of its signer or issuer; repeatable."
        ),
    ] = None,
    of_case: Annotated[
        Path | None, typer.Option("--case", metavar="CASE", help="Of a report: its case.")
    ] = None,
    output: Annotated[
        Literal["text", "json"], typer.Option("--format", help="For people or for programs.")
    ] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="The verdict only.")] = False,
) -> None:
    """Read a case again: bytes, tables, rule sets; with its log, audit it again and compare.

    Of a report (a PDF): who signed it, whether it is intact, and whether it fits its case.

    Exit code: 0 the same, 1 something differs, 2 it could not be done.

    Example: baccarat-audit verify case --log logs/2007-07
    """
    from audit.cli.logs import given_log
    from audit.cli.progress import stage

    logs = [*(log or ()), *(more or ())]
    pdf = case.is_file()
    own = {"--trust": trust, "--case": of_case}
    others = {"--log": logs, "--rules-dir": rules_dir, "--baseline": baseline, "--profile": profile}
    _refuse(
        others if pdf else own, "a report" if pdf else "a case", "a case" if pdf else "a report"
    )
    with stage("Verifying", quiet=quiet):
        if pdf:
            found = _verify_pdf(case, trust or (), of_case)
        else:
            from audit.verify import verify_case

            found = verify_case(
                case,
                given_log(logs),
                rules_dir=rules_dir,
                baseline=baseline,
                profile=profile,
            )
    if output == "json":
        typer.echo(_as_json(found))
    else:
        words = _PDF_WORDS if pdf else _WORDS
        _print(found, words, _pdf_verdict(case, found) if pdf else _verdict(found), quiet=quiet)
    raise typer.Exit(found.exit)


def _refuse(options: Mapping[str, object], given: str, other: str) -> None:
    """OptionError for an option that belongs to the other kind of thing to verify."""
    from audit.errors import OptionError

    for name, value in options.items():
        if value:
            raise OptionError(
                f"this is for {other}, and {given} was given", where=name, hint="Leave it out"
            )


def _verify_pdf(path: Path, trust: Sequence[Path], case: Path | None) -> Verification:
    from audit.signing import need_signing

    need_signing(str(path))
    from audit.signing.verify_pdf import verify_pdf

    return verify_pdf(path, trust, case)


def _as_json(found: Verification) -> str:
    parts = [{"part": p.what, "state": p.state, "detail": p.detail} for p in found.parts]
    plain = {"case_id": found.case_id, "exit": found.exit, "parts": parts}
    return json.dumps(plain, indent=2, ensure_ascii=False)


def _print(found: Verification, words: Mapping[str, str], verdict: str, *, quiet: bool) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False, width=min(Console().width, 100))
    if not quiet:
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
        table.add_column("Part", no_wrap=True)
        table.add_column("Result", no_wrap=True)
        table.add_column("")
        for part in _folded(found):
            state = Text(words[part.state], style=_STYLES[part.state])
            table.add_row(Text(part.what), state, Text(part.detail))
        console.print(table)
        console.print()
    console.print(Text(verdict, style="bold red" if found.exit else "bold green"))


def _folded(found: Verification) -> list[Part]:
    """The parts, the tables that are the same on one line."""
    from audit.verify import Part

    same = [p for p in found.parts if p.what.startswith("table ") and p.state == "same"]
    if not same:
        return list(found.parts)
    names = ", ".join(part.what.removeprefix("table ") for part in same)
    line = Part("tables", "same", names)
    return [line if p is same[0] else p for p in found.parts if p is same[0] or p not in same]


def _pdf_verdict(path: Path, found: Verification) -> str:
    failing = [part.what for part in found.parts if part.state == "differs"]
    unchecked = [part.what for part in found.parts if part.state == "not_checked"]
    says = f"a report of case {found.case_id}" if found.case_id else "no report of a case"
    if failing:
        text = f"{', '.join(failing)} {'fails' if len(failing) == 1 else 'fail'}."
    else:
        text = "all that was checked holds."
    if "signature" in unchecked:
        text = f"{text} It is not signed."
    left = ", ".join(each for each in unchecked if each != "signature")
    return f"{path.name}, by its own account {says}: {text}" + (
        f" Not checked: {left}." if left else ""
    )


def _verdict(found: Verification) -> str:
    differing = [part.what for part in found.parts if part.state == "differs"]
    unchecked = [part.what for part in found.parts if part.state == "not_checked"]
    named = f"Case {found.case_id}" if found.case_id else "The case"
    if differing:
        verb = "differs" if len(differing) == 1 else "differ"
        text = f"{named}: {', '.join(differing)} {verb}."
    else:
        text = f"{named} is the same in all that was checked."
    return f"{text} Not checked: {', '.join(unchecked)}." if unchecked else text
