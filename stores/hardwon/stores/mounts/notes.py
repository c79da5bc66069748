"""All mounted folders of a home, as recall asks them (`hardwon.kernel.ports.MountedNotes`)."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hardwon.kernel.candidate import Found
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import StoreError
from hardwon.kernel.mounts import Mount, load_mounts
from hardwon.kernel.records import Problem
from hardwon.stores.mounts.index import MountIndex, Reading, Standing
from hardwon.stores.mounts.tables import index_path, opened
from hardwon.stores.mounts.walking import UNREADABLE

if TYPE_CHECKING:
    from pathlib import Path

    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.query import Query

LOOKING = 0.25
"""Seconds that a question spends on looking for what changed in a folder: enough for 40,000 notes on a local disk. What
is not looked at by then, the background worker and `hardwon mount` take in."""
PATIENCE = 2.0
"""Seconds that a question spends on what changed on disk; what is left is looked at by the next one."""


class Notes:
    """Every door opens the indexes anew: nothing is held between two questions, so any thread may ask."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def search(self, query: Query) -> Found:
        """Return the passages that the query's filter lets in, unranked, and what could not be looked at."""
        result = Found([])
        for mount in load_mounts(self._home.path):
            filter = query.filter
            may_see, project = mount.project_for(filter.projects)
            if not may_see or filter.namespace not in (None, mount.namespace):
                continue
            free = filter.model_copy(update={"projects": None, "namespace": None})
            try:
                with self._index(mount) as (index, may_write):
                    result.notes += self._brought_up_to_date(mount, index, may_write=may_write)
                    candidates = index.search(query.model_copy(update={"filter": free, "by_words": True})).candidates
            except StoreError as error:
                result.notes.append(f"The mounted folder {mount.path} was not looked at: {error}")
                continue
            for candidate in candidates:
                candidate.project = project
            result.candidates += candidates
        return result

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those passages whose note still stands as it was read, by id.

        None of a folder whose index cannot be used, which `search` says.
        """
        found: dict[str, MemoryEntry] = {}
        for mount in load_mounts(self._home.path):
            with contextlib.suppress(StoreError), self._index(mount) as (index, _):
                project = mount.projects[0] if mount.projects else None
                for id, entry in index.get(ids).items():
                    scope = entry.scope.model_copy(update={"project": project, "namespace": mount.namespace})
                    found[id] = entry.model_copy(update={"scope": scope})
        return found

    def refresh(self, mount: Mount) -> Standing:
        """Bring the index of a folder up to date, however long it takes, and show how far it is. Raises StoreError."""
        with self._index(mount) as (index, may_write):
            if not may_write:
                return index.standing()
            label = f"Reading {mount.path}"
            return index.refresh(self._reading(track=lambda total: self._home.console.track(label, total)))

    def refresh_all(self) -> None:
        """Take in what changed in all of them; one that cannot be looked at, `doctor` tells of."""
        for mount in load_mounts(self._home.path):
            with contextlib.suppress(StoreError):
                self.refresh(mount)

    def problems(self) -> list[Problem]:
        """Return which folders cannot be reached or searched, and which of their files cannot be read."""
        return [problem for mount in load_mounts(self._home.path) for problem in self._problems_of(mount)]

    def _problems_of(self, mount: Mount) -> Iterator[Problem]:
        try:
            with self._index(mount) as (index, _):
                standing = index.standing()
        except StoreError as error:
            yield Problem(where=mount.path, what=str(error))
            return
        if standing.is_away:
            yield Problem(where=mount.path, what=away(standing))
            return
        for path, reason in sorted(standing.passed.items()):
            if reason.startswith(UNREADABLE):
                yield Problem(where=f"{mount.path}/{path}", what=f"{reason}; permit it, and it is found.")

    def _brought_up_to_date(self, mount: Mount, index: MountIndex, *, may_write: bool) -> list[str]:
        """Bring an index up to date; return what of the folder is not in it, a sentence each."""
        if not may_write:
            return [f"The index of {mount.path} cannot be written to: what is new there is not found yet."]
        try:
            standing = index.refresh(self._reading(looking=LOOKING, until=time.monotonic() + PATIENCE))
        except sqlite3.OperationalError as error:
            return [f"The index of {mount.path} cannot be brought up to date ({error}); what is new is not found yet."]
        if standing.is_away:
            return [f"The mounted folder {mount.path} was not looked at: {away(standing)}"]
        notes = []
        if standing.left_out:
            folders = counted(standing.left_out, "folder was", "folders were")
            notes.append(
                f"{mount.path} is large: {folders} not looked at, and what changed there since is not found yet; "
                "`hardwon mount` looks at all of it, or mount the part that holds notes."
            )
        if standing.waiting:
            changed = counted(standing.waiting, "changed note is", "changed notes are")
            notes.append(f"{changed} not read yet of {mount.path}; `hardwon mount` reads the rest.")
        return notes

    def _reading(self, **how: Any) -> Reading:
        return Reading(lambda: self._home.redactor, self._home.clock.now(), **how)

    @contextmanager
    def _index(self, mount: Mount) -> Iterator[tuple[MountIndex, bool]]:
        with opened(index_path(self._home.path, mount.path)) as (connection, may_write):
            yield MountIndex(connection, mount.path, own_folders(self._home.path)), may_write


def own_folders(home: Path) -> frozenset[str]:
    """Return the folders that are the memory's own, wherever a mounted folder holds them."""
    return frozenset(os.path.realpath(path) for path in (home, home / "memory"))


def away(standing: Standing) -> str:
    """Return a sentence on a folder that is not there."""
    notes = counted(standing.notes, "note", "notes")
    return f"It is not there, or empty; its {notes} will be found again when it is back."
