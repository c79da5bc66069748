"""Paths as people type them."""

from __future__ import annotations

import os
from pathlib import Path


def expanded(path: Path) -> Path:
    """Return a path with `~` as the home directory; where nobody knows that, `~` is a name like others."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - pathlib raises RuntimeError
