"""Reads and replaces the files of a harness: links followed, owner and mode kept, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from hardwon.kernel.errors import Conflict, Unavailable
from hardwon.kernel.harness import FileChange
from hardwon.kernel.regular_file import read_regular
from hardwon.kernel.whole_file import sync_folder

NEW_FILE_MODE = 0o600
"""Settings may come to hold a secret."""


def content_of(path: Path) -> bytes | None:
    """Return a file's bytes, None where there is no such file. Raises Unavailable."""
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Unavailable(f"{path} cannot be read ({error.strerror}); mend that and run the command again.") from None


def replace_file(change: FileChange) -> None:
    """Do what a change says, unless the file is no longer as it was when the change was made up.

    Raises Conflict where somebody wrote it meanwhile, Unavailable where it cannot be written.
    """
    target = Path(os.path.realpath(change.path))
    try:
        if change.after is None:
            _require_unchanged(change, target)
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            _replace(change, target, change.after)
    except OSError as error:
        raise Unavailable(
            f"{change.path} cannot be written ({error.strerror}); mend that and run the command again."
        ) from None


def _replace(change: FileChange, target: Path, content: bytes) -> None:
    """Write a file aside and put it in the place of the old one."""
    descriptor, aside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            _like_before(file.fileno(), target)
            os.fsync(file.fileno())
        _require_unchanged(change, target)
        Path(aside).replace(target)
        sync_folder(target.parent)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def _like_before(descriptor: int, target: Path) -> None:
    """Give the new file the mode and, where we may, the owner of the old one."""
    try:
        status = target.stat()
    except FileNotFoundError:
        os.fchmod(descriptor, NEW_FILE_MODE)
        return
    if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        # Only root may give a file away; the harness runs as us and can read it all the same.
        with suppress(PermissionError):
            os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, status.st_mode & 0o7777)


def _require_unchanged(change: FileChange, target: Path) -> None:
    if content_of(target) != change.before:
        raise Conflict(f"{change.path} was changed by somebody else just now; run the command again.")
