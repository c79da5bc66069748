"""Projects and their aliases: two names of one project never count as two projects.

The list is a document beside the memories, `projects.toml`, which people may edit. Nothing is rewritten when an alias
is added: names are resolved when they are read, so that taking an alias away undoes it.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.query import Filter

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.identity import ProjectIdentity
    from hardwon.kernel.memory import MemoryEntry

DOCUMENT = "projects.toml"
_HEAD = """# The projects' other names: imported names, old remotes, old paths. `name = "key"`; edit freely.
version = 1

[aliases]
"""


@dataclass(frozen=True)
class ProjectBook:
    """Which names mean which project. `aliases` maps another name to the project's key."""

    aliases: Mapping[str, str]

    def canonical(self, name: str | None) -> str | None:
        """Return the project's key; a package (`key/package`) follows its project."""
        if name is None:
            return None
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            name = self.aliases.get(name, name)
        parent, slash, package = name.rpartition("/")
        if slash and parent in self.aliases:
            return f"{self.canonical(parent)}/{package}"
        return name

    def names(self, key: str) -> tuple[str, ...]:
        """Return every name of a project, its key first; a package has one under each name of its project."""
        canonical = self.canonical(key) or key
        others = {name for name in self.aliases if self.canonical(name) == canonical and name != canonical}
        parent, slash, package = canonical.rpartition("/")
        if slash:
            others.update(f"{name}/{package}" for name in self.names(parent)[1:])
        return (canonical, *sorted(others))

    def resolved(self, entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
        """Return the entries with their project's key in place of another name."""
        return [
            entry
            if self.canonical(entry.scope.project) == entry.scope.project
            else entry.model_copy(
                update={"scope": entry.scope.model_copy(update={"project": self.canonical(entry.scope.project)})}
            )
            for entry in entries
        ]

    def with_alias(self, name: str, key: str) -> ProjectBook:
        """Return a book in which `name` means the project `key`. Raises InvalidInput for a circle."""
        target = self.canonical(key)
        if target == name or target is None:
            raise InvalidInput(f"“{name}” is already a name of {target}; choose the other one as the project's key.")
        return ProjectBook({**self.aliases, name: target})


def load_projects(home: Home) -> ProjectBook:
    """Read the list. Raises InvalidInput when a person's edit broke it."""
    text = home.storage.documents.read(DOCUMENT)
    if text is None:
        return ProjectBook({})
    try:
        aliases = tomllib.loads(text.removeprefix("\ufeff")).get("aliases", {})
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"memory/{DOCUMENT} is no valid TOML ({error}); mend that line.") from None
    return ProjectBook({str(name): str(key) for name, key in aliases.items()})


def save_projects(home: Home, book: ProjectBook) -> None:
    """Write the list."""
    lines = (f"{_quoted(name)} = {_quoted(key)}\n" for name, key in sorted(book.aliases.items()))
    home.storage.documents.write(DOCUMENT, _HEAD + "".join(lines))


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
    if identity is not None:
        for name in _earlier_names(home, identity, book):
            book = book.with_alias(name, identity.key)
    return book


def claim(home: Home, identity: ProjectIdentity) -> str:
    """Return a project's key before something is written for it; the names it had before become aliases."""
    book = seen_from(home, identity)
    earlier = sorted(book.aliases.keys() - load_projects(home).aliases.keys())
    if earlier:
        with home.storage.operation(f"Project {identity.key} was called {', '.join(earlier)}"):
            save_projects(home, book)
    return book.canonical(identity.key) or identity.key


def _earlier_names(home: Home, identity: ProjectIdentity, book: ProjectBook) -> list[str]:
    """Return the names of a project before it had its present one under which there are memories."""
    return [
        name
        for name in identity.other_names
        if book.canonical(name) == name and book.canonical(identity.key) != name and has_memories(home, name)
    ]
