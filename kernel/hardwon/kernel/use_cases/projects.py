"""Projects and their aliases: two names of one project never count as two projects.

The list is a document beside the memories, `projects.toml`, which people may edit. Nothing is rewritten when an alias
is added: names are resolved when they are read, so that taking an alias away undoes it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hardwon.kernel.project_names import DOCUMENT, ProjectBook, book_of, visible_names
from hardwon.kernel.query import Filter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardwon.kernel.home import Home
    from hardwon.kernel.identity import ProjectIdentity

_HEAD = """# The projects' other names: imported names, old remotes, old paths. `name = "key"`; edit freely.
version = 1

[aliases]
"""


def load_projects(home: Home) -> ProjectBook:
    """Read the list. Raises InvalidInput when a person's edit broke it."""
    text = home.storage.documents.read(DOCUMENT)
    if text is None:
        return ProjectBook({})
    return book_of(text)


def save_projects(home: Home, book: ProjectBook) -> None:
    """Write the list."""
    lines = (f"{_quoted(name)} = {_quoted(key)}\n" for name, key in sorted(book.aliases.items()))
    home.storage.documents.write(DOCUMENT, _HEAD + "".join(lines), durable=True)


def _quoted(text: str) -> str:
    """Return a TOML string: JSON's form, and DEL escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def known_projects(home: Home, book: ProjectBook) -> dict[str, int]:
    """Return the number of memories of each project, by key, those that are archived left out."""
    counts: dict[str, int] = {}
    for entry in home.storage.memories.scan(Filter()):
        key = book.canonical(entry.scope.project)
        if key is not None:
            counts[key] = counts.get(key, 0) + 1
    return dict(sorted(counts.items()))


def has_memories(home: Home, name: str) -> bool:
    """Tell whether any memory carries exactly this name of a project."""
    return next(iter(home.storage.memories.scan(Filter(projects=(name,), statuses=None))), None) is not None


def seen_from(home: Home, identity: ProjectIdentity | None) -> ProjectBook:
    """Return the list as a reader in a project's folder has to take it; nothing is written.

    Memories that carry the name it had before (its folder, until it got a remote) are its own.
    """
    book = load_projects(home)
    return book if identity is None else book.seen_from(identity, lambda name: has_memories(home, name))


def claim(home: Home, identity: ProjectIdentity) -> str:
    """Return a project's key before something is written for it; the names it had before become aliases."""
    book = seen_from(home, identity)
    earlier = sorted(book.aliases.keys() - load_projects(home).aliases.keys())
    if earlier:
        with home.storage.operation(f"Project {identity.key} was called {', '.join(earlier)}"):
            save_projects(home, book)
    return book.canonical(identity.key) or identity.key


def closed_among(home: Home, book: ProjectBook, projects: Iterable[str | None]) -> set[str | None]:
    """Return those projects whose lessons never become part of a rule: they, or what they are packages of, say so."""
    closed = {name for name, each in home.settings.projects.items() if not each.generalize}
    return {project for project in set(projects) if not closed.isdisjoint(visible_names(book, project) or ())}
