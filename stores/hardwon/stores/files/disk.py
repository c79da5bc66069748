"""Files of the truth on disk: written aside and renamed, for their owner alone, and found again by a walk."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from hardwon.kernel import whole_file
from hardwon.kernel.errors import StoreError

LARGEST = 16 * 1024 * 1024
"""Bytes; what is larger is an attachment, left to the person."""
LEFTOVER_ENDINGS = ("~", ".tmp", ".swp", ".swo", ".swx", ".part", ".crdownload", ".bak", ".orig")
"""How the names of files end that editors and sync tools leave behind."""


class Stat(NamedTuple):
    """What tells whether a file may have changed. A tuple, since a walk makes one for every file."""

    size: int
    mtime_ns: int
    inode: int

    @classmethod
    def of(cls, found: os.stat_result) -> Stat:
        """Return the part of a stat that counts."""
        return cls(found.st_size, found.st_mtime_ns, found.st_ino)


def stat_of(path: Path | str) -> Stat | None:
    """Return the stat of a regular file; None when there is none."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Stat.of(found) if stat.S_ISREG(found.st_mode) else None


def write_whole(path: Path, data: bytes, *, durable: bool) -> Stat:
    """Write a file whole or not at all; `durable` waits until it would survive a power cut. Raises StoreError."""
    try:
        return Stat.of(whole_file.write_whole(path, data, durable=durable))
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}); make room or permit it, then repeat.") from None


def remove(path: Path, root: Path) -> None:
    """Remove a file, and the folders below `root` that it leaves empty. Raises StoreError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be removed ({error.strerror}); permit it, then repeat.") from None
    for folder in path.parents:
        if folder == root:
            return
        try:
            folder.rmdir()
        except OSError:
            return


@dataclass(slots=True)
class Walk:
    """What a walk found: files by their path below the root, and folders that could not be looked into."""

    files: dict[str, Stat]
    unreachable: list[str]
    folders: dict[str, int]
    """When names in a folder last changed (nanoseconds), by its path below the root with a `/` at the end."""
    too_large: list[str]
    """Files that are passed over for their size."""


def walk(root: Path) -> Walk:
    """Find every regular file below `root`, except what is hidden, temporary or larger than 16 MB.

    Symbolic links are not followed: they would lead out of the memory. Raises OSError when `root` itself is not there.
    """
    result = Walk({}, [], {}, [])
    _scan(str(root), "", result)
    return result


def _scan(folder: str, prefix: str, result: Walk) -> None:
    folders: list[tuple[str, str]] = []
    files = result.files
    result.folders[prefix] = os.stat(folder).st_mtime_ns  # noqa: PTH116 - before its names are read
    with os.scandir(folder) as entries:
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append((entry.path, f"{prefix}{name}/"))
            elif (name.endswith(".md") or not name.endswith(LEFTOVER_ENDINGS)) and (found := _stat_entry(entry)):
                if found.st_size > LARGEST:
                    result.too_large.append(prefix + name)
                else:
                    files[prefix + name] = Stat(found.st_size, found.st_mtime_ns, found.st_ino)
    for path, below in folders:
        try:
            _scan(path, below, result)
        except OSError:
            result.unreachable.append(below)


def _stat_entry(entry: os.DirEntry[str]) -> os.stat_result | None:
    """Return the stat of a regular file of ours; None for what is gone, or named in no encoding."""
    try:
        found = entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) and is_text(entry.name) else None


def is_text(name: str) -> bool:
    """Tell whether a name is one that UTF-8 can write; others come from a system with another encoding."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def remove_leftovers(root: Path) -> None:
    """Remove files that were never renamed into their place; only for whoever holds the writers' lock."""
    for path in _leftovers(root):
        path.unlink(missing_ok=True)


def _leftovers(root: Path) -> Iterator[Path]:
    return root.rglob(f"{whole_file.ASIDE}*")
