"""Whether the memory says a thing already, in the same words: case, marks and spaces aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.memory import Status
from hardwon.kernel.plain_words import plain_words
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


class KnownWords:
    """The words of the memories that hold in a project; each project is read once."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._words: dict[str | None, tuple[set[str], set[str]]] = {}

    def holds(self, entry: MemoryEntry, *, archived_too: bool) -> bool:
        """Tell whether a memory of the project, or one that holds everywhere, says the same."""
        standing, archived = self._of(entry.scope.project)
        words = plain_words(entry.content)
        return words in standing or (archived_too and words in archived)

    def add(self, entry: MemoryEntry) -> None:
        """Learn what is about to be kept."""
        self._of(entry.scope.project)[0].add(plain_words(entry.content))

    def _of(self, project: str | None) -> tuple[set[str], set[str]]:
        """Return the words of what stands and of what lies in the archive."""
        if project not in self._words:
            self._words[project] = self._read(project)
        return self._words[project]

    def _read(self, project: str | None) -> tuple[set[str], set[str]]:
        words: tuple[set[str], set[str]] = (set(), set())
        if self._home.exists:
            names = (None, *load_projects(self._home).names(project)) if project else (None,)
            for entry in self._home.storage.memories.scan(Filter(projects=names, statuses=None)):
                words[entry.status is Status.ARCHIVED].add(plain_words(entry.content))
        return words
