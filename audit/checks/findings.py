"""Findings: one row for each breach, with its severity, citation, evidence and message."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from itertools import repeat

import polars as pl

from audit.case import COLUMNS
from audit.checks.base import Breach, Check
from audit.checks.wording import message
from audit.money import WIDE
from audit.resolve.rules import Rules

SCHEMA: dict[str, pl.DataType] = {
    **dict.fromkeys(COLUMNS, pl.String()),
    "round_no": pl.Int64(),
    "amount": WIDE(),
    "row": pl.Int64(),
    "currency": pl.String(),
    "evidence": pl.String(),
    "rid": pl.UInt32(),
    "once": pl.String(),
    "started_at": pl.Datetime("us"),
}
"""Types in memory: ``amount`` counts millionths; the columns after ``message`` are ours.

``rid`` numbers the round, ``once`` names the group of which only the earliest finding stays.
"""

PASSING = ("rid", "once")
"""Columns that only a run needs."""

ORDER = [
    "casino", "table_id", "shoe_id", "round_no", "code", "bet_id", "subject", "source", "row",
    "expected", "recorded",
]  # fmt: skip

UNVERIFIABLE = "not verifiable: later act unknown"

_TEXT = pl.lit(None, pl.String)
HASHED_BY_ROW = ("L01", "L02", "L11")
"""Codes whose id comes from the text of a row, so that the place they name may move."""


def as_findings(
    check: Check, breach: Breach, rows: pl.DataFrame, rules: Rules, wrong_money: frozenset[int]
) -> pl.DataFrame:
    """The rows that break ``breach`` as findings, unsorted, in the columns of ``SCHEMA``."""
    of_rejects = check.over == "rejects"
    variant = _TEXT if breach.variant is None else breach.variant
    evidence = {"variant": variant.fill_null(""), **breach.evidence}
    capped = rules.capped(check.code) if check.of_law else pl.lit(False)
    if breach.in_shoes:
        place = pl.col("shoe_source").alias("source"), pl.col("shoe_row").alias("row")
        rows = rows.with_columns(place)
    frame = rows.with_columns(
        pl.lit(check.code).alias("code"),
        _severity(check, breach, wrong_money).alias("severity"),
        capped.alias("capped"),
        _basis(breach, rules, of_rejects).alias("basis"),
        (pl.lit(check.article) if breach.article is None else breach.article).alias("article"),
        (_TEXT if breach.subject is None else breach.subject).alias("subject"),
        (_TEXT if breach.expected is None else breach.expected).alias("expected"),
        (_TEXT if breach.recorded is None else breach.recorded).alias("recorded"),
        (pl.lit(None, WIDE) if breach.amount is None else breach.amount).alias("amount"),
        pl.struct([value.alias(name) for name, value in evidence.items()]).alias("evidence"),
        _group(breach).alias("once"),
        *_absent(rows, check),
    )
    frame = frame.with_columns(
        pl.when(pl.col("capped") & (pl.col("severity") == "violation"))
        .then(pl.lit("warning"))
        .otherwise("severity")
        .alias("severity"),
        pl.lit("new").alias("status"),
        (_TEXT if breach.consequence is None else breach.consequence).alias("consequence"),
        message(check.code, frame["evidence"]).alias("message"),
        pl.col("evidence").struct.json_encode(),
    )
    frame = frame.with_columns(
        pl.when(pl.col("capped") & (pl.col("severity") == "warning"))
        .then(pl.format(f"{{}} ({UNVERIFIABLE})", "message"))
        .otherwise("message")
        .alias("message")
    )
    return frame.with_columns(_ids(frame)).select(
        pl.col(name).cast(dtype) for name, dtype in SCHEMA.items()
    )


def collected(found: Iterable[pl.DataFrame | None]) -> pl.DataFrame:
    """All findings in one frame of ``SCHEMA``, in the order of an exported file."""
    frames = [frame for frame in found if frame is not None]
    return pl.concat([pl.DataFrame(schema=SCHEMA), *frames]).sort(ORDER)


def first_of_all(findings: pl.DataFrame) -> pl.DataFrame:
    """Findings of several parts of a log, of each group only the earliest."""
    grouped = pl.col("once").is_not_null()
    earliest = findings.filter(grouped).sort("started_at", *ORDER)
    earliest = earliest.unique(["code", "once"], keep="first", maintain_order=True)
    return pl.concat([findings.filter(~grouped), earliest]).sort(ORDER)


def _group(breach: Breach) -> pl.Expr:
    """The group of which only one finding stays, as text; null where each one does."""
    if not breach.once_per:
        return _TEXT
    return pl.struct(breach.once_per).struct.json_encode()


def _severity(check: Check, breach: Breach, wrong_money: frozenset[int]) -> pl.Expr:
    if breach.severity is not None:
        return breach.severity
    if not check.record_only:
        return pl.lit(check.severity)
    wrong = pl.Series(sorted(wrong_money), dtype=pl.UInt32)
    money_right = (pl.col("bet_count") > 0) & ~pl.col("rid").is_in(wrong.implode())
    return pl.when(money_right).then(pl.lit("warning")).otherwise(pl.lit(check.severity))


def _basis(breach: Breach, rules: Rules, of_rejects: bool) -> pl.Expr:
    """Weakest mark of what the finding rests on; a finding on the log itself rests on nothing."""
    if isinstance(breach.basis, pl.Expr):
        return breach.basis
    if of_rejects or not breach.basis:
        return pl.lit("stated")
    return rules.weakest(breach.basis)


def _absent(rows: pl.DataFrame, check: Check) -> list[pl.Expr]:
    """Finding columns that the checked frame does not have, or that the anchor leaves empty."""
    wanted = ["ruleset", "bet_id", "currency", "rid", "started_at"]
    missing = [name for name in wanted if name not in rows.columns]
    columns = [pl.lit(None, SCHEMA[name]).alias(name) for name in missing]
    if check.code == "L01":
        columns.append(pl.lit(None, pl.String).alias("bet_id"))
    return columns


def _ids(frame: pl.DataFrame) -> pl.Series:
    """Short hash of code, anchor and subject; of the row's text for findings on a row.

    A bet without an id whose running number is another's id says so: else both had one hash.
    """
    code = frame["code"][0]
    anchor = ["casino", "table_id", "shoe_id", "round_no", "bet_id", "subject"]
    names = ["table", "raw", "occurrence"] if code in HASHED_BY_ROW else anchor
    twins = frame["bet_id_twin"] if "bet_id_twin" in frame.columns else repeat(False)
    digests = (
        hashlib.sha256(
            json.dumps([code, *row, *(["running"] if twin else [])], ensure_ascii=False).encode()
        ).hexdigest()[:12]
        for row, twin in zip(frame.select(names).iter_rows(), twins, strict=False)
    )
    return pl.Series("id", digests, dtype=pl.String)
