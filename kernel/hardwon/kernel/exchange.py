"""Lets two folders take each other's place in one step, so that a kill at any moment leaves one of them there.

Linux has `renameat2` for it (since 3.15), macOS `renamex_np`; Python offers neither.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

_HERE = -100
"""AT_FDCWD: a path is as it is written."""
_EXCHANGE = 2
"""RENAME_EXCHANGE, and RENAME_SWAP on macOS."""
_CANNOT = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EXDEV})


def exchange(one: Path, other: Path) -> bool:
    """Exchange two folders of one disk; False where this system or its disk cannot. Raises OSError."""
    import ctypes

    library = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    if sys.platform == "linux" and hasattr(library, "renameat2"):
        failed = library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE)
    elif sys.platform == "darwin" and hasattr(library, "renamex_np"):
        failed = library.renamex_np(*names, _EXCHANGE)
    else:
        return False
    if not failed:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(other))
