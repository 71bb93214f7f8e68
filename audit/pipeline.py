"""The main job on one screen: a log in, a case out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from audit.baseline import compare, read_baseline
from audit.buckets import Effort, audit_units, fingerprint, workspace
from audit.case import check_target, write_case
from audit.checks.select import chosen
from audit.errors import OptionError
from audit.evidence import case_tables
from audit.manifest import created_at, manifest_of
from audit.profile import files_of, load_profile, log_database
from audit.progress import Progress, silent
from audit.rejects import Limit, refuse_many
from audit.resolve import Options, Rules
from audit.rulebook import load_rulebook
from audit.sources import Database
from audit.summary import Summary, summarise


@dataclass(frozen=True)
class Job:
    """One run: the log, the case to write, and everything that the user decided.

    ``log`` has folders and files, or one database.

    ``select`` and ``ignore`` hold codes or prefixes; a log with more rejects than
    ``max_rejects`` is refused; ``fail_on`` is the mildest severity that
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
    max_rejects: Limit | None = None
    fail_on: str = "violation"
    baseline: Path | None = None
    profile: Path | str | None = None
    made_at: datetime | None = None
    force: bool = False
    resume: bool = False
    effort: Effort = field(default_factory=Effort)
    progress: Progress = silent


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
    of_files = len(files_of(job.log)) == len(job.log)
    if job.resume and not of_files:
        raise OptionError(
            "the rows of a database may be others by now",
            where="--resume",
            hint="Run again without it",
        )
    made_at = job.made_at or created_at()
    mark = fingerprint(job.log, manifest_of(job, None, rules, None, baseline, profile))
    with (
        log_database(job.log) as server,
        workspace(job.case, mark, resume=job.resume, lasting=of_files) as folder,
        audit_units(job, profile, rules, selected, folder, server) as audited,
    ):
        refuse_many(audited.rejects, audited.rows_read, job.max_rejects)
        compared = compare(baseline, audited.findings, audited.results, made_at.date())
        summary = summarise(audited, compared, rules, fail_on=job.fail_on)
        tables = case_tables(audited, compared, rules, summary)
        manifest = manifest_of(job, audited.sources, rules, made_at, baseline, profile)
        return replace(summary, case_id=write_case(job.case, tables, manifest, force=job.force))
