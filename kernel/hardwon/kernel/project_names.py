"""The names of projects, and what a reader in one of them sees. No pydantic: the hook program asks too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from hardwon.kernel.identity import ProjectIdentity
    from hardwon.kernel.memory import MemoryEntry

DOCUMENT = "projects.toml"


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

    def seen_from(self, identity: ProjectIdentity, has_memories: Callable[[str], bool]) -> ProjectBook:
        """Return the book as a reader in a project's folder has to take it.

        Memories that carry the name it had before (its folder, until it got a remote) are its own.
        """
        book = self
        for name in identity.other_names:
            if book.canonical(name) == name and book.canonical(identity.key) != name and has_memories(name):
                book = book.with_alias(name, identity.key)
        return book


def visible_projects(project: str | None) -> tuple[str | None, ...] | None:
    """Return the projects whose memories a reader sees: its own, those it is a package of, and none; None for all."""
    if project is None:
        return None
    parts = project.split("/")
    return (None, *("/".join(parts[:length]) for length in range(len(parts), 0, -1)))


def visible_names(book: ProjectBook, project: str | None) -> tuple[str | None, ...] | None:
    """Return the visible projects by every name that their memories may carry; None for all."""
    if project is None:
        return None
    visible = visible_projects(book.canonical(project)) or ()
    names = (name for each in visible for name in (book.names(each) if each else (None,)))
    return tuple(dict.fromkeys(names))


def book_of(text: str) -> ProjectBook:
    """Read the list of other names. Raises InvalidInput when a person's edit broke it."""
    import tomllib

    try:
        aliases = tomllib.loads(text.removeprefix("\ufeff")).get("aliases", {})
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidInput(f"memory/{DOCUMENT} is no valid TOML ({error}); mend that line.") from None
    if not isinstance(aliases, dict):
        raise InvalidInput(f"memory/{DOCUMENT} has no table of aliases; write `[aliases]` above its lines.")
    return ProjectBook({str(name): str(key) for name, key in aliases.items()})
