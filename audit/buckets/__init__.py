"""A log in units of whole shoes, so that any amount of it goes through a fixed memory.

Nothing that ``audit.resolve`` and ``audit.checks`` do looks beyond a shoe, but for art. 19, L08
and L12, whose first finding is sought again over all units. Where the files are Parquet or CSV
and one shoe lies after another in them, units read their own stretches (``in_place``), which the
keys tell (``survey``). Any other log is read once and kept by slot, a number that depends on
casino, table and shoe alone; a unit is a range of slots (``spill``). How a log is cut hangs on the
log alone, so the result is the same, to the byte, wherever the units were worked on.
"""

from audit.buckets.engine import Effort, audit_units
from audit.buckets.resume import fingerprint, workspace

__all__ = ["Effort", "audit_units", "fingerprint", "workspace"]
