"""Import of an archive: what an export wrote comes back with its ids, links and decisions, and only once.

What stands in the home already stays as it is there: an archive never overwrites a newer hand. The file is read twice:
first its memories, then all that speaks of them, so that nothing need be held that a later line explains. A memory that
this home knows under another id, by its idempotency key, is meant wherever the archive speaks of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Problem
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.forgotten import load_forgotten, save_forgotten, take_back, traces
from hardwon.kernel.use_cases.moving.parts import Parts
from hardwon.kernel.use_cases.moving.reading import TYPES, Read, check_archive, read_archive
from hardwon.kernel.use_cases.moving.restored import LISTED, Restored, Taken
from hardwon.kernel.use_cases.moving.scratch import Scratch
from hardwon.kernel.use_cases.projects import load_projects, save_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.records import Activity
    from hardwon.kernel.version import Version

AT_ONCE = 500
"""Records that are written together."""
ONE_CHANGE = 32 << 20
"""Bytes up to which an archive is taken in one change of the history, all or nothing; a larger one in many, and where
that is cut off, the same import goes on."""
_FIRST = ("memory", "version", "alias", "forgotten")
_THEN = tuple(type for type in TYPES if type not in _FIRST)


def restore(home: Home, path: Path, *, forgotten_too: bool = False, dry_run: bool = False) -> Restored:
    """Bring an archive into a home; what is there stays. `forgotten_too` takes back what was forgotten here.

    A dry run counts its memories alone. Raises InvalidInput for an archive of a newer version, changing nothing.
    """
    as_a_whole = check_archive(path)
    one_change = path.stat().st_size <= ONE_CHANGE
    with _scratch() as scratch:
        importing = _Import(home, scratch, forgotten_too=forgotten_too, dry_run=dry_run)
        is_one = one_change and not dry_run
        with home.storage.operation(f"Import the archive {path.name}") if is_one else nullcontext():
            importing.memories(path)
            if not dry_run:
                importing.all_else(path)
        if not dry_run:
            importing.activity(path)
    importing.result.failed += as_a_whole
    return importing.result


@contextmanager
def _scratch() -> Iterator[Scratch]:
    scratch = Scratch()
    try:
        yield scratch
    finally:
        scratch.close()


class _Import:
    """One archive on its way into a home."""

    def __init__(self, home: Home, scratch: Scratch, *, forgotten_too: bool, dry_run: bool) -> None:
        self._home = home
        self._scratch = scratch
        self._forgotten_too = forgotten_too
        self._dry_run = dry_run
        self._forgotten = load_forgotten(home) if home.exists and not forgotten_too else set()
        self._aliases: dict[str, str] = {}
        self._traces: set[str] = set()
        self.result = Restored()

    def memories(self, path: Path) -> None:
        """Take the memories with their former states, the names of projects, and what was forgotten."""
        entries: dict[str, MemoryEntry] = {}
        former: dict[str, list[Version]] = {}
        for read in read_archive(path, _FIRST):
            if isinstance(read, Problem):
                self.result.failed.append(read)
            elif read.type == "memory":
                if len(entries) >= AT_ONCE:
                    self._take(entries, former)
                    entries, former = {}, {}
                entries.setdefault(read.value.id, read.value)
            elif read.type == "version":
                self._remember(read, entries, former)
            elif read.type == "alias":
                self._aliases.setdefault(*read.value)
            else:
                self._traces.add(read.value)
        self._take(entries, former)
        if not self._dry_run:
            self._keep_lists()

    def _remember(self, read: Read, entries: dict[str, MemoryEntry], former: dict[str, list[Version]]) -> None:
        if read.value.memory in entries:
            former.setdefault(read.value.memory, []).append(read.value)
        else:
            what = "It is the former state of a memory that is not before it; put it behind that memory's line."
            self.result.failed.append(Problem(where=read.where, what=what))

    def _take(self, entries: dict[str, MemoryEntry], former: dict[str, list[Version]]) -> None:
        """Take some memories, those that are not here."""
        wanted = {id: entry for id, entry in entries.items() if self._forgotten.isdisjoint(traces(entry))}
        left_out = entries.keys() - wanted.keys()
        known = self._known(wanted) if self._home.exists else {}
        fresh = [self._clean(entry) for id, entry in wanted.items() if id not in known]
        self.result.known += len(known)
        self.result.forgotten += len(left_out)
        self._scratch.name(dict.fromkeys(left_out))
        self._scratch.name({id: here.id for id, here in known.items() if here.id != id})
        if not self._dry_run:
            with self._home.storage.operation(f"Import {len(fresh)} memories of an archive"):
                fresh = self._put(fresh)
                self._keep_versions(wanted, known, {entry.id for entry in fresh}, former)
                if self._forgotten_too:
                    take_back(self._home, wanted.values())
        self.result.taken += len(fresh)
        some = fresh[: LISTED - len(self.result.listed)]
        self.result.listed += [Taken(entry.id, entry.external_id, entry.title) for entry in some]

    def _clean(self, entry: MemoryEntry) -> MemoryEntry:
        clean, sorts = redacted(self._home.redactor, entry)
        self.result.redacted += sorts
        return clean

    def _known(self, entries: dict[str, MemoryEntry]) -> dict[str, MemoryEntry]:
        """Return, by their ids in the archive, the memories that the home has."""
        memories = self._home.storage.memories
        known = memories.get(list(entries))
        keys = tuple(
            entry.idempotency_key for id, entry in entries.items() if entry.idempotency_key and id not in known
        )
        standing = memories.scan(Filter(idempotency_keys=keys, statuses=None)) if keys else ()
        by_key = {(each.scope.namespace, each.idempotency_key): each for each in standing}
        for id, entry in entries.items():
            here = by_key.get((entry.scope.namespace, entry.idempotency_key))
            if here and entry.idempotency_key:
                known.setdefault(id, here)
        return known

    def _put(self, fresh: list[MemoryEntry]) -> list[MemoryEntry]:
        """Keep memories; return those that were new. Two of one idempotency key in an archive are one here."""
        kept = self._home.storage.memories.put(fresh)
        self._scratch.name({entry.id: here.id for entry, here in zip(fresh, kept, strict=True) if here.id != entry.id})
        return [here for entry, here in zip(fresh, kept, strict=True) if here.id == entry.id]

    def _keep_versions(
        self,
        wanted: dict[str, MemoryEntry],
        known: dict[str, MemoryEntry],
        fresh: set[str],
        former: dict[str, list[Version]],
    ) -> None:
        """Keep the former states of those that were new, or are here exactly as the archive has them.

        Where a memory went another way here, the states that it had there are none that were believed here.
        """
        kept = []
        for id, versions in former.items():
            here = known.get(id)
            same = here is not None and id in wanted and _called(wanted[id], here.id).revision == here.revision
            if id in fresh or (here and same):
                name = here.id if here else id
                kept += [
                    each.model_copy(update={"memory": name, "entry": _called(each.entry, name)}) for each in versions
                ]
                self.result.versions += len(versions) if id in fresh else 0
        if kept:
            self._home.storage.memories.keep_versions(kept)

    def _keep_lists(self) -> None:
        book = load_projects(self._home)
        aliases = {**self._aliases, **book.aliases}
        if aliases != dict(book.aliases):
            save_projects(self._home, ProjectBook(aliases))
        before = load_forgotten(self._home)
        after = before | self._not_alive(self._traces - before)
        if after != before:
            save_forgotten(self._home, after)

    def _not_alive(self, found: set[str]) -> set[str]:
        """Return those traces that belong to no memory of this home."""
        if not found:
            return found
        everything = self._home.storage.memories.scan(Filter(statuses=None))
        return found.difference(trace for entry in everything for trace in traces(entry))

    def all_else(self, path: Path) -> None:
        """Take what speaks of the memories, each sort some at a time."""
        parts = Parts(self._home, self._scratch, self.result)
        waiting: dict[str, list[Any]] = {}
        for read in read_archive(path, tuple(type for type in _THEN if type != "activity")):
            if isinstance(read, Problem):
                self.result.failed.append(read)
                continue
            some = waiting.setdefault(read.type, [])
            some.append(read.value)
            if len(some) >= AT_ONCE:
                self._keep(parts, read.type, waiting.pop(read.type))
        for type, some in waiting.items():
            self._keep(parts, type, some)

    def _keep(self, parts: Parts, type: str, values: Sequence[Any]) -> None:
        with self._home.storage.operation(f"Import of an archive: {type}"):
            parts.keep(type, values)

    def activity(self, path: Path) -> None:
        """Append what is not recorded yet, each as often as the archive has it."""

        def records() -> Iterator[Activity]:
            for read in read_archive(path, ("activity",)):
                if isinstance(read, Problem):
                    self.result.failed.append(read)
                else:
                    yield read.value

        Parts(self._home, self._scratch, self.result).keep_activity(records())


def _called(entry: MemoryEntry, id: str) -> MemoryEntry:
    return entry if entry.id == id else entry.model_copy(update={"id": id})
