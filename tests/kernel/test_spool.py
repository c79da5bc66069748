"""A record is in the spool whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardwon.kernel import spool
from hardwon.kernel.use_cases.spooled import spool_problems


def test_records_come_back_in_the_order_in_which_they_were_put(tmp_path: Path) -> None:
    names = [spool.put(str(tmp_path), str(number).encode()) for number in range(5)]
    assert spool.waiting(str(tmp_path)) == names
    assert [record for _, record in spool.read(str(tmp_path), names)] == [b"0", b"1", b"2", b"3", b"4"]
    spool.remove(str(tmp_path), names)
    assert spool.waiting(str(tmp_path)) == []


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int, _data: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        spool.put(str(tmp_path), b"record")
    assert list((tmp_path / "spool").iterdir()) == []


def test_where_there_is_no_spool_nothing_waits(tmp_path: Path) -> None:
    assert spool.waiting(str(tmp_path)) == []
    assert not (tmp_path / "spool").exists()


def test_what_is_no_file_is_no_record(tmp_path: Path) -> None:
    """A folder, a pipe, whose end never comes, and a link to nowhere: whoever takes records never waits for them."""
    name = spool.put(str(tmp_path), b"record")
    folder = tmp_path / "spool"
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "pipe.json")
    (folder / "nowhere.json").symlink_to(tmp_path / "missing")
    assert spool.waiting(str(tmp_path)) == [name]


def test_a_record_that_nobody_may_read_stops_no_other_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused, read = (spool.put(str(tmp_path), b'{"format": 1}') for _ in range(2))

    def opened(path: str, mode: str) -> object:
        if path.endswith(refused):
            raise PermissionError(13, "Permission denied")
        return Path(path).open(mode)

    monkeypatch.setattr(spool, "open", opened, raising=False)
    assert [name for name, _ in spool.read(str(tmp_path), [refused, read])] == [read]
    (problem,) = spool_problems(tmp_path, 0.0)
    assert refused in problem.what
