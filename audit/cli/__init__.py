"""The command line. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys

from audit.errors import AuditError

CANNOT = 2
"""Exit code of a command that could not be done."""


def main() -> None:
    """Entry point of the console script: errors become one sentence and exit code 2."""
    from audit.cli.app import app

    try:
        app()
    except AuditError as error:
        _stop(error.sentence())
    except KeyboardInterrupt:
        print("Stopped; nothing was written.", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError:
        _stop("There is not enough memory for this log. Split it by table or month.")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _stop(f"{where}{error.strerror or error}. Check the path, its rights and the free space.")
    except Exception as error:  # a defect of ours, told without a traceback unless asked for
        if os.environ.get("BACCARAT_AUDIT_DEBUG"):
            raise
        _stop(
            f"this is a defect of the program ({type(error).__name__}: {error}). Please report "
            "it; BACCARAT_AUDIT_DEBUG=1 shows where it happened."
        )


def _stop(sentence: str) -> None:
    print(f"baccarat-audit: {sentence}", file=sys.stderr)
    sys.exit(CANNOT)
