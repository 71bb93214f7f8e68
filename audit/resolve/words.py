"""The words that resolved columns hold, as one-byte enumerations: a log has millions of rows."""

from __future__ import annotations

import polars as pl

from audit import schema

KIND = pl.Enum(schema.KINDS)
OUTCOME = pl.Enum(schema.OUTCOMES)
SCHEME = pl.Enum(schema.SCHEMES)
DEVICE = pl.Enum(schema.DEVICES)
DISPOSITION = pl.Enum(schema.DISPOSITIONS)
MARK = pl.Enum(["stated", "inferred", "unknown"])
SLIP = pl.Enum(["not_taken", "not_halved", "taken_all_the_same", "whole_units"])
JACKPOT = pl.Enum(["unpaid", "not_dealt", "fixed", "share", "unapproved"])
STANDING = pl.Enum(
    [
        "orphan", "round_rejected", "bad_stake", "no_rules", "not_offered", "demo", "void",
        "unjudged", "handpay", "cancelled", "carried", "jackpot", "returned", "won", "lost",
    ]
)  # fmt: skip
