"""`python -m tests.oracle FOLDER`: print the findings, or compare them with a file."""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

from tests.oracle.audit import findings
from tests.oracle.compare import differences, load, report
from tests.oracle.model import Finding


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--codes", help="only these codes or prefixes, e.g. A09,A10")
    parser.add_argument("--compare", type=Path, metavar="FILE.csv", help="'-' lines: missing there")
    parser.add_argument("--no-consequence", action="store_true", help="leave the column out")
    parser.add_argument("--decks", type=int)
    parser.add_argument("--commission", choices=("commission", "no_commission"))
    parser.add_argument("--commission-rounding", metavar="STEP,MODE")
    parser.add_argument("--rules", default="auto")
    return parser.parse_args()


def wanted(found: list[Finding], args: argparse.Namespace) -> list[Finding]:
    """Only the codes asked for, and without the consequence if it is not."""
    prefixes = tuple(args.codes.split(",")) if args.codes else ("",)
    kept = [finding for finding in found if finding.code.startswith(prefixes)]
    return [f._replace(consequence="") for f in kept] if args.no_consequence else kept


def main() -> int:
    args = parse()
    rounding = None
    if args.commission_rounding:
        step, mode = args.commission_rounding.split(",")
        rounding = (step, mode)
    ours = findings(
        args.folder,
        decks=args.decks,
        commission=args.commission,
        rounding=rounding,
        rules=args.rules,
    )
    ours = wanted(ours, args)
    if args.compare:
        missing, extra = differences(ours, wanted(load(args.compare), args))
        print(report(missing, extra))
        return 1 if missing or extra else 0
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Finding._fields)
    writer.writerows(ours)
    return 0


if __name__ == "__main__":
    sys.exit(main())
