"""Raw text to the canonical tables, with a reject for each row that cannot be read."""

from audit.normalise.log import Log, read_log
from audit.normalise.rejects import REJECTS

__all__ = ["REJECTS", "Log", "read_log"]
