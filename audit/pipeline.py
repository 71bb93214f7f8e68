"""The main job on one screen: a log in, a case out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from audit.baseline import compare, read_baseline
from audit.case import check_target, write_case
from audit.checks import CHECKS
from audit.checks.findings import collected
from audit.checks.runner import run_checks
from audit.checks.select import chosen
from audit.evidence import case_tables
from audit.manifest import created_at, manifest_of
from audit.normalise import read_log
from audit.profile import files_of, load_profile
from audit.resolve import Options, Rules, resolve_log
from audit.rulebook import load_rulebook
from audit.sources import Database
from audit.summary import Summary, summarise


@dataclass(frozen=True)
class Job:
    """One run: the log, the case to write, and everything that the user decided.

    ``log`` has folders and files, or one database.

    ``select`` and ``ignore`` hold codes or prefixes; ``fail_on`` is the mildest severity that
    makes the exit code 1, accepted findings of the ``baseline`` left out; ``made_at`` is the
    moment of the case, now (or SOURCE_DATE_EPOCH) where none is given. ``profile`` is a file, or
    the name of one that comes with the program.
    """

    log: Sequence[Path | Database]
    case: Path
    options: Options = field(default_factory=Options)
    rules_dir: Path | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    fail_on: str = "violation"
    baseline: Path | None = None
    profile: Path | str | None = None
    made_at: datetime | None = None
    force: bool = False


def run_audit(job: Job) -> Summary:
    """Read, resolve and check the log, write the case whole, and return the run in figures.

    The same input and options give the same case on any machine. AuditError for anything that
    the user can cure; nothing is written then.
    """
    check_target(job.case, force=job.force, log=files_of(job.log))
    rules = Rules.of(load_rulebook(job.rules_dir), job.options)
    selected = chosen(job.select, job.ignore)
    baseline = read_baseline(job.baseline) if job.baseline else None
    profile = load_profile(job.profile) if job.profile is not None else None
    made_at = job.made_at or created_at()
    log = read_log(job.log, profile)
    resolved = resolve_log(log.tables, log.rejects, log.present, rules, job.options)
    results = run_checks(CHECKS, selected, resolved, rules)
    findings = collected(result.findings for result in results)
    compared = compare(baseline, findings, results, made_at.date())
    summary = summarise(
        resolved, log.sources, compared, results, forced=rules.forced, fail_on=job.fail_on
    )
    tables = case_tables(resolved, compared, results, rules, log.sources, summary)
    manifest = manifest_of(job, log.sources, rules, made_at, baseline, profile)
    return replace(summary, case_id=write_case(job.case, tables, manifest, force=job.force))
