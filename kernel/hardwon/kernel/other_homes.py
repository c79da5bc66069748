"""Other places where a memory may lie: a variable that is set in one shell and not in the other, a folder that moved.

A new memory that begins beside a full one looks as if everything had been lost. So whoever finds none, or makes one, is
told of the others.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

SET_ASIDE = ".before-restore-"
"""Stands between the name of a home that a restore set aside and the moment of that."""

_USUAL = (
    ("XDG_DATA_HOME", "hardwon"),
    ("HOME", ".local/share/hardwon"),
    ("HOME", "Library/Application Support/hardwon"),
    ("HARDWON_HOME", ""),
)
"""Variables, and what lies below the folder that they name."""


def other_homes(home: Path, version_file: str, more: Iterable[Path] = ()) -> list[Path]:
    """Return the homes that are there, beside this one, where they usually lie."""
    named = [Path(os.environ[variable], below) for variable, below in _USUAL if os.environ.get(variable)]
    found = [path for path in dict.fromkeys([*named, *more]) if path.is_absolute() and path != home]
    return [path for path in found if (path / version_file).is_file() and not _is_same(path, home)]


def _set_aside(home: Path, version_file: str) -> list[Path]:
    """Return the homes that `restore --replace` set aside beside this one, the newest first."""
    try:
        beside = [path for path in home.parent.iterdir() if path.name.startswith(f"{home.name}{SET_ASIDE}")]
    except OSError:  # no folder, or one that nobody may list: then nothing is known to lie there
        return []
    return sorted((path for path in beside if (path / version_file).is_file()), reverse=True)


def told_aside(home: Path, version_file: str) -> str:
    """Return how one that was set aside comes back, as a sentence with a blank before it; nothing where none is."""
    aside = _set_aside(home, version_file)
    return (
        f" A restore set one aside at `{aside[0]}`; let it take the place of `{home}` to have it back." if aside else ""
    )


def _is_same(path: Path, home: Path) -> bool:
    return path.resolve() == home.resolve()


def told(others: Iterable[Path]) -> str:
    """Return what is said of others, as a sentence with a blank before it; nothing where there are none."""
    paths = [f"`{path}`" for path in others]
    return f" There is a memory at {' and at '.join(paths)}: --home or $HARDWON_HOME names it." if paths else ""
