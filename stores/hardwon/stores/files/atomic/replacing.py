"""Puts a file in place of the very version that it is meant to replace, or leaves what somebody saved meanwhile.

Looking first and renaming then leaves a moment in which an editor may save, whose text would be gone. So the new file
and the old one change places in one step, the old one is looked at in peace, and it goes back where it is not the one
that was meant. Where a file system cannot do that (network drives, FAT), the look comes right before the rename.
"""

from __future__ import annotations

import functools
import os
from pathlib import Path

from hardwon.kernel import whole_file
from hardwon.kernel.errors import Conflict, StoreError
from hardwon.kernel.exchange import CANNOT, exchange
from hardwon.stores.files.atomic.disk import Stat, stat_of


def write_expected(path: Path, data: bytes, expected: Stat | None, *, durable: bool) -> Stat:
    """Write a file whole in place of the version that is expected there (None: nothing).

    Raises Conflict, leaving what is there, and StoreError.
    """
    try:
        put = functools.partial(_put_in_place, expected=expected)
        return Stat.of(whole_file.write_whole(path, data, durable=durable, put=put))
    except OSError as error:
        raise StoreError(f"{path} cannot be written ({error.strerror}); make room or permit it, then repeat.") from None


def remove(path: Path, root: Path, expected: Stat | None) -> None:
    """Remove a file that is as expected, and the folders below `root` that it leaves empty.

    Raises Conflict, leaving what is there, and StoreError.
    """
    try:
        _take_away(path, expected)
    except OSError as error:
        raise StoreError(f"{path} cannot be removed ({error.strerror}); permit it, then repeat.") from None
    for folder in path.parents:
        if folder == root:
            return
        try:
            folder.rmdir()
        except OSError:
            return


def _put_in_place(aside: Path, path: Path, expected: Stat | None) -> None:
    """Rename a file into its place if that is as expected (None: nothing there). Raises Conflict, OSError.

    What stood there before is gone afterwards; after a Conflict `aside` is what it was.
    """
    if expected is None:
        _put_new(aside, path)
        return
    ours = stat_of(aside)
    try:
        exchange(aside, path)
    except FileNotFoundError:
        raise changed_meanwhile(path) from None
    except OSError as error:
        if error.errno not in CANNOT:
            raise
        _look_and_rename(aside, path, expected)
        return
    if expected.is_alike(stat_of(aside)):
        aside.unlink()
        return
    exchange(aside, path)
    if ours is None or not ours.is_alike(stat_of(aside)):  # somebody saved once more: the newer text stays
        exchange(aside, path)
    raise changed_meanwhile(path)


def _take_away(path: Path, expected: Stat | None) -> None:
    """Remove a file that is as expected; one that is gone already is passed over. Raises Conflict, OSError."""
    if expected is None:
        if stat_of(path) is not None:
            raise changed_meanwhile(path)
        return
    aside = path.with_name(f"{whole_file.ASIDE}{os.getpid()}-removed")
    try:
        path.rename(aside)
    except FileNotFoundError:
        return
    if not expected.is_alike(stat_of(aside)):
        _put_new(aside, path)
        raise changed_meanwhile(path)
    aside.unlink()


def changed_meanwhile(path: Path) -> Conflict:
    """Return the error for a file that somebody changed while ours was made."""
    return Conflict(f"{path} was changed by someone else meanwhile; repeat the command.")


def _put_new(aside: Path, path: Path) -> None:
    """Rename to a name that nobody has. Raises Conflict."""
    try:
        os.link(aside, path)
    except FileExistsError:
        raise changed_meanwhile(path) from None
    except OSError as error:
        if error.errno not in CANNOT:
            raise
        _look_and_rename(aside, path, None)
        return
    aside.unlink()


def _look_and_rename(aside: Path, path: Path, expected: Stat | None) -> None:
    found = stat_of(path)
    if found != expected and (expected is None or not expected.is_alike(found)):
        raise changed_meanwhile(path)
    aside.replace(path)
