"""A file is only ever replaced or removed as the version that was meant; what somebody saved meanwhile stays."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.exchange import exchange as exchanged_by_the_system
from hardwon.stores.files.atomic import replacing
from hardwon.stores.files.atomic.disk import stat_of
from hardwon.stores.files.atomic.replacing import remove, write_expected


@pytest.fixture(params=["exchanged", "renamed"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of a file system that can exchange two files and link them, and of one that can do neither."""
    if request.param == "renamed":

        def refuse(*_: object) -> None:
            raise OSError(errno.ENOSYS, "not here")

        monkeypatch.setattr(replacing, "exchange", refuse)
        monkeypatch.setattr(os, "link", refuse)
    return tmp_path


def save(path: Path, text: str) -> None:
    """Save as editors do that rename over."""
    aside = path.with_name("aside")
    aside.write_text(text, encoding="utf-8")
    aside.replace(path)


def test_the_version_that_was_meant_is_replaced(folder: Path) -> None:
    path = folder / "note.md"
    first = write_expected(path, b"first", None, durable=True)
    second = write_expected(path, b"second", first, durable=False)
    assert path.read_bytes() == b"second"
    assert second.is_alike(stat_of(path))
    remove(path, folder, second)
    assert list(folder.iterdir()) == []


def test_what_somebody_saved_before_the_look_stays(folder: Path) -> None:
    path = folder / "note.md"
    seen = write_expected(path, b"seen", None, durable=False)
    save(path, "theirs")
    for attempt in (lambda: write_expected(path, b"ours", seen, durable=False), lambda: remove(path, folder, seen)):
        with pytest.raises(Conflict, match="meanwhile"):
            attempt()
        assert path.read_text(encoding="utf-8") == "theirs"
    assert [each.name for each in folder.iterdir()] == ["note.md"]


def test_a_file_that_somebody_made_is_not_taken_for_a_free_name(folder: Path) -> None:
    path = folder / "note.md"
    save(path, "theirs")
    for attempt in (lambda: write_expected(path, b"ours", None, durable=False), lambda: remove(path, folder, None)):
        with pytest.raises(Conflict, match="meanwhile"):
            attempt()
    assert path.read_text(encoding="utf-8") == "theirs"
    assert [each.name for each in folder.iterdir()] == ["note.md"]


def test_a_file_that_somebody_deleted_does_not_come_back(folder: Path) -> None:
    path = folder / "note.md"
    seen = write_expected(path, b"seen", None, durable=False)
    path.unlink()
    with pytest.raises(Conflict, match="meanwhile"):
        write_expected(path, b"ours", seen, durable=False)
    remove(path, folder, seen)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("again", [False, True])
def test_a_save_in_the_very_moment_of_the_rename_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, again: bool
) -> None:
    """And the newer one, where somebody saves once more before the first is back."""
    path = tmp_path / "note.md"
    seen = write_expected(path, b"seen", None, durable=False)
    original, saves = exchanged_by_the_system, ["theirs", "theirs, once more"] if again else ["theirs"]

    def exchange(one: Path, other: Path) -> None:
        if saves:
            save(path, saves.pop(0))
        original(one, other)

    monkeypatch.setattr(replacing, "exchange", exchange)
    try:
        with pytest.raises(Conflict, match="meanwhile"):
            write_expected(path, b"ours", seen, durable=False)
    except OSError as error:
        pytest.skip(f"this file system exchanges no files: {error}")
    assert path.read_text(encoding="utf-8") == ("theirs, once more" if again else "theirs")
    assert [each.name for each in tmp_path.iterdir()] == ["note.md"]
