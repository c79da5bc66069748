"""Index after index: a new one is built beside the one in use, which goes when nobody has it open any more."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from hardwon.kernel.errors import StoreError
from hardwon.kernel.whole_file import write_whole
from hardwon.stores.files.indexing.index_format import FORMAT_VERSION, NAME, POINTER, current_name, name_of

ENDINGS = ("", "-wal", "-shm", "-journal")
"""How the names of SQLite's files end."""
KEPT_SECONDS = 30 * 24 * 3600
"""How long an index of another format, or a damaged one, is kept after it was last written to."""
_OURS = re.compile(r"index(?:-\d+-\d+|-damaged-[\w-]+)?\.sqlite")


def current_path(home: Path) -> Path | None:
    """Return the path of the index in use; None where nothing names one."""
    name = current_name(str(home))
    return None if name is None else home / name


def next_path(home: Path) -> Path:
    """Return a path that no index of this format had, as far as one is there or named."""
    named = current_name(str(home))
    names = [*(path.name for path in home.glob("index-*.sqlite*")), *([named] if named else [])]
    numbers = [int(found[1]) for name in names if (found := NAME.match(name))]
    return home / name_of(max(numbers, default=0) + 1)


def switch_to(path: Path) -> None:
    """Let this index be the one in use, once it is on disk as a whole. Raises StoreError."""
    try:
        with path.open("rb") as file:
            os.fsync(file.fileno())
        write_whole(path.with_name(POINTER), path.name.encode("ascii") + b"\n", durable=True)
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}); make room or permit it, then repeat.") from None


def remove_index(path: Path) -> None:
    """Remove an index with its side files."""
    for ending in reversed(ENDINGS):
        with contextlib.suppress(OSError):  # what cannot be removed is tried again
            Path(f"{path}{ending}").unlink(missing_ok=True)


def remove_unused(home: Path, *, at_once: bool = False) -> list[Path]:
    """Remove indexes that are not in use and that nobody has open; the caller holds the writers' lock.

    Of another format, or damaged: once they are old, since another program may use the one and a person the other; or
    `at_once`, as when something is forgotten that stands in them: whoever needs one builds it anew.
    """
    gone = []
    current = current_path(home)
    for path in _others(home, current):
        if (at_once or _is_old_enough(path)) and _is_free(path):
            remove_index(path)
            gone.append(path)
    return gone


def _others(home: Path, current: Path | None) -> Iterator[Path]:
    for path in home.glob("index*.sqlite"):
        if path != current and path.is_file() and not path.is_symlink() and _OURS.fullmatch(path.name):
            yield path


def _is_old_enough(path: Path) -> bool:
    if path.name.startswith(f"index-{FORMAT_VERSION}-"):
        return True
    with contextlib.suppress(OSError):
        return time.time() - path.stat().st_mtime > KEPT_SECONDS
    return False


def _is_free(path: Path) -> bool:
    """Tell whether nobody has an index open: SQLite leaves write-ahead logging only for its last user."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=0)) as connection:
            (mode,) = connection.execute("PRAGMA journal_mode = DELETE").fetchone()
            return str(mode) == "delete"
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:  # it is damaged, which nobody can have open and read
        return True
