"""The house as its tests see it: the folder, its Python files, and all its texts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE_FOLDERS = ("kernel", "stores", "generalizer", "review_queue", "plugins", "tests")
BUILT = {"node_modules", "__pycache__", "dist", "build"}


def files_below(folder: Path) -> list[Path]:
    """Return the files that belong to the project, without caches and what was built."""
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name == ".ci" or (not name.startswith(".") and name not in BUILT)]
        found += [Path(where, name) for name in names]
    return sorted(found)


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def python_files() -> list[Path]:
    """Return every Python file of the project, tests included."""
    return [path for name in CODE_FOLDERS for path in files_below(ROOT / name) if path.suffix == ".py"]


@pytest.fixture(scope="session")
def texts() -> dict[Path, str]:
    """Return every text of the project by its path in it."""
    found = {}
    for path in files_below(ROOT):
        try:
            found[path.relative_to(ROOT)] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return found
