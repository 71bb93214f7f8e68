"""The command line. Nothing heavy is imported before a command needs it."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from audit.allocator import VARIABLE, keeping
from audit.errors import AuditError

CANNOT, STOPPED = 2, 130
"""Exit codes of a command that could not be done, or was stopped from the keyboard."""


def main() -> None:
    """Entry point of the console script: errors become one sentence and exit code 2."""
    if VARIABLE not in os.environ:
        os.environ |= keeping(os.cpu_count() or 1)
    try:
        from audit.cli.app import app

        code = app(standalone_mode=False)
    except AuditError as error:
        _stop(error.sentence())
    except (KeyboardInterrupt, EOFError):
        code = STOPPED
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong here.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except MemoryError:
        _stop("There is not enough memory for this log. Split it by table or month.")
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _stop(f"{where}{error.strerror or error}. Check the path, its rights and the free space.")
    except SystemExit:
        raise
    except BaseException as error:  # a panic of polars is no Exception, and no verdict either
        if "Query interrupted" in str(error):  # how DuckDB passes a Ctrl-C on
            sys.exit(stopped())
        _usage(error)
        _defect(error)
    if code == STOPPED:
        stopped()
    sys.exit(code if isinstance(code, int) else 0)


def stopped(left: str = "nothing half-written is left") -> int:
    """Say that a command was stopped from the keyboard, and what is left of it; the exit code."""
    print(f"baccarat-audit: Stopped; {left}.", file=sys.stderr)
    return STOPPED


def _usage(error: Any) -> None:
    """A mistake in the command itself; returns where ``error`` is something else."""
    context = getattr(error, "ctx", None)
    if not hasattr(error, "format_message"):
        return
    if type(error).__name__ == "NoArgsIsHelpError":
        print(error.format_message())
        sys.exit(CANNOT)
    command = context.command_path if context is not None else "baccarat-audit"
    sentence = " ".join(error.format_message().split()).rstrip(".")
    _stop(f"{sentence}. `{command} --help` shows how it is used.")


def _defect(error: BaseException) -> NoReturn:
    """A defect of ours, told without a traceback unless that is asked for."""
    if os.environ.get("BACCARAT_AUDIT_DEBUG"):
        raise error
    _stop(
        f"This is a defect of the program ({type(error).__name__}: {error}). Please report it; "
        "BACCARAT_AUDIT_DEBUG=1 shows where it happened."
    )


def _stop(sentence: str) -> NoReturn:
    """Print one line, control characters of a log made visible, and end."""
    from audit.sources.address import hide

    sentence = hide(sentence)  # an address may stand where a path was expected
    shown = "".join(each if each.isprintable() else repr(each)[1:-1] for each in sentence)
    print(f"baccarat-audit: {shown}", file=sys.stderr)
    sys.exit(CANNOT)
