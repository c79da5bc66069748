"""Waits until a file is on its disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hardwon.kernel.errors import StoreError


def sync(path: Path) -> None:
    """Wait until what was written to a file would survive a power cut. Raises StoreError.

    SQLite holds no lock on a write-ahead log, so that opening and closing it here takes none away. A log that is gone
    was copied into the file, which SQLite has waited for.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unsure(path, error) from None
    try:
        _flush(descriptor)
    except OSError as error:
        raise _unsure(path, error) from None
    finally:
        os.close(descriptor)


def _flush(descriptor: int) -> None:
    if sys.platform == "darwin":  # fsync leaves it in the drive's own memory there
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    elif hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
    else:
        os.fsync(descriptor)


def _unsure(path: Path, error: OSError) -> StoreError:
    return StoreError(f"It was written, but {path} may not survive a power cut ({error.strerror}); check the disk.")
