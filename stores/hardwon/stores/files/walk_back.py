"""Walks the git history backwards for the contents that files had, following each through its renames."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import UnreadableFile
from hardwon.stores.files.notes.fields import read_entry
from hardwon.stores.files.notes.frontmatter import parse
from hardwon.stores.files.notes.layout import is_memory, is_named_after, place_of
from hardwon.stores.files.taking_in.deletions import FILE, read_deletions

if TYPE_CHECKING:
    from hardwon.stores.files.git.repository import Repository

WRONG_CLOCK = timedelta(days=1)
_FARTHEST = 9_000_000_000
"""Seconds from 1970, to 1684 or 2255: git takes a commit of any time, and a date has four figures for its year."""
Difference = Mapping[str, tuple[str | None, str | None]]
"""What a commit changed: by path, git's names of the contents before and after."""


@dataclass(frozen=True)
class Followed:
    """A memory, and where its file lies in the last commit."""

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


def walk_back(repository: Repository, followed: Sequence[Followed], after: datetime | None = None) -> list[Replaced]:
    """Return the contents that these files had before the last commit, of each memory the newest first.

    `after`: the walk ends a day before that moment; a clock may have been wrong by as much.
    """
    head = repository.head()
    if head is None or not followed:
        return []
    end = float("-inf") if after is None else after.timestamp() - WRONG_CLOCK.total_seconds()
    way = _WayBack(repository)
    pending = {head: {each.path: each.id for each in followed}}
    queue = [(0, head)]
    while queue:
        _, commit = heapq.heappop(queue)
        for parent, those in way.step(commit, pending.pop(commit)).items():
            moment = _time_of(repository, parent)
            if not those or _time_of(repository, commit) < end:
                continue
            if parent not in pending:
                heapq.heappush(queue, (-moment, parent))
            pending.setdefault(parent, {}).update(those)
    return way.found


class _WayBack:
    """The steps from commits to their parents, and what was found in between."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self.found: list[Replaced] = []

    def step(self, commit: str, followed: dict[str, str]) -> dict[str, dict[str, str]]:
        """Note what a commit replaced; return which files, by path the id, are followed on in which parent."""
        parents = _parents(self._repository, commit)
        if not parents:
            return {}
        first, *others = parents
        difference = self._repository.changes(commit, first)
        changed = {path: followed.pop(path) for path in difference if path in followed}
        onwards = {first: followed}
        for parent in others if changed else ():
            also = self._repository.changes(commit, parent)
            onwards[parent] = {path: changed.pop(path) for path in list(changed) if path not in also}
        removed = _Removed(self._repository, difference)
        for path, id in changed.items():
            before = self._before(id, path, difference, removed, first)
            if before is not None:
                self._note(commit, id, before, difference[before][0])
                followed[before] = id
        return onwards

    def _before(self, id: str, path: str, difference: Difference, removed: _Removed, parent: str) -> str | None:
        """Return where a file that a commit changed lay before; None where it was not there."""
        if difference[path][0] is not None:
            return path
        return removed.path_of(id) or (path if self._was_deleted_by_hand(id, parent) else None)

    def _note(self, commit: str, id: str, path: str, content: str | None) -> None:
        if content is not None:
            seconds = min(max(_time_of(self._repository, commit), -_FARTHEST), _FARTHEST)
            until = datetime.fromtimestamp(seconds, UTC)
            why = self._repository.message(commit).partition("\n")[0]
            self.found.append(Replaced(id, path, content, until, why))

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
