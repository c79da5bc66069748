"""Past sessions are fetched by OpenCode itself, which is started without plugins and of which nothing is left."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.records import Problem
from hardwon_opencode.adapter import OpenCode

STUB = """#!/bin/sh
echo "$HARDWON_HOOKS $*" >> "{log}"
case "$2" in
db) echo '{sessions}';;
export) echo "{{\\"info\\": {{\\"id\\": \\"$3\\"}}, \\"messages\\": []}}";;
esac
{end}
"""
SESSIONS = [{"id": "ses_old", "time_updated": 1_000_000}, {"id": "ses_new", "time_updated": 1_795_997_490_756}]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that OpenCode keeps its sessions in; nothing but a stub of it is on the PATH."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    (tmp_path / "bin").mkdir()
    return tmp_path / "data" / "opencode"


def stub(tmp_path: Path, *, sessions: str = json.dumps(SESSIONS), end: str = "") -> Path:
    """Put a stub of OpenCode on the PATH; return the log of how it was started."""
    program, log = tmp_path / "bin" / "opencode", tmp_path / "log"
    program.write_text(STUB.format(log=log, sessions=sessions, end=end), encoding="utf-8")
    program.chmod(0o755)
    return log


def test_each_session_is_exported_into_a_file(data: Path, tmp_path: Path) -> None:
    """All of them can be read for as long as this process lives, not only while they are walked."""
    data.mkdir(parents=True)
    log = stub(tmp_path)
    paths = list(OpenCode().transcripts())

    assert [json.loads(path.read_bytes())["info"]["id"] for path in paths] == ["ses_old", "ses_new"]
    assert [path.stat().st_mtime for path in paths] == [1_000, 1_795_997_490.756]  # when the session was last changed
    started = log.read_text(encoding="utf-8").splitlines()
    assert [line.split()[:3] for line in started] == [["off", "--pure", "db"], *2 * [["off", "--pure", "export"]]]


def test_a_session_that_cannot_be_exported_does_not_stop_the_others(data: Path, tmp_path: Path) -> None:
    """It is a problem with its id and what OpenCode said of it, whatever part of it came out."""
    data.mkdir(parents=True)
    stub(tmp_path, end='case "$*" in *ses_old*) echo "no such table" >&2; exit 3;; esac')
    adapter = OpenCode()
    old, new = adapter.transcripts()

    [problem] = adapter.read(old)
    assert isinstance(problem, Problem)
    assert problem.where == "ses_old"
    assert "no such table" in problem.what
    assert json.loads(new.read_bytes())["info"]["id"] == "ses_new"
    assert list(adapter.read(new)) == []


def test_only_sessions_that_changed_since_are_exported(data: Path, tmp_path: Path) -> None:
    data.mkdir(parents=True)
    stub(tmp_path)
    assert [path.stem for path in OpenCode().transcripts(datetime(2026, 1, 1, tzinfo=UTC))] == ["ses_new"]


def test_where_it_was_never_used_it_is_not_asked(data: Path, tmp_path: Path) -> None:
    """It would make its database."""
    log = stub(tmp_path)
    assert list(OpenCode().transcripts()) == []
    assert not log.exists()


@pytest.mark.parametrize(
    ("sessions", "end", "words"),
    [("[]", "exit 3", "failed"), ("no JSON", "", "cannot be read"), ('[{"title": "x"}]', "", "cannot be read")],
)
def test_what_cannot_be_had_is_said(data: Path, tmp_path: Path, sessions: str, end: str, words: str) -> None:
    data.mkdir(parents=True)
    stub(tmp_path, sessions=sessions, end=end)
    with pytest.raises(Unavailable, match=words):
        list(OpenCode().transcripts())


def test_a_missing_program_is_said(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data.mkdir(parents=True)
    monkeypatch.setenv("PATH", str(data))
    with pytest.raises(Unavailable, match="PATH"):
        list(OpenCode().transcripts())
