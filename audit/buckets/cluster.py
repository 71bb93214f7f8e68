"""The machines of a Ray cluster: each unit is a task, in a folder that all of them see.

A unit whose machine is lost is done again on another one. What comes out is the same as on one
machine, since a unit depends on nothing but its own rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from audit.buckets.work import Workshop
from audit.errors import AuditError, OptionError

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
        address = os.environ.get("RAY_ADDRESS")
        told: dict[str, Any] = {"address": address} if address else {"num_cpus": jobs}
        ray.init(logging_level="error", log_to_driver=False, include_dashboard=False, **told)
    try:
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(_do)
        waiting = [task.remote(str(folder), unit) for unit in units]
        while waiting:
            (first, *_), waiting = ray.wait(waiting)
            try:
                yield ray.get(first)
            except ray.exceptions.RayError as error:
                cause = str(getattr(error, "cause", None) or error).strip().splitlines()[-1]
                raise AuditError(
                    f"the cluster could not do a unit ({cause})",
                    hint="Look at the machines, then --resume",
                ) from error
    finally:
        if ours:
            ray.shutdown()


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
