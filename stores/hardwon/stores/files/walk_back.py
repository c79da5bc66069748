"""Walks the git history backwards for the contents that files had, following each through its renames."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import UnreadableFile
from hardwon.stores.files.deletions import FILE, read_deletions
from hardwon.stores.files.fields import read_entry
from hardwon.stores.files.frontmatter import parse
from hardwon.stores.files.layout import is_memory, is_named_after, place_of

if TYPE_CHECKING:
    from hardwon.stores.files.repository import Repository

Difference = Mapping[str, tuple[str | None, str | None]]
"""What a commit changed: by path, git's names of the contents before and after."""


@dataclass
class Followed:
    """A memory, and where its file lies in the commit at hand."""

    id: str
    path: str


@dataclass(frozen=True)
class Replaced:
    """A content that a memory's file had until a commit."""

    id: str
    path: str
    content: str
    """Git's name of it."""
    until: datetime
    why: str


def walk_back(repository: Repository, followed: Sequence[Followed]) -> list[Replaced]:
    """Return the contents that these files had before the last commit, of each memory the newest first."""
    head = repository.head()
    if head is None or not followed:
        return []
    way = _WayBack(repository)
    pending = {head: [replace(each) for each in followed]}
    queue = [(0, head)]
    while queue:
        _, commit = heapq.heappop(queue)
        for parent, those in way.step(commit, pending.pop(commit)).items():
            if parent not in pending:
                heapq.heappush(queue, (-_time_of(repository, parent), parent))
            pending.setdefault(parent, []).extend(those)
    return way.found


class _WayBack:
    """The steps from commits to their parents, and what was found in between."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self.found: list[Replaced] = []

    def step(self, commit: str, followed: list[Followed]) -> dict[str, list[Followed]]:
        """Note what a commit replaced; return which files are followed on in which parent."""
        onwards: dict[str, list[Followed]] = {}
        differences = {}
        for parent in _parents(self._repository, commit):
            difference = differences[parent] = self._repository.changes(commit, parent)
            same = [each for each in followed if each.path not in difference]
            followed = [each for each in followed if each.path in difference]
            if same:
                onwards[parent] = same
            if not followed:
                return onwards
        for parent, difference in islice(differences.items(), 1):
            removed = _Removed(self._repository, difference)
            there = [each for each in followed if self._before(each, commit, parent, difference, removed)]
            onwards.setdefault(parent, []).extend(there)
        return {parent: those for parent, those in onwards.items() if those}

    def _before(self, file: Followed, commit: str, parent: str, difference: Difference, removed: _Removed) -> bool:
        """Note what a file said before a commit changed it; tell whether it is to be followed on."""
        before, _ = difference[file.path]
        if before is None:
            origin = removed.path_of(file.id)
            if origin is None:
                return self._was_deleted_by_hand(file.id, parent)
            file.path, before = origin, difference[origin][0]
        assert before is not None, "what was removed was there"
        until = datetime.fromtimestamp(_time_of(self._repository, commit), UTC)
        why = self._repository.message(commit).partition("\n")[0]
        self.found.append(Replaced(file.id, file.path, before, until, why))
        return True

    def _was_deleted_by_hand(self, id: str, commit: str) -> bool:
        """Tell whether a file that is new after a commit only came back: one that was forgotten did not."""
        name = self._repository.name_at(commit, FILE)
        try:
            lines = read_deletions(self._repository.content(name)) if name else []
        except UnreadableFile:
            return False
        return id in {line["id"] for line in lines}


class _Removed:
    """The files of memories that a commit removed, one of which another may be the new name of."""

    def __init__(self, repository: Repository, difference: Difference) -> None:
        self._repository = repository
        self._contents = {
            path: before for path, (before, after) in difference.items() if before and after is None and is_memory(path)
        }

    def path_of(self, id: str) -> str | None:
        """Return where the file of a memory lay: it is named after it or says its id."""
        named = next((path for path in self._contents if is_named_after(id, path)), None)
        return named or self._by_id.get(id)

    @cached_property
    def _by_id(self) -> dict[str, str]:
        found = {}
        for path, name in self._contents.items():
            with suppress(UnreadableFile):
                found[read_entry(parse(self._repository.content(name), path), place_of(path), 0).entry.id] = path
        return found


def _parents(repository: Repository, commit: str) -> list[str]:
    """Return the commits that a commit was made on, the first parent first; of a shallow clone those it has."""
    made: Any = repository.raw[commit]
    return [str(parent) for parent in made.parent_ids if parent in repository.raw]


def _time_of(repository: Repository, commit: str) -> int:
    made: Any = repository.raw[commit]
    return int(made.commit_time)
