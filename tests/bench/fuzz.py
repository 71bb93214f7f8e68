"""A long hunt for input that breaks a reader, guided by the lines of code that it reaches.

Each reader is fuzzed in a process of its own, its memory and the time of each input bounded. An
input is read as rows of text; each that reached new code is then read as a whole log. Needs
``pip install atheris``.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS, MEGABYTES, LONGEST = 20, 3_000, 4_096
"""Bounds of one input: time (this machine may be busy), memory, bytes."""


def hunt(name: str, corpus: Path, runs: int) -> None:
    """Fuzz one reader in this process; ends with 0, or with what libFuzzer says of a find."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["audit"]):
        from tests.fuzzing import TARGETS, TOKENS, check
    target = next(one for one in TARGETS if one.name == name)
    for number, seed in enumerate(target.seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = corpus.parent / "words"
    written = ("".join(f"\\x{byte:02x}" for byte in token.encode()) for token in TOKENS)
    words.write_text("".join(f'"{token}"\n' for token in written))
    folder = Path(tempfile.mkdtemp(dir=corpus.parent))
    options = [
        f"-runs={runs}", f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}",
        f"-max_len={max(LONGEST, 2 * max(map(len, target.seeds)))}", f"-dict={words}", "-seed=7",
        f"-artifact_prefix={corpus.parent}/find-", "-print_final_stats=1", "-verbosity=1",
    ]  # fmt: skip

    def one(data: bytes) -> None:
        check(target, data, folder, quick=True)

    atheris.Setup([sys.argv[0], *options, str(corpus)], one)
    atheris.Fuzz()


def reread(name: str, corpus: Path) -> int:
    """Read each kept input as a whole log; their number."""
    from tests.fuzzing import TARGETS, check

    target = next(one for one in TARGETS if one.name == name)
    kept = sorted(corpus.iterdir())
    with tempfile.TemporaryDirectory() as scratch:
        for path in kept:
            try:
                check(target, path.read_bytes(), Path(scratch))
            except BaseException:
                print(f"the input is {path}", file=sys.stderr)
                raise
    return len(kept)


def _child(step: str, name: str, corpus: Path, runs: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.bench.fuzz", "--step", step, "--only", name]
    command += ["--runs", str(runs), "--folder", str(corpus)]
    surroundings = {**os.environ, "POLARS_MAX_THREADS": "1"}
    return subprocess.run(
        command, env=surroundings, capture_output=True, text=True, errors="replace", check=False
    )


def main() -> None:
    """One row for each reader: inputs, those kept, seconds, and what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz", description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000, help="inputs in all")
    parser.add_argument("--only", default="", help="one reader")
    parser.add_argument("--folder", type=Path, help="where the inputs are kept")
    parser.add_argument("--step", choices=("hunt", "reread"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.step == "hunt":
        hunt(chosen.only, chosen.folder, chosen.runs)
        return
    if chosen.step == "reread":
        print(reread(chosen.only, chosen.folder))
        return
    from tests.fuzzing import TARGETS  # only here: the hunt must import it under instruments

    targets = [target for target in TARGETS if chosen.only in ("", target.name)]
    weights = sum(target.weight for target in targets)
    folder = chosen.folder or Path(tempfile.mkdtemp(prefix="audit-fuzz-"))
    print(f"{'reader':12} {'inputs':>8} {'kept':>6} {'MB':>6} {'seconds':>8}  found", flush=True)
    total = broken = 0
    for target in targets:
        corpus = folder / target.name / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()
        done = _child("hunt", target.name, corpus, -(-chosen.runs * target.weight // weights))
        inputs = _figure(done.stderr, r"number_of_executed_units:\s*(\d+)")
        memory = _figure(done.stderr, r"peak_rss_mb:\s*(\d+)")
        again = _child("reread", target.name, corpus, 0)
        found = [text for text in map(_found, (done, again)) if text]
        kept = int(again.stdout) if again.returncode == 0 else len(list(corpus.iterdir()))
        seconds = time.monotonic() - start
        print(
            f"{target.name:12} {inputs:8,} {kept:6,} {memory:6,} {seconds:8.0f}  "
            f"{'; '.join(found) or 'nothing'}",
            flush=True,
        )
        total += inputs
        broken += bool(found)
    print(f"{total:,} inputs, {broken} readers broken; kept in {folder}")
    raise SystemExit(1 if broken else 0)


def _figure(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def _found(done: subprocess.CompletedProcess[str]) -> str:
    """What a process broke on, in one line; ``""`` where it ended well and no library panicked."""
    panicked = next((line for line in done.stderr.splitlines() if "panicked at" in line), "")
    if done.returncode == 0:
        return panicked
    told = [
        line for line in done.stderr.splitlines() if re.match(r" *[\w.]*(Error|Exception)\b", line)
    ]
    told = told or [line for line in done.stderr.splitlines() if "ERROR" in line]
    artifact = re.search(r"Test unit written to (\S+)|the input is (\S+)", done.stderr)
    place = f" [{artifact[1] or artifact[2]}]" if artifact else ""
    return f"exit {done.returncode}: {(told or ['?'])[-1][:200]}{place} {panicked}".rstrip()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
