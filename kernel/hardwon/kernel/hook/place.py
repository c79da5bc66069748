"""Where a session takes place: its project by every name, and what a reader there sees."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hardwon.kernel.hook.data import stamp_of
from hardwon.kernel.identity import identify
from hardwon.kernel.project_names import DOCUMENT, ProjectBook, book_of, visible_names
from hardwon.kernel.regular_file import read_regular_text
from hardwon.kernel.surroundings import Surroundings


@dataclass(slots=True)
class Place:
    """A folder's project."""

    project: str | None
    names: tuple[str, ...]
    """Every name that it and the projects that it is a package of have."""
    visible: tuple[str | None, ...]
    """The names of projects whose memories are seen here; outside of any project those that belong to none."""
    surroundings: Surroundings
    """What it is made of."""


def place_of(home: str, data: Mapping[str, Any], folder: str) -> Place:
    """Return where a folder lies. Raises InvalidInput, OSError for a broken .hardwon.toml or list of projects."""
    identity = identify(folder)
    if identity is None:
        return Place(None, (), (None,), Surroundings(folder, None))
    book = _book(home, data).seen_from(identity, lambda name: True)
    visible = visible_names(book, identity.key) or (None,)
    names = tuple(name for name in visible if name is not None)
    return Place(book.canonical(identity.key), names, visible, Surroundings(os.path.realpath(folder), identity.root))


def _book(home: str, data: Mapping[str, Any]) -> ProjectBook:
    """Return the list of other names: as `setup` kept it, or read again where it was edited since."""
    path = f"{home}/memory/{DOCUMENT}"
    stamp = stamp_of(path)
    if stamp is None:
        return ProjectBook({})
    if stamp == data.get("names_stamp"):
        return ProjectBook(data["names"])
    return book_of(read_regular_text(path))
