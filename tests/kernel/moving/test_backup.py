"""Backup and restore: one file with everything, checked whole, that never takes the place of a home unasked."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from hardwon.kernel import background
from hardwon.kernel.errors import Conflict, InvalidInput, NewerFormat, NotFound, StoreBusy
from hardwon.kernel.use_cases.moving.backing_up import back_up
from hardwon.kernel.use_cases.moving.bringing_back import bring_back, check_backup
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.testing.examples import memory
from hardwon.testing.full_home import fill

from .conftest import Stores


@pytest.fixture
def full(tmp_path: Path, stores: Stores) -> Path:
    """Return a home with one of everything, settings of its own, and an event that waits to be taken in."""
    path = tmp_path / "home"
    with stores.open(path) as home:
        fill(home)
    (path / "config.toml").write_text('# mine\nlanguage = "zh"\n', encoding="utf-8")
    (path / "spool" / "new").mkdir(parents=True)
    (path / "spool" / "new" / "event").write_bytes(b"{}")
    (path / "index-7-1.sqlite").touch()
    (path / "some.lock").touch()
    return path


@pytest.fixture
def backup(tmp_path: Path, stores: Stores, full: Path) -> Path:
    """Return a backup of it."""
    with stores.open(full) as home:
        return back_up(home, tmp_path / "memory.backup").path


def emptied(stores: Stores) -> None:
    """Lose everything that the stores keep."""
    fresh = Stores()
    stores.kept, stores.queues = fresh.kept, fresh.queues


def test_everything_comes_back(tmp_path: Path, stores: Stores, full: Path, backup: Path) -> None:
    """The memory, the settings and what waits to be taken in; nothing that is derived."""
    with stores.open(full) as home:
        before = list(archive_lines(home, [], vectors=True))
    emptied(stores)
    with stores.open(tmp_path / "x") as anywhere:
        anywhere.path = tmp_path / "back"
        found = bring_back(anywhere, backup)
    assert found.problems == ()
    with stores.open(tmp_path / "back") as home:
        assert list(archive_lines(home, [], vectors=True)) == before
    assert (tmp_path / "back" / "config.toml").read_text(encoding="utf-8") == '# mine\nlanguage = "zh"\n'
    names = {path.name for path in (tmp_path / "back").rglob("*")}
    assert "event" in names
    assert not names & {"some.lock", "index-7-1.sqlite", "archive.jsonl"}
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_backup_is_its_owners_alone_and_overwrites_nothing(
    tmp_path: Path, stores: Stores, full: Path, backup: Path
) -> None:
    """In a folder it gets a name of its own."""
    assert backup.stat().st_mode & 0o777 == 0o600
    with stores.open(full) as home:
        with pytest.raises(Conflict):
            back_up(home, backup)
        with pytest.raises(NotFound):
            back_up(home, tmp_path / "nowhere" / "x")
        assert back_up(home, tmp_path).path.name.startswith("hardwon-2")


def test_a_check_reads_everything_and_touches_nothing(stores: Stores, full: Path, backup: Path) -> None:
    """It says how much of what there is."""
    before = {path: path.stat().st_mtime_ns for path in full.rglob("*")}
    with stores.open(full) as home:
        found = check_backup(home, backup)
    assert (found.counts["memory"], found.counts["decision"], found.problems) == (6, 1, ())
    assert {path: path.stat().st_mtime_ns for path in full.rglob("*")} == before


@pytest.mark.parametrize("replace", [False, True])
def test_a_home_that_is_there_is_kept(stores: Stores, full: Path, backup: Path, replace: bool) -> None:
    """Refused, or set aside when told so."""
    (full / "mine.txt").write_text("here before", encoding="utf-8")
    emptied(stores)
    with stores.open(full) as home:
        if not replace:
            with pytest.raises(Conflict, match="--replace"):
                bring_back(home, backup)
            assert (full / "mine.txt").exists()
            return
        found = bring_back(home, backup, replace=True)
    assert found.aside is not None
    assert (found.aside / "mine.txt").read_text(encoding="utf-8") == "here before"
    assert not (full / "mine.txt").exists()


def test_a_store_elsewhere_that_holds_a_memory_is_not_mixed_with_the_backup(
    tmp_path: Path, stores: Stores, backup: Path
) -> None:
    """Nothing is put in place then."""
    with stores.open(tmp_path / "x") as anywhere:
        anywhere.path = tmp_path / "back"
        with pytest.raises(Conflict, match="holds a memory"):
            bring_back(anywhere, backup)
    assert not (tmp_path / "back").exists()


def test_a_run_at_work_is_not_set_aside(stores: Stores, full: Path, backup: Path) -> None:
    """It would write on into the old home."""
    emptied(stores)
    with background.alone(full / LOCK_FILE), stores.open(full) as home, pytest.raises(StoreBusy):
        bring_back(home, backup, replace=True)


def rewritten(backup: Path, change: Callable[[tarfile.TarFile, tarfile.TarFile], None]) -> None:
    """Write a backup anew with something changed."""
    data = backup.read_bytes()
    with (
        tarfile.open(fileobj=io.BytesIO(data)) as old,
        tarfile.open(backup, "w:gz") as new,
    ):
        change(old, new)


def _without_manifest(old: tarfile.TarFile, new: tarfile.TarFile) -> None:
    for member in old.getmembers()[:-1]:
        new.addfile(member, old.extractfile(member))


def _without_a_file(old: tarfile.TarFile, new: tarfile.TarFile) -> None:
    for member in old.getmembers()[1:]:
        new.addfile(member, old.extractfile(member))


def _with_a_way_out(old: tarfile.TarFile, new: tarfile.TarFile) -> None:
    new.addfile(tarfile.TarInfo("../outside"), io.BytesIO(b""))
    _without_a_file(old, new)


def _with_a_link(old: tarfile.TarFile, new: tarfile.TarFile) -> None:
    link = tarfile.TarInfo("config.toml")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
    new.addfile(link)
    _without_a_file(old, new)


@pytest.mark.parametrize(
    "change", [_without_manifest, _without_a_file, _with_a_way_out, _with_a_link], ids=lambda each: each.__name__
)
def test_a_backup_that_was_changed_is_refused(
    tmp_path: Path, stores: Stores, backup: Path, change: Callable[[tarfile.TarFile, tarfile.TarFile], None]
) -> None:
    """And leaves nothing behind."""
    rewritten(backup, change)
    with stores.open(tmp_path / "x") as anywhere:
        anywhere.path = tmp_path / "back"
        with pytest.raises(InvalidInput):
            bring_back(anywhere, backup)
    assert not (tmp_path / "back").exists()
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.97])
def test_a_backup_that_was_cut_short_is_refused(stores: Stores, full: Path, backup: Path, share: float) -> None:
    """Wherever it was cut."""
    data = backup.read_bytes()
    backup.write_bytes(data[: int(len(data) * share)])
    with stores.open(full) as home, pytest.raises(InvalidInput):
        check_backup(home, backup)


def test_a_backup_of_a_newer_hardwon_is_refused(stores: Stores, full: Path, backup: Path) -> None:
    """With a word to upgrade."""
    with gzip.open(backup, "wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
        data = json.dumps({"format": "hardwon-backup", "version": 2}).encode()
        member = tarfile.TarInfo("manifest.json")
        member.size = len(data)
        tar.addfile(member, io.BytesIO(data))
    with stores.open(full) as home, pytest.raises(NewerFormat, match="upgrade"):
        check_backup(home, backup)


def test_a_backup_is_of_one_moment(tmp_path: Path, stores: Stores, full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written while it is made is in it whole or not at all: here the lock holds it back."""
    held: list[str] = []
    with stores.open(full) as home:
        storage = home.storage
        real = storage.operation

        def operation(why: str) -> AbstractContextManager[None]:
            held.append(why)
            return real(why)

        monkeypatch.setitem(storage.__dict__, "operation", operation)
        back_up(home, tmp_path / "memory.backup")
        storage.memories.put([memory("later")])
    assert held == ["Back up"]
