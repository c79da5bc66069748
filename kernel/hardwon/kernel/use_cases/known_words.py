"""Whether the memory says a thing already: in the same words, or quoting the same words of the same turn.

The quotation counts since a newer extractor may word what an older one took otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Status
from hardwon.kernel.plain_words import plain_words
from hardwon.kernel.query import Filter
from hardwon.kernel.text import index_terms
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

SAME_QUOTATION = 0.6
"""The share of the shorter one's terms that two quotations of one turn have in common, to be one."""
_Turn = tuple[str | None, str | None]


@dataclass
class _Said:
    """What some memories say, and which words of which turns they quote."""

    words: dict[str, str] = field(default_factory=dict)
    """By what is said: the memory that says it first."""
    quotations: dict[_Turn, list[set[str]]] = field(default_factory=dict)

    def add(self, entry: MemoryEntry) -> None:
        """Learn what a memory says."""
        self.words.setdefault(plain_words(entry.content), entry.id)
        if entry.source.session and entry.source.evidence:
            self.quotations.setdefault(_turn(entry), []).append(_quoted(entry))

    def holds(self, entry: MemoryEntry) -> bool:
        """Tell whether one of the memories says the same."""
        if plain_words(entry.content) in self.words:
            return True
        quoted = _quoted(entry)
        return any(_is_same(quoted, each) for each in self.quotations.get(_turn(entry), ()))


class KnownWords:
    """What the memories say that hold in a project; each project is read once."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._said: dict[str | None, tuple[_Said, _Said]] = {}

    def holds(self, entry: MemoryEntry, *, archived_too: bool) -> bool:
        """Tell whether a memory of the project, or one that holds everywhere, says the same."""
        standing, archived = self._of(entry.scope.project)
        return standing.holds(entry) or (archived_too and archived.holds(entry))

    def said_by(self, entry: MemoryEntry) -> str | None:
        """Return the id of the memory that says the same in the same words, archived ones too; None for none."""
        words = plain_words(entry.content)
        return next((each.words[words] for each in self._of(entry.scope.project) if words in each.words), None)

    def add(self, entry: MemoryEntry) -> None:
        """Learn what is about to be kept; an extractor may take two things from one quotation."""
        self._of(entry.scope.project)[0].words.setdefault(plain_words(entry.content), entry.id)

    def _of(self, project: str | None) -> tuple[_Said, _Said]:
        """Return what stands and what lies in the archive."""
        if project not in self._said:
            self._said[project] = (_Said(), _Said())
            for entry in self._memories(project):
                self._said[project][entry.status is Status.ARCHIVED].add(entry)
        return self._said[project]

    def _memories(self, project: str | None) -> Iterable[MemoryEntry]:
        if not self._home.exists:
            return ()
        names = (None, *load_projects(self._home).names(project)) if project else (None,)
        return self._home.storage.memories.scan(Filter(projects=names, statuses=None))


def _turn(entry: MemoryEntry) -> _Turn:
    return entry.source.session, entry.source.turn


def _quoted(entry: MemoryEntry) -> set[str]:
    return set(index_terms(entry.source.evidence or ""))


def _is_same(one: set[str], other: set[str]) -> bool:
    shorter = min(len(one), len(other))
    return shorter > 0 and len(one & other) >= SAME_QUOTATION * shorter
