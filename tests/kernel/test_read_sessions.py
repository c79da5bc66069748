"""The list of transcripts that were read: it spares reading, and knows nothing that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.read_sessions import ReadFiles

MARK = (7, "hash")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    return home


def test_what_was_read_is_known_later(home: Home, tmp_path: Path) -> None:
    """As long as it is the same, and a session of it is not wanted again."""
    path = tmp_path / "家.jsonl"
    path.touch()
    files = ReadFiles(home)
    files.add(path, MARK, None, ["s1"])
    files.save()

    files = ReadFiles(home)
    assert files.has(path, MARK, None)
    assert not files.has(path, (8, "hash"), None)
    files.forget(["s1"])
    assert not files.has(path, MARK, None)


def test_the_list_does_not_grow_by_files_that_come_and_go(home: Home, tmp_path: Path) -> None:
    """OpenCode exports its sessions into another folder for each import."""
    for number in range(20):
        path = tmp_path / f"export-{number}.json"
        path.touch()
        files = ReadFiles(home)
        files.add(path, MARK, None, ["s1"])
        files.save()
        size = (home.path / "past-sessions.json").stat().st_size
        path.unlink()

    assert size < 2 * len(str(path)) + 200
