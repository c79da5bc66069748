"""Writes a file whole or not at all: aside, then renamed into its place. Whoever replaces a file does it here.

The hook's spool alone has the same of its own, on the fewest modules. After a power cut a file that was renamed without
having been waited for may be there and empty. So what nobody could make again is written `durable`; whatever is not
must be known by its reader when it is damaged, and be made anew.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

ASIDE = ".hardwon-aside-"
"""How the name of a file begins that is not yet in its place; its process's number follows."""


def write_whole(
    path: Path,
    data: bytes | Iterable[bytes],
    *,
    durable: bool,
    put: Callable[[Path, Path], object] = lambda aside, path: aside.replace(path),
    named: str = ASIDE,
) -> os.stat_result:
    """Write a file for its owner alone, making its folders; `durable` waits until it would survive a power cut.

    `put` renames the whole file into its place; `named`: how its name begins until then. Returns the file's stat.
    Raises OSError, or what the parts of `data` or `put` raise; then the old file is there as before.
    """
    aside = path.with_name(f"{named}{os.getpid()}-{threading.get_ident()}")
    try:
        descriptor = _open_aside(aside, path.parent)
        try:
            for part in (data,) if isinstance(data, bytes) else data:
                _write_all(descriptor, part)
            if durable:
                os.fsync(descriptor)
            found = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        put(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise
    if durable:
        sync_folder(path.parent)
    return found


def _open_aside(aside: Path, folder: Path) -> int:
    """Open a new file; one of this name is a leftover, or a link that somebody laid there, and is not written into."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        return os.open(aside, flags, 0o600)
    except FileExistsError:
        aside.unlink()
    except FileNotFoundError:
        _make_folder(folder)
    return os.open(aside, flags, 0o600)


def _make_folder(folder: Path) -> None:
    """Make a folder for its owner alone, and those above it that are missing."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except FileNotFoundError:
        _make_folder(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def put_whole(aside: Path, path: Path) -> None:
    """Put a file in its place that another library wrote aside, once it would survive a power cut. Raises OSError."""
    aside.chmod(0o600)
    sync_folder(aside)  # of a file, its content
    aside.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder would survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def clear_leftovers(folder: Path) -> None:
    """Remove what processes left in a folder that ended before they had renamed it into its place."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f"{ASIDE}*"):
            if not is_alive(path.name.removeprefix(ASIDE).partition("-")[0]):
                path.unlink(missing_ok=True)


def is_alive(process: str) -> bool:
    """Tell whether a process of this machine runs, by its number."""
    try:
        os.kill(int(process), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:  # it is another user's
        return True
    return True
