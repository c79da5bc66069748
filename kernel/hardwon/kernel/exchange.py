"""Lets two files or folders change places in one step, so that a kill at any moment leaves one of them there.

Linux has `renameat2` for it (since 3.15), macOS `renamex_np`; Python offers neither.
"""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path

CANNOT = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EXDEV})
"""How a system or a disk says that it cannot do this: most network drives, FAT."""
_AT_WORKING_FOLDER = -100
_EXCHANGE = 2
"""Linux: RENAME_EXCHANGE of renameat2; macOS: RENAME_SWAP of renamex_np."""


def exchange(one: Path, other: Path) -> None:
    """Let two files or folders change places. Raises OSError, of an errno in CANNOT where that cannot be done here."""
    import ctypes

    call = _system_call()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(other))
    if call(os.fsencode(one), os.fsencode(other)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(other))


@functools.cache
def _system_call() -> Callable[[bytes, bytes], int] | None:
    """Return what exchanges two files on this system; None where nothing does."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        swap = getattr(library, "renamex_np", None)
        return None if swap is None else lambda one, other: int(swap(one, other, ctypes.c_uint(_EXCHANGE)))
    rename = getattr(library, "renameat2", None)
    if rename is None:
        return None
    here = ctypes.c_int(_AT_WORKING_FOLDER)
    return lambda one, other: int(rename(here, one, here, other, ctypes.c_uint(_EXCHANGE)))
