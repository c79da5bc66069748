"""Puts a file in place of the very version that it is meant to replace, or leaves what somebody saved meanwhile.

Looking first and renaming then leaves a moment in which an editor may save, whose text would be gone. So the new file
and the old one change places in one step, the old one is looked at in peace, and it goes back where it is not the one
that was meant. Where a file system cannot do that (network drives, FAT), the look comes right before the rename.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

from hardwon.kernel import whole_file
from hardwon.kernel.errors import Conflict, StoreError
from hardwon.stores.files.disk import Stat, stat_of

_AT_WORKING_FOLDER = -100
_EXCHANGE = 2
"""Linux: RENAME_EXCHANGE of renameat2; macOS: RENAME_SWAP of renamex_np."""
_CANNOT = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EXDEV)


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
        _exchange(aside, path)
    except FileNotFoundError:
        raise changed_meanwhile(path) from None
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
        _look_and_rename(aside, path, expected)
        return
    if expected.is_alike(stat_of(aside)):
        aside.unlink()
        return
    _exchange(aside, path)
    if ours is None or not ours.is_alike(stat_of(aside)):  # somebody saved once more: the newer text stays
        _exchange(aside, path)
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
        if error.errno not in _CANNOT:
            raise
        _look_and_rename(aside, path, None)
        return
    aside.unlink()


def _look_and_rename(aside: Path, path: Path, expected: Stat | None) -> None:
    found = stat_of(path)
    if found != expected and (expected is None or not expected.is_alike(found)):
        raise changed_meanwhile(path)
    aside.replace(path)


@functools.cache
def _system_call() -> Callable[[bytes, bytes], int] | None:
    """Return what exchanges two files on this system; None where nothing does."""
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        swap = getattr(library, "renamex_np", None)
        return None if swap is None else lambda one, other: int(swap(one, other, ctypes.c_uint(_EXCHANGE)))
    rename = getattr(library, "renameat2", None)
    if rename is None:
        return None
    here = ctypes.c_int(_AT_WORKING_FOLDER)
    return lambda one, other: int(rename(here, one, here, other, ctypes.c_uint(_EXCHANGE)))


def _exchange(one: Path, other: Path) -> None:
    """Let two files change places. Raises OSError, of an errno in `_CANNOT` where that cannot be done here."""
    call = _system_call()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(other))
    if call(os.fsencode(one), os.fsencode(other)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(other))
