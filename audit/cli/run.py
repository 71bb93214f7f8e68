"""``run``: the main job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer


def run(
    log: Annotated[
        list[str],
        typer.Argument(
            metavar="LOG...", help="Folder of the log, its files, or postgresql://USER@HOST/DB."
        ),
    ],
    case: Annotated[Path, typer.Option(metavar="DIR", help="Folder of the case to write.")],
    profile: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="How a foreign log is read; or a shipped name."),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE.pdf|FILE.html", help="Render the report too, by its name."),
    ] = None,
    lang: Annotated[
        Literal["en", "zh-Hant", "pt"], typer.Option(help="Language of the report.")
    ] = "en",
    rules: Annotated[
        str, typer.Option(metavar="ID", help="auto (by date), or a rule set to force.")
    ] = "auto",
    rules_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of own rule sets.")
    ] = None,
    select: Annotated[
        str | None, typer.Option(metavar="CODES", help="Only these codes or prefixes: A09,A17.")
    ] = None,
    ignore: Annotated[
        str | None, typer.Option(metavar="CODES", help="Not these codes or prefixes.")
    ] = None,
    interpret: Annotated[
        list[str] | None,
        typer.Option(metavar="ID=READING", help="Pin one reading of a disputed text; repeatable."),
    ] = None,
    decks: Annotated[
        int | None, typer.Option(metavar="N", help="Decks of shoes that do not say.")
    ] = None,
    commission: Annotated[
        Literal["commission", "no_commission"] | None,
        typer.Option(help="Scheme of rounds and shoes that do not say."),
    ] = None,
    commission_rounding: Annotated[
        str | None,
        typer.Option(metavar="STEP,MODE", help="How the casino rounds it: 1,down or 0.5,nearest."),
    ] = None,
    max_rejects: Annotated[
        str | None,
        typer.Option(
            metavar="N|PCT%", help="Refuse a log with more rejected rows; default: report them."
        ),
    ] = None,
    fail_on: Annotated[
        Literal["violation", "warning", "notice"],
        typer.Option(help="Mildest finding that makes the exit code 1."),
    ] = "violation",
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="Findings accepted as known.")
    ] = None,
    output: Annotated[
        Literal["text", "json", "sarif"],
        typer.Option("--format", help="For people, for programs, for viewers of results."),
    ] = "text",
    force: Annotated[bool, typer.Option("--force", help="Replace an existing case.")] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Processes at a time, for large logs.")
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Memory to use, such as 4GB; half the machine's if not."),
    ] = None,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="This machine, or the Ray cluster it is in.")
    ] = "local",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where the same run was stopped.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="The verdict only.")] = False,
) -> None:
    """Audit a log: read it, resolve and check every round, write the case.

    Exit code: 0 no new violation, 1 at least one, 2 the run could not be done, 3 a check crashed.

    Example: baccarat-audit run logs/2007-07 --case case --report report.pdf
    """
    from audit.allocator import keep_bytes
    from audit.buckets import Effort
    from audit.buckets.engine import size_of
    from audit.buckets.resume import work_left
    from audit.checks.select import prefixes
    from audit.cli import stopped
    from audit.cli.logs import given_log
    from audit.cli.progress import shown, stage
    from audit.pipeline import Job, run_audit
    from audit.profile import files_of
    from audit.rejects import Limit
    from audit.report import check_report, format_of, render_html, render_report
    from audit.resolve import Options
    from audit.resolve.options import Rounding, pinned

    places = given_log(log)
    rounding = Rounding.parse(commission_rounding) if commission_rounding else None
    if report is not None:
        spare = [*files_of(places), baseline, profile]
        check_report(report, format_of(report), spare=spare)
    job = Job(
        log=places,
        case=case,
        options=Options(rules, decks, commission, rounding, pinned(interpret or ())),
        rules_dir=rules_dir,
        select=prefixes(select),
        ignore=prefixes(ignore),
        max_rejects=Limit.parse(max_rejects) if max_rejects is not None else None,
        fail_on=fail_on,
        baseline=baseline,
        profile=profile,
        force=force,
        resume=resume,
        effort=Effort(jobs, size_of(memory) if memory else None, engine),
    )
    keep_bytes()
    try:
        with shown(quiet=quiet) as progress:
            summary = run_audit(replace(job, progress=progress))
    except KeyboardInterrupt:
        if not work_left(case):
            raise
        raise SystemExit(stopped("the same command with --resume goes on from here")) from None
    if report is not None:
        render = render_html if format_of(report) == "html" else render_report
        with stage("Rendering the report", quiet=quiet):
            render(case, report, lang=lang)
    if output == "json":
        from audit.cli.summary import as_json

        typer.echo(as_json(case, summary))
    elif output == "sarif":
        from audit.sarif import sarif_text

        typer.echo(sarif_text(case))
    else:
        from audit.cli.summary import print_summary

        print_summary(case, report, summary, quiet=quiet)
    raise typer.Exit(summary.exit)
