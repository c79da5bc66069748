"""Opens the files that people name: a pipe or a device, whose end may never come, is refused and not waited for.

Strings and the standard library alone, since the hook program reads such files too.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from io import BufferedReader
    from pathlib import Path

REFUSED = "it is a folder, a pipe or a device, and no file"


def open_regular(path: str | Path) -> BufferedReader:
    """Open a file for reading, through links. Raises OSError, with REFUSED as its reason for what is no file."""
    _require_regular(os.stat(path), path)  # noqa: PTH116 - the hook program has no time to import pathlib
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        _require_regular(os.fstat(descriptor), path)  # another may have taken its place
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(path: str | Path) -> bytes:
    """Return the bytes of a file. Raises OSError, with REFUSED as its reason for what is no file."""
    with open_regular(path) as file:
        return file.read()


def read_regular_text(path: str | Path) -> str:
    """Return a file of UTF-8, with or without its mark, line ends as LF. Raises OSError, UnicodeDecodeError."""
    return read_regular(path).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def _require_regular(found: os.stat_result, path: str | Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, REFUSED, str(path))
