"""Backup: the whole home in one file, as of one moment, while others write.

A store whose truth lies in the home copies that itself; of any other one an archive is taken along, read under a
snapshot where the store has them, else under the writers' lock. What is derived stays behind and is built anew.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, NotFound
from hardwon.kernel.home import FORMAT_VERSION
from hardwon.kernel.kept_where import ASIDE, Places
from hardwon.kernel.ports import Backed, Snapshots
from hardwon.kernel.use_cases.moving.backup_file import Manifest, pack
from hardwon.kernel.use_cases.moving.exporting import archive_lines

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.records import Problem

ARCHIVE = "archive.jsonl"
DERIVED = (ASIDE, "vectors", "vectors.sqlite*", "replica.sqlite*", "model-answers", "lock", "*.lock", ".hardwon-*")
"""What is not taken along: it is built anew, is nobody's memory, or was set aside."""


@dataclass(frozen=True)
class BackedUp:
    """A backup that was made."""

    path: Path
    manifest: Manifest
    size: int
    """Bytes."""
    problems: tuple[Problem, ...]
    """What could not be taken along."""


def back_up(home: Home, to: Path) -> BackedUp:
    """Write a backup into a file, or into a folder under a name of its own. Raises NotFound, Conflict, StoreError."""
    home.require()
    now = home.clock.now()
    path = to / f"hardwon-{now:%Y-%m-%dT%H-%M-%S}.backup" if to.is_dir() else to
    if path.exists():
        raise Conflict(f"There is something at {path} already; name another file.")
    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}; make it, or name another place.")
    problems: list[Problem] = []
    with _folder_beside(path) as folder:
        # First what waits to be taken in: what is taken meanwhile is then in both, and known again.
        _copy_own_files(home, folder)
        kind = _copy_store(home, folder, problems)
        number = sum(1 for each in folder.rglob("*") if each.is_file())
        manifest = Manifest(home.settings.store, now.isoformat(), kind, FORMAT_VERSION)
        with home.console.track("Packing", number) as advance:
            pack(folder, path, manifest, advance)
    return BackedUp(path, manifest, path.stat().st_size, tuple(problems))


@contextlib.contextmanager
def _folder_beside(path: Path) -> Iterator[Path]:
    """Give a folder for the owner alone, on the disk that the backup is written to."""
    folder = Path(tempfile.mkdtemp(prefix=".hardwon-backup-", dir=path.parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy_own_files(home: Home, folder: Path) -> None:
    """Copy what of a home belongs to no store."""
    places = Places(home.path, home.registry.all("store_places"))
    left = {path.name for store in places.patterns for path in places.of(store)}
    for path in sorted(home.path.iterdir()):
        if path.name not in left and not any(fnmatch(path.name, pattern) for pattern in DERIVED):
            _copy(path, folder / path.name)


def _copy(path: Path, to: Path) -> None:
    """Copy a file, or the files in a folder; one that goes meanwhile was taken in."""
    with contextlib.suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            to.mkdir()
            for inside in sorted(path.iterdir()):
                _copy(inside, to / inside.name)
        elif path.is_file():
            shutil.copyfile(path, to)


def _copy_store(home: Home, folder: Path, problems: list[Problem]) -> str:
    storage = home.storage
    if isinstance(storage, Backed):
        storage.backup(folder)
        return "store"
    one_state = storage.snapshot() if isinstance(storage, Snapshots) else storage.operation("Back up")
    with one_state, (folder / ARCHIVE).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in archive_lines(home, problems, vectors=True))
    return "archive"
