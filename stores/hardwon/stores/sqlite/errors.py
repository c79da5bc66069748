"""What SQLite says went wrong, in our words: each message says what to do next."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from hardwon.kernel.errors import InvalidInput, StoreBusy, StoreError

PATIENCE = 10.0
"""Seconds to wait for another writer, of this process or of another, before StoreBusy."""

_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_FULL = (sqlite3.SQLITE_FULL,)
_FORBIDDEN = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_AUTH)
_DISK = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOLFS)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def code_of(error: BaseException) -> int | None:
    """Return SQLite's primary result code; None where it gave none."""
    code = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def is_damage(error: BaseException) -> bool:
    """Tell whether an error says that what the file holds is not what was written into it."""
    code = code_of(error)
    if isinstance(error, sqlite3.ProgrammingError):  # such as a connection that another thread closed
        return False
    return code in _DAMAGED or (code is None and isinstance(error, sqlite3.DatabaseError | UnicodeDecodeError))


def is_busy(error: BaseException) -> bool:
    """Tell whether an error says that another one is writing."""
    return code_of(error) in _BUSY


def is_unwritable(error: BaseException) -> bool:
    """Tell whether an error says that the file, or what SQLite keeps beside it, cannot be written here."""
    return code_of(error) in (*_FORBIDDEN, *_FULL, *_DISK)


def in_our_words(error: BaseException, path: Path) -> Exception:
    """Return what to raise for an error that came of using the database at `path`."""
    code = code_of(error)
    if isinstance(error, UnicodeEncodeError | OverflowError):
        return InvalidInput(f"A value cannot be kept ({error}); leave out what is no text and no plain number.")
    if code in _BUSY:
        return busy(path)
    if code in _FULL:
        return StoreError(f"There is no room for {path}; make room on its disk, then repeat: nothing was written.")
    if code in _FORBIDDEN:
        return StoreError(f"{path} may not be written ({error}); permit writing it and its folder, then repeat.")
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_IOERR_SHORT_READ:
        what = "Somebody took it away while another program uses it, or it was cut off"
        return StoreError(f"{path}-wal is not whole. {what}; repeat when every program that uses the memory has ended.")
    if code in _DISK:
        return StoreError(f"{path} cannot be used ({error}); check its disk and the room on it, then repeat.")
    if is_damage(error):
        return damaged(path, str(error))
    return StoreError(f"{path} cannot be used ({error}); run `hardwon doctor`.")


def busy(path: Path, seconds: float = PATIENCE) -> StoreBusy:
    """Return what to raise when another writer took longer than that."""
    return StoreBusy(f"Another program has been writing {path} for more than {seconds:g} s; repeat when it is done.")


def damaged(path: Path, what: str) -> StoreError:
    """Return what to raise when the file is damaged; it is never moved or made anew by itself: it is the truth."""
    return StoreError(
        f"{path} is damaged ({what}) and was left as it is; run `hardwon doctor`, then `hardwon reindex` or "
        "`hardwon restore` as it says."
    )
