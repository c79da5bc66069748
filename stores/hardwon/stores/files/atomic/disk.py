"""Files of the truth on disk: written aside and renamed, for their owner alone, and found again by a walk."""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from hardwon.kernel import whole_file
from hardwon.kernel.errors import StoreError
from hardwon.stores.search.statements import stat_values, time_value

LARGEST = 16 * 1024 * 1024
"""Bytes; what is larger is an attachment, left to the person."""

_TICK, _SECONDS = 20_000_000, 2_000_000_000
"""Nanoseconds: twice the longest tick of a kernel, and the step of file systems that keep whole seconds."""


class Stat(NamedTuple):
    """What tells whether a file may have changed. A tuple, since a walk makes one for every file."""

    size: int
    mtime_ns: int
    inode: int
    changed_ns: int = 0
    """When anything about the file last changed, its name too: what hides an edit by giving it its old time back shows
    here. As git does, it is passed over where only what wrote the file can have changed it."""

    @classmethod
    def of(cls, found: os.stat_result) -> Stat:
        """Return the part of a stat that counts."""
        return cls(*stat_values(found.st_size, found.st_mtime_ns, found.st_ino), time_value(found.st_ctime_ns))

    def is_alike(self, other: Stat | None) -> bool:
        """Tell whether a file is the same but for when anything about it changed, such as its name."""
        return other is not None and self[:3] == other[:3]

    def may_hide_a_change(self, now: int) -> bool:
        """Tell whether the file changed so lately that a change to come may leave it with the same times."""
        return is_recent(self.mtime_ns, now) or is_recent(self.changed_ns, now)


def stat_of(path: Path | str) -> Stat | None:
    """Return the stat of a regular file; None when there is none."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return Stat.of(found) if stat.S_ISREG(found.st_mode) else None


def write_whole(path: Path, data: bytes, *, durable: bool, named: str = whole_file.ASIDE) -> Stat:
    """Write a file whole or not at all; `durable` waits until it would survive a power cut. Raises StoreError.

    `named`: how its name begins until it is whole.
    """
    try:
        return Stat.of(whole_file.write_whole(path, data, durable=durable, named=named))
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}); make room or permit it, then repeat.") from None


def sync_file_system(folder: Path, paths: Iterable[Path]) -> None:
    """Wait until files of one file system would survive a power cut, at once and not one by one. Raises StoreError."""
    try:
        if not _sync_whole(folder):
            paths = list(paths)
            for path in (*paths, *{path.parent for path in paths}):
                whole_file.sync_folder(path)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written ({error.strerror}); make room, then repeat.") from None


def _sync_whole(folder: Path) -> bool:
    """Have the system write all that is not yet on the disk of a folder; False where it has no call for that."""
    try:
        sync = ctypes.CDLL(None, use_errno=True).syncfs
    except (OSError, AttributeError):
        return False
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if sync(descriptor):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return True
    finally:
        os.close(descriptor)


def is_recent(mtime_ns: int, now: int) -> bool:
    """Tell whether a file changed so lately that a change to come may leave it with the same time.

    A file system that keeps whole seconds counts them by two; others go by the kernel's tick.
    """
    return mtime_ns > now - (_SECONDS if mtime_ns % 1_000_000_000 == 0 else _TICK)


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
