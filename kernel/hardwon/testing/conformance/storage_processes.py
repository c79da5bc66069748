"""StorageProcessesConformance: writers in several processes, and a writer that is killed between any two calls.

The children are forks, which take no time to start; where the system has none, this suite is skipped. Nothing of the
storage is open when they begin.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing.connection import Connection

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.version import Version
from hardwon.testing.examples import MOMENT, complete_decision, memory
from hardwon.testing.fakes import FakeStorage

MakeStorage = Callable[[], Storage]
EVERYTHING = Filter(statuses=None)
WRITERS, TURNS = 3, 4
PATIENCE = 60.0
"""Seconds after which a child that says nothing fails the test."""


def entries(number: int) -> list[MemoryEntry]:
    """Return the same memories in every process."""
    ids = (f"{each:018}" for each in range(number))
    return [memory(f"giraffe {place}", id=id, at=MOMENT + timedelta(seconds=place)) for place, id in enumerate(ids)]


def edge(source: MemoryEntry, target: MemoryEntry) -> Relation:
    """Return an edge between two of them."""
    return Relation(source=source.id, kind=RelationKind.SUPERSEDES, target=target.id, asserted_at=MOMENT)


def calls(storage: Storage) -> list[Callable[[], object]]:
    """Return one call of each sort that changes the truth, in an order in which each finds what it needs."""
    first, second, third, fourth = entries(4)
    memories, former = storage.memories, first.model_copy(update={"content": "giraffe before"})
    return [
        lambda: memories.put([first, second]),
        lambda: memories.relate([edge(second, first)]),
        lambda: memories.update(first.id, {"content": "elephant", "topics": ["moved"]}),
        lambda: memories.keep_versions([Version(memory=first.id, entry=former, until=MOMENT)]),
        lambda: storage.documents.write("queue/a.md", "text"),
        lambda: storage.documents.move("queue/a.md", "queue/b.md"),
        lambda: storage.ledger.decide(complete_decision(id="d1", rule="r1")),
        lambda: memories.put([third, fourth]),
        lambda: memories.unrelate([edge(second, first)], MOMENT + timedelta(days=1)),
        lambda: memories.delete([fourth.id]),
    ]


def truth(storage: Storage) -> dict[str, object]:
    """Return everything that those calls change."""
    memories = storage.memories
    kept = list(memories.scan(EVERYTHING))
    return {
        "memories": kept,
        "edges": list(memories.edges()),
        "versions": sorted((each.memory, each.entry.content) for each in memories.versions()),
        "found": {
            word: sorted(each.id for each in memories.search(Query(text=word)).candidates if each.lexical)
            for word in ("giraffe", "elephant")
        },
        "topics": [(each.topic, each.count) for each in memories.topics()],
        "documents": {name: storage.documents.read(name) for name in storage.documents.names("")},
        "decisions": storage.ledger.decisions(),
    }


def _killed_after(make_storage: MakeStorage, number: int, within: bool, told: Connection) -> None:
    """Make so many calls, tell of each that was acknowledged, and die; `within`: all of them in one operation."""
    storage = make_storage()
    if within:
        with storage.operation("Cut off"):
            for call in calls(storage)[:number]:
                call()
            os.kill(os.getpid(), signal.SIGKILL)
    for call in calls(storage)[:number]:
        call()
        told.send("done")
    os.kill(os.getpid(), signal.SIGKILL)


def _write(make_storage: MakeStorage, number: int, start: object, told: Connection) -> None:
    """Put memories of its own, count in a document, and change the one that all of them want to change."""
    storage = make_storage()
    told.send("ready")
    start.wait(PATIENCE)  # type: ignore[attr-defined]
    contested = entries(1)[0]
    for turn in range(TURNS):
        storage.memories.put([memory(f"writer {number} turn {turn}", idempotency_key=f"turn {turn}")])
        [own] = storage.memories.put([memory(f"own {number} {turn}")])
        told.send(own.id)
        with storage.operation("Count"):
            before = int(storage.documents.read("count") or "0")
            storage.documents.write("count", str(before + 1))
    try:
        storage.memories.update(contested.id, {"content": f"by {number}"}, contested.revision)
        told.send("won")
    except Conflict:
        told.send("lost")
    storage.close()


@contextmanager
def _children(target: Callable[..., None], arguments: Sequence[tuple[object, ...]]) -> Iterator[list[Connection]]:
    """Run a child for each of the arguments; yield what they tell, and see that all of them end."""
    context = multiprocessing.get_context("fork")
    pipes = [context.Pipe(duplex=False) for _ in arguments]
    running = [
        context.Process(target=target, args=(*given, told), daemon=True)
        for given, (_, told) in zip(arguments, pipes, strict=True)
    ]
    with warnings.catch_warnings():
        # Threads of a library may be running, but none that holds a lock of ours.
        warnings.simplefilter("ignore", DeprecationWarning)
        for child in running:
            child.start()
    for _, told in pipes:
        told.close()
    try:
        yield [heard for heard, _ in pipes]
    finally:
        for child, (heard, _) in zip(running, pipes, strict=True):
            child.join(PATIENCE)
            child.kill()
            child.join()
            child.close()
            heard.close()


def _heard(pipe: Connection) -> list[str]:
    """Return everything that a child told before it ended."""
    told = []
    while True:
        assert pipe.poll(PATIENCE), "a child says nothing any more"
        try:
            told.append(pipe.recv())
        except EOFError:
            return told


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
class StorageProcessesConformance:
    """What a Storage promises to several processes. Give the fixture `make_storage`, as to StorageConformance."""

    @pytest.fixture
    def make_storage(self) -> MakeStorage:
        """Return what opens the storage, at first empty; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `make_storage` that returns a function.")

    @pytest.mark.parametrize("number", range(11))
    def test_a_writer_killed_between_two_calls_loses_nothing(self, make_storage: MakeStorage, number: int) -> None:
        """What was acknowledged stands as in a storage that did the same and was closed; the next write works."""
        wanted = FakeStorage()
        for call in calls(wanted)[:number]:
            call()
        with _children(_killed_after, [(make_storage, number, False)]) as [heard]:
            assert _heard(heard) == ["done"] * number
        storage = make_storage()
        assert truth(storage) == truth(wanted)
        for call in calls(storage)[number:]:
            call()
        for call in calls(wanted)[number:]:
            call()
        assert truth(storage) == truth(wanted)
        storage.close()

    @pytest.mark.parametrize("number", [1, 4, 10])
    def test_a_writer_killed_within_an_operation_leaves_nothing(self, make_storage: MakeStorage, number: int) -> None:
        """All of an operation is true, or none of it."""
        with _children(_killed_after, [(make_storage, number, True)]) as [heard]:
            assert _heard(heard) == []
        storage = make_storage()
        empty = truth(storage)
        assert not any((empty["memories"], empty["edges"], empty["documents"], empty["decisions"], empty["topics"]))
        for call in calls(storage):
            call()
        storage.close()

    def test_processes_write_at_once(self, make_storage: MakeStorage) -> None:
        """Nothing acknowledged is lost, keys are kept once, operations take turns, one of several updates is made."""
        storage = make_storage()
        if "concurrent-writers" not in storage.memories.capabilities:
            pytest.skip("this store does not claim concurrent writers")
        storage.memories.put(entries(1))
        storage.close()
        start = multiprocessing.get_context("fork").Event()
        with _children(_write, [(make_storage, number, start) for number in range(WRITERS)]) as pipes:
            for pipe in pipes:
                assert pipe.poll(PATIENCE), "a child did not open the storage"
                assert pipe.recv() == "ready"
            start.set()
            told = [each for pipe in pipes for each in _heard(pipe)]
        storage = make_storage()
        acknowledged = {each for each in told if each not in ("won", "lost")}
        assert (told.count("won"), told.count("lost")) == (1, WRITERS - 1)
        assert len(acknowledged) == WRITERS * TURNS
        assert set(storage.memories.get(list(acknowledged))) == acknowledged
        assert len(list(storage.memories.scan(EVERYTHING))) == 1 + WRITERS * TURNS + TURNS
        assert storage.documents.read("count") == str(WRITERS * TURNS)
        assert len(storage.memories.versions([entries(1)[0].id])) == ("history" in storage.memories.capabilities)
        storage.close()
