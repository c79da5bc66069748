"""A copy of the file as of one moment, while others read and write it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from hardwon.kernel.errors import StoreError
from hardwon.kernel.whole_file import sync_folder
from hardwon.stores.sqlite.errors import in_our_words
from hardwon.stores.sqlite.place import readable
from hardwon.stores.sqlite.syncing import sync


def copy(path: Path, to: Path) -> None:
    """Write the state of a file to another one, whole or not at all, for its owner alone. Raises StoreError.

    It survives a power cut; what stands at `to` is replaced.
    """
    aside = to.with_name(f"{to.name}.part")
    try:
        aside.unlink(missing_ok=True)
        os.close(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        _copy(path, aside)
        sync(aside)
        aside.replace(to)
        sync_folder(to.parent)
    except OSError as error:
        raise StoreError(f"{to} cannot be written ({error.strerror}); make room or permit it, then repeat.") from None
    except sqlite3.Error as error:
        raise in_our_words(error, to) from None
    finally:
        with contextlib.suppress(OSError):
            aside.unlink()


def _copy(path: Path, aside: Path) -> None:
    source = readable(path).connect()
    try:
        target = sqlite3.connect(aside)
        try:
            source.backup(target)
        finally:
            target.close()
    finally:
        source.close()
