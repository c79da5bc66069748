"""A record is in the spool whole or not at all, and what a killed writer left does not stay for ever."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hardwon.kernel import spool


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


def test_what_a_killed_writer_left_is_swept_once_it_is_old(tmp_path: Path) -> None:
    kept = spool.put(str(tmp_path), b"record")
    old, fresh = tmp_path / "spool" / ".old", tmp_path / "spool" / ".fresh"
    for path in (old, fresh, tmp_path / "spool" / kept):
        path.write_bytes(b"half")
    os.utime(old, (0, time.time() - spool.ABANDONED - 1))
    os.utime(tmp_path / "spool" / kept, (0, 0))
    spool.sweep(str(tmp_path))
    assert sorted(path.name for path in (tmp_path / "spool").iterdir()) == sorted([".fresh", kept])


def test_where_there_is_no_spool_nothing_waits_and_nothing_is_swept(tmp_path: Path) -> None:
    assert spool.waiting(str(tmp_path)) == []
    spool.sweep(str(tmp_path))
    assert not (tmp_path / "spool").exists()
