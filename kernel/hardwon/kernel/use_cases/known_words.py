"""Whether the memory says a thing already, in the same words: case, marks and spaces aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.plain_words import plain_words
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


class KnownWords:
    """The words of the memories that hold in a project; each project is read once."""

    def __init__(self, home: Home, *, archived_too: bool) -> None:
        self._home = home
        self._archived_too = archived_too
        self._words: dict[str | None, set[str]] = {}

    def holds(self, entry: MemoryEntry) -> bool:
        """Tell whether a memory of the project, or one that holds everywhere, says the same."""
        return plain_words(entry.content) in self._of(entry.scope.project)

    def add(self, entry: MemoryEntry) -> None:
        """Learn what is about to be kept."""
        self._of(entry.scope.project).add(plain_words(entry.content))

    def _of(self, project: str | None) -> set[str]:
        if project not in self._words:
            self._words[project] = self._read(project)
        return self._words[project]

    def _read(self, project: str | None) -> set[str]:
        if not self._home.exists:
            return set()
        names = (None, *load_projects(self._home).names(project)) if project else (None,)
        wanted = Filter(projects=names, statuses=None) if self._archived_too else Filter(projects=names)
        standing = self._home.storage.memories.scan(wanted)
        return {plain_words(entry.content) for entry in standing}
