"""A log in units of whole shoes, so that any amount of it goes through a fixed memory.

Nothing that ``audit.resolve`` and ``audit.checks`` do looks beyond a shoe, but for art. 19, L08
and L12, whose first finding is sought again over all units. Rows are read once and kept by slot,
a number that depends on casino, table and shoe alone; a unit is a range of slots. The result is
the same, to the byte, whatever the number of units and wherever they were worked on.
"""

from audit.buckets.engine import Effort, audit_units
from audit.buckets.resume import fingerprint, workspace

__all__ = ["Effort", "audit_units", "fingerprint", "workspace"]
