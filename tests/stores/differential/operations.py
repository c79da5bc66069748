"""Random operations as plain data: what hypothesis draws and shrinks, and what each does to a storage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from hardwon.kernel.errors import HardwonError
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry, Status, Times
from hardwon.kernel.ports import Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Scope, Visibility
from hardwon.kernel.version import Version
from hardwon.testing.examples import MOMENT, complete_decision, memory

NEEDLES = ("giraffe", "elephant", "定时任务", "zebra")
DOCUMENTS = ("queue/a.md", "queue/b.md", "notes.md", "名前.md")
DAY = timedelta(days=1)
MANY = 6

ASKED = (
    Filter(),
    Filter(statuses=None),
    Filter(kinds=(Kind.RULE, Kind.LESSON)),
    Filter(projects=("shop", None)),
    Filter(as_of=MOMENT, known_at=MOMENT),
)
"""Filters of questions on the way: what a store holds of an earlier one must not outlive a change."""
Operation = tuple[str, Any]
places = st.integers(0, MANY)
"""Which of the memories put so far, from the newest; beyond them: one that never was."""
odd = (
    "\x00",
    "\x1b",
    "\r",
    "\r\n",
    "\n",
    "\ufeff",
    "\ud800",
    "\udfff",
    "\ufffe",
    "\U0010ffff",
    "---\n",
    "# ",
    ": ",
    "'",
    '"',
    "\\",
)
texts = st.lists(st.characters(exclude_characters="[") | st.sampled_from(odd), max_size=12).map("".join)
"""Of every plane, with what no text may hold; a wikilink is a relation in files alone."""
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
topics = st.lists(st.sampled_from(["a", "a.b", "a.b.c", "ab", "数据.时区", "x y.z"]), max_size=3, unique=True)
days = st.integers(-3, 3) | st.none()
fields = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(Kind),
        "status": st.sampled_from(Status),
        "visibility": st.sampled_from(Visibility),
        "project": st.sampled_from([None, "shop", "github.com/acme/Shop", "shop/package", "äh"]),
        "namespace": st.sampled_from(["default", "team"]),
        "topics": topics.map(tuple),
        "tags": st.lists(texts, max_size=3).map(tuple),
        "external_id": st.none() | texts,
        "idempotency_key": st.sampled_from([None, "k", "K", "l"]),
        "confidence": st.floats(0, 1),
        "metadata": st.dictionaries(texts, json_values, max_size=3),
        "lesson": st.builds(Lesson, cause=st.none() | texts, principle=st.none() | texts),
        "valid": st.tuples(days, days),
    },
)
memories = st.tuples(st.sampled_from(NEEDLES), texts, fields)
edges = st.tuples(places, st.sampled_from(RelationKind), places, st.integers(0, 3), st.booleans())
simple: st.SearchStrategy[Operation] = st.one_of(
    st.tuples(st.just("put"), st.lists(memories, max_size=3)),
    st.tuples(st.just("put"), st.lists(memories, min_size=1, max_size=3)),
    st.tuples(st.just("put_taken"), st.tuples(places, memories)),
    st.tuples(st.just("update"), st.tuples(places, memories, st.sampled_from(["any", "current", "stale"]))),
    st.tuples(st.just("update_wrongly"), st.tuples(places, st.sampled_from(["colour", "confidence", "id"]))),
    st.tuples(st.just("relate"), st.lists(edges, max_size=3)),
    st.tuples(st.just("unrelate"), st.lists(edges, max_size=2)),
    st.tuples(st.just("delete"), st.lists(places, max_size=2)),
    st.tuples(st.just("keep_versions"), st.lists(st.tuples(places, memories, st.integers(1, 9)), max_size=2)),
    st.tuples(st.just("write"), st.tuples(st.sampled_from(DOCUMENTS), texts)),
    st.tuples(st.just("move"), st.tuples(st.sampled_from(DOCUMENTS), st.sampled_from(DOCUMENTS))),
    st.tuples(st.just("decide"), st.integers(0, 4)),
    st.tuples(st.just("append"), st.integers(0, 4)),
    st.tuples(st.just("search"), st.tuples(st.sampled_from(NEEDLES), st.sampled_from(ASKED))),
)
operations: st.SearchStrategy[Operation] = st.one_of(
    simple,
    simple,
    st.tuples(st.just("together"), st.tuples(st.lists(simple, max_size=4), st.booleans())),
    st.tuples(st.just("reopen"), st.none()),
)


class Undone(Exception):
    """What a test raises to have an operation fail."""


@dataclass
class World:
    """One storage, and the ids of what was put, the same in every world that did the same."""

    storage: Storage
    reopen: Callable[[], Storage]
    put: list[str] = field(default_factory=list)

    def do(self, operation: Operation) -> object:
        """Do it; return what came of it: a value, or the name of the error."""
        name, given = operation
        try:
            return getattr(self, f"_{name}")(given)
        except (HardwonError, Undone) as error:
            return type(error).__name__

    def _id(self, place: int) -> str:
        return self.put[-1 - place] if place < len(self.put) else "z" * 18

    def _new_id(self) -> str:
        self.put.append(f"{len(self.put):018}")
        return self.put[-1]

    def _put(self, given: list[Any]) -> object:
        return self.storage.memories.put([made(self._new_id(), each) for each in given])

    def _put_taken(self, given: Any) -> object:
        place, told = given
        return self.storage.memories.put([made(self._new_id(), told), made(self._id(place + 1), told)])

    def _update(self, given: Any) -> object:
        place, told, expected = given
        new = made(self._id(place), told)
        known = self.storage.memories.get([new.id]).get(new.id)
        revision = {"any": None, "current": known.revision if known else "?", "stale": "stale"}[expected]
        changes = {name: getattr(new, name) for name in ("content", *_changed(told))}
        return self.storage.memories.update(new.id, changes, revision)

    def _update_wrongly(self, given: Any) -> object:
        place, name = given
        return self.storage.memories.update(self._id(place), {name: {"confidence": 7, "id": "1" * 18}.get(name, "red")})

    def _edge(self, told: Any) -> Relation:
        source, kind, target, day, is_over = told
        return Relation(
            source=self._id(source),
            kind=kind,
            target=self._id(target),
            note="n" * day or None,
            asserted_at=MOMENT + day * DAY,
            retracted_at=MOMENT + (day + 1) * DAY if is_over else None,
        )

    def _relate(self, given: Any) -> None:
        self.storage.memories.relate([self._edge(each) for each in given])

    def _unrelate(self, given: Any) -> None:
        self.storage.memories.unrelate([self._edge(each) for each in given], MOMENT + 9 * DAY)

    def _delete(self, given: Any) -> None:
        self.storage.memories.delete(list(dict.fromkeys(self._id(place) for place in given)))

    def _keep_versions(self, given: Any) -> None:
        states = [(made(self._id(place), told), day) for place, told, day in given]
        kept = [Version(memory=state.id, entry=state, until=MOMENT + day * DAY) for state, day in states]
        self.storage.memories.keep_versions(kept)

    def _write(self, given: Any) -> None:
        self.storage.documents.write(*given)

    def _move(self, given: Any) -> None:
        self.storage.documents.move(*given)

    def _decide(self, number: int) -> None:
        at = MOMENT + number * DAY
        told = {"id": f"d{number}", "rule": "r", "at": at, "undoes": None, "follows": None}
        self.storage.ledger.decide(complete_decision(f"p{number % 2}", **told))

    def _append(self, number: int) -> None:
        self.storage.ledger.append([Activity(kind=f"kind-{number}", at=MOMENT + number * DAY, details={"n": number})])

    def _search(self, given: Any) -> object:
        needle, filter = given
        found = self.storage.memories.search(Query(text=needle, filter=filter, limit=1000))
        return sorted(each.id for each in found.candidates if each.lexical)

    def _together(self, given: Any) -> object:
        several, fails = given
        with self.storage.operation("Together"):
            done = [self.do(each) for each in several]
            if fails:
                raise Undone
        return done

    def _reopen(self, _: None) -> None:
        self.storage = self.reopen()


def _changed(told: Any) -> list[str]:
    names = {"project": "scope", "namespace": "scope", "valid": "times"}
    return list(dict.fromkeys(names.get(name, name) for name in told[2]))


def made(id: str, told: Any) -> MemoryEntry:
    """Return a memory as it was drawn."""
    needle, text, given = told
    given = dict(given)
    scope = Scope(namespace=given.pop("namespace", "default"), project=given.pop("project", None))
    valid = [None if day is None else MOMENT + day * DAY for day in given.pop("valid", (None, None))]
    times = Times(asserted_at=MOMENT, valid_at=valid[0], valid_until=valid[1])
    return memory(f"{needle}\n{text}", id=id, scope=scope, times=times, **given)
