"""The machines of a Ray cluster: each unit is a task, in a folder that all of them see.

A unit whose machine is lost is done again on another one. What comes out is the same as on one
machine, since a unit depends on nothing but its own rows.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from audit.buckets.work import Workshop
from audit.errors import AuditError, OptionError

KNOCK = 10.0
"""Seconds in which the first machine of a cluster must answer."""

RETRIES = 5
"""Machines that may be lost in the middle of one unit."""


def run_in_cluster(folder: Path, units: Iterable[int], jobs: int) -> Iterator[int]:
    """Have ``units`` of a workshop done by the cluster that RAY_ADDRESS names.

    Without one Ray is started here, with ``jobs`` processors. ``folder`` must be on storage that
    every machine sees under the same name.
    """
    ray = _ray()
    ours = not ray.is_initialized()
    if ours:
        _start(ray, os.environ.get("RAY_ADDRESS"), jobs)
    try:
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(_do)
        waiting = [task.remote(str(folder), unit) for unit in units]
        while waiting:
            (first, *_), waiting = ray.wait(waiting)
            try:
                yield ray.get(first)
            except ray.exceptions.RayError as error:
                met = getattr(error, "cause", None)
                if isinstance(met, AuditError):
                    raise met from None
                cause = str(met or error).strip().splitlines()[-1]
                raise AuditError(
                    f"the cluster could not do a unit ({cause})",
                    hint="Look at the machines, then --resume",
                ) from error
    finally:
        if ours:
            ray.shutdown()


def check_cluster() -> None:
    """OptionError where Ray is not installed, or nothing answers at RAY_ADDRESS."""
    _ray()
    address = os.environ.get("RAY_ADDRESS")
    if address:
        try:
            _knock(address)
        except (OSError, ValueError) as error:
            raise _unreachable(error, address) from error


def _start(ray: Any, address: str | None, jobs: int) -> None:
    """Connect to the cluster at ``address``, or start one here; OptionError where it is not."""
    told: dict[str, Any] = {"address": address} if address else {"num_cpus": jobs}
    try:
        ray.init(logging_level="error", log_to_driver=False, include_dashboard=False, **told)
    except (OSError, RuntimeError, ValueError) as error:
        raise _unreachable(error, address) from error


def _unreachable(error: Exception, address: str | None) -> OptionError:
    cause = (str(error).strip() or type(error).__name__).splitlines()[0]
    return OptionError(
        f"the cluster cannot be reached ({cause[:160]})",
        where=f"RAY_ADDRESS={address}" if address else "--engine ray",
        hint="Start it, or name another one; without RAY_ADDRESS Ray is started here",
    )


def _knock(address: str) -> None:
    """OSError where nothing answers at ``address``, of which Ray itself is sure only much later.

    Words that Ray knows, such as ``auto``, are left to it.
    """
    place = urlsplit(address if "//" in address else f"//{address}")
    if place.hostname and place.port:
        socket.create_connection((place.hostname, place.port), timeout=KNOCK).close()


def _do(folder: str, unit: int) -> int:
    _workshop(folder).do(unit)
    return unit


@lru_cache(maxsize=1)
def _workshop(folder: str) -> Workshop:
    """Once for each process, since all units share what is around them."""
    return Workshop(Path(folder))


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise OptionError(
            "Ray is not installed",
            where="--engine ray",
            hint="Install it with `pip install 'baccarat-audit[cluster]'`",
        ) from error
    return ray
