"""Nothing of the user's is ever destroyed: only a case is replaced, and only by a case."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from audit import Job, open_case, run_audit
from audit.case import write_case
from audit.errors import CaseError, OptionError
from audit.outputs import check_file, write_whole

SAMPLE = Path(__file__).resolve().parent.parent / "sample_logs" / "draw-errors"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "log"))


def everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize("manifest", ['{"my": "own"}', "not JSON", "[]", '{"tool": "another"}'])
def test_a_folder_with_a_manifest_of_its_own(log: Path, manifest: str) -> None:
    (log / "manifest.json").write_text(manifest)
    before = everything(log)
    with pytest.raises(CaseError, match="is not a case"):
        run_audit(Job([SAMPLE], log, force=True))
    assert everything(log) == before


@pytest.mark.parametrize("place", [".", "log", "log/deeper"])
def test_a_log_within_the_case(tmp_path: Path, place: str) -> None:
    case = tmp_path / "case"
    run_audit(Job([SAMPLE], case))
    inside = case / place
    inside.mkdir(parents=True, exist_ok=True)
    shutil.copy(SAMPLE / "rounds.csv", inside / "rounds.csv")
    before = everything(case)
    with pytest.raises(CaseError, match="lies in the folder of the case"):
        run_audit(Job([inside / "rounds.csv"], case, force=True))
    assert everything(case) == before


def test_notes_kept_in_the_case(tmp_path: Path) -> None:
    case = tmp_path / "case"
    run_audit(Job([SAMPLE], case))
    (case / "notes.txt").write_text("mine")
    with pytest.raises(CaseError, match=r"not its own \(notes.txt\)"):
        run_audit(Job([SAMPLE], case, force=True))
    assert (case / "notes.txt").read_text() == "mine"


def test_a_case_that_another_run_wrote_meanwhile(tmp_path: Path) -> None:
    case = tmp_path / "case"

    class Late(dict[str, object]):
        """Tables that take so long that another run is quicker."""

        def items(self):  # type: ignore[no-untyped-def]
            run_audit(Job([SAMPLE], case))
            return super().items()

    with pytest.raises(CaseError):
        write_case(case, Late(), {"tool": "baccarat-audit"}, force=False)
    opened = open_case(case)
    assert opened.connection.sql("SELECT count(*) FROM findings").fetchall() == [(7,)]
    opened.close()
    assert [path.name for path in tmp_path.iterdir()] == ["case"]


def test_outputs_spare_what_is_read(log: Path, tmp_path: Path) -> None:
    case = tmp_path / "case"
    run_audit(Job([log], case))
    for path in (log / "bets.csv", case / "rounds.parquet", case / "manifest.json"):
        with pytest.raises(OptionError, match="belongs to the log or the case"):
            check_file(path, spare=[log, None])
    with pytest.raises(OptionError, match="is something else"):
        check_file(log / "README.md", begins=b"%PDF")
    check_file(tmp_path / "new.pdf", spare=[log], begins=b"%PDF")


def test_a_device_a_pipe_and_a_link(tmp_path: Path) -> None:
    pipe, link, aim = tmp_path / "pipe", tmp_path / "link", tmp_path / "aim"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    write_whole(pipe, b"through")
    assert reader.communicate(timeout=20)[0] == b"through"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    link.symlink_to(aim)
    write_whole(link, b"there")
    assert link.is_symlink()
    assert aim.read_bytes() == b"there"


def test_two_runs_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "audit", "run", str(SAMPLE), "--case", str(tmp_path / "case")]
    runs = [
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    said = [run.communicate(timeout=120)[1] for run in runs]
    codes = sorted(run.returncode for run in runs)
    assert codes == [1, 2], said
    assert [path.name for path in tmp_path.iterdir()] == ["case"]


def test_a_run_stopped_between_its_two_renames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = tmp_path / "case"
    run_audit(Job([SAMPLE], case))
    before = everything(case)
    rename = Path.rename

    def stop(self: Path, target: Path) -> Path:
        if self.name.startswith(".case.building") and target == case:
            raise KeyboardInterrupt
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", stop)
    with pytest.raises(KeyboardInterrupt):
        run_audit(Job([SAMPLE], case, force=True))
    assert everything(case) == before
    assert [path.name for path in tmp_path.iterdir()] == ["case"]


def test_a_run_killed_between_its_two_renames(tmp_path: Path) -> None:
    case = tmp_path / "case"
    run_audit(Job([SAMPLE], case))
    aside = tmp_path / ".case.building-999999999-abc"
    aside.mkdir()
    case.rename(aside / "old")
    with pytest.raises(CaseError, match="a case here"):
        run_audit(Job([SAMPLE], case))
    assert (case / "manifest.json").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["case"]


@pytest.mark.parametrize("name", ["a,b", "a?b", "a*", "a[1]", "a\\b", "a\nb", "a\udcffb"])
def test_a_path_that_duckdb_reads_as_its_own(tmp_path: Path, name: str) -> None:
    with pytest.raises(CaseError, match="the path of a case cannot hold"):
        run_audit(Job([SAMPLE], tmp_path / name))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["it's", "百家樂 2007", "a b;c", "100%", "ação"])
def test_a_path_like_any_other(tmp_path: Path, name: str) -> None:
    run_audit(Job([SAMPLE], tmp_path / name))
    open_case(tmp_path / name).close()
