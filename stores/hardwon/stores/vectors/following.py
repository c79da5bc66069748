"""Brings a collection up to date by what changed: in the store's documents, and in the vectors that it keeps."""

from __future__ import annotations

import random
from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hardwon.stores.vectors.collection import Collection
from hardwon.stores.vectors.planes import planes_of
from hardwon.stores.vectors.segment import Segment, segment_of
from hardwon.stores.vectors.texts import Numbers, Texts, texts_of

if TYPE_CHECKING:
    from hardwon.kernel.ports import Vectors

AT_ONCE = 20_000
"""Texts whose vectors are asked for while somebody waits: some 0.3 s where all exist, 0.05 s where none does."""
NEWEST = 1000
"""Of those, texts of the newest documents, which are looked for each time."""


class State(Protocol):
    """Where the documents of a store stand (`hardwon.stores.search.changes`)."""

    @property
    def birth(self) -> str:
        """Return the name of the tables: of others, no number means anything."""
        ...

    @property
    def last(self) -> int:
        """Return the number of the last change."""
        ...

    @property
    def documents(self) -> int:
        """Return how many documents there are."""
        ...


class Changes(Protocol):
    """What changed among the documents of a store (`hardwon.stores.search.changes`)."""

    def at_once(self) -> AbstractContextManager[None]:
        """Let everything that is read inside be of one state."""
        ...

    def state(self) -> State:
        """Return where the documents stand."""
        ...

    def removed(self, since: int) -> Iterable[int]:
        """Walk the numbers that were removed after a change."""
        ...

    def written(self, since: int) -> Iterable[tuple[int, str]]:
        """Walk the documents that were written after a change: the number, and the keys of its vectors."""
        ...


def followed(collection: Collection, changes: Changes) -> Collection:
    """Return the collection with the documents as the store now has them; what is new of them waits for its vectors."""
    with changes.at_once():
        state = changes.state()
        if collection.birth == state.birth and collection.last == state.last:
            return collection
        if collection.birth != state.birth or collection.last > state.last:
            return _taken(_empty(collection), state, changes)
        found = _taken(collection, state, changes)
        if found.documents != state.documents:
            # What is known here does not lead to what the store has, as after a restored backup.
            found = _taken(_empty(collection), state, changes)
        return found


def _empty(collection: Collection) -> Collection:
    return Collection(collection.space, collection.dimensions)


def _taken(collection: Collection, state: State, changes: Changes) -> Collection:
    """Take in what was written and removed since the last change that is known."""
    rows = list(changes.written(collection.last))
    removed = np.array(list(changes.removed(collection.last)), np.int64)
    texts = texts_of(rows)
    written = np.array([number for number, _ in rows], np.int64)
    if collection.last < 0:
        known, documents = collection, len(written)
    else:
        known, texts, documents = _replaced(collection, written, removed, texts)
    return replace(
        known,
        birth=state.birth,
        last=state.last,
        documents=documents,
        waiting=np.concatenate([known.waiting, texts]),
        unsaved=known.unsaved + len(texts),
    )


def _replaced(
    collection: Collection, written: Numbers, removed: Numbers, texts: Texts
) -> tuple[Collection, Texts, int]:
    """Take out what these documents had; return what is left, the texts that are new, and how many documents there are.

    A document whose texts are what they were stays as it is: most changes are not to what a memory says.
    """
    gone = np.setdiff1d(removed, written)
    before = collection.texts_of(written)
    known = len(np.unique(before["number"]))
    documents = collection.documents + len(written) - known - _known(collection, gone)
    same = _same(before, texts)
    touched = np.concatenate([np.setdiff1d(written, same), gone])
    return collection.without(touched), texts[~np.isin(texts["number"], same)], documents


def _known(collection: Collection, numbers: Numbers) -> int:
    return len(np.unique(collection.texts_of(numbers)["number"]))


def _same(before: Texts, after: Texts) -> Numbers:
    """Return the documents that have the same texts before and after."""
    if not len(before):
        return np.empty(0, np.int64)
    had, has = _by_number(before), _by_number(after)
    return np.array([number for number, texts in has.items() if had.get(number) == texts], np.int64)


def _by_number(texts: Texts) -> dict[int, set[tuple[int, bytes]]]:
    found: dict[int, set[tuple[int, bytes]]] = {}
    for number, language, key in texts.tolist():
        found.setdefault(number, set()).add((language, key))
    return found


def filled(collection: Collection, vectors: Vectors, most: int = AT_ONCE) -> Collection:
    """Return the collection with the vectors that texts which waited have now; at most so many are looked up."""
    if not len(collection.waiting):
        return collection
    chosen = _chosen(collection.waiting, most)
    texts = collection.waiting[chosen]
    keys = [key.decode("ascii") for key in np.unique(texts["key"]).tolist()]
    size = collection.dimensions * 4
    found = {key.encode("ascii"): raw for key, raw in vectors.fetch(collection.space, keys).items() if len(raw) == size}
    has = np.array([key in found for key in texts["key"].tolist()], np.bool_)
    if not has.any():
        return collection
    waiting = np.delete(collection.waiting, chosen[has])
    return replace(collection, waiting=waiting).joined(_segments(texts[has], found))


def _chosen(waiting: Texts, most: int) -> np.typing.NDArray[np.intp]:
    """Return the places of the texts to look for: all, or the newest and a stretch of the others by chance."""
    if len(waiting) <= most:
        return np.arange(len(waiting))
    start = random.randrange(len(waiting))  # noqa: S311 - no secret
    stretch = (start + np.arange(most - NEWEST)) % len(waiting)
    return np.union1d(stretch, np.argpartition(-waiting["number"], NEWEST)[:NEWEST])


def _segments(texts: Texts, found: dict[bytes, bytes]) -> list[Segment]:
    """Return a segment for each language of texts that have a vector."""
    segments = []
    for language in np.unique(texts["language"]):
        own = texts[texts["language"] == language]
        raw = b"".join(found[key] for key in own["key"].tolist())
        rows = np.frombuffer(raw, "<f4").reshape(len(own), -1).astype(np.float32, copy=False)
        segments.append(segment_of(own, planes_of(rows)))
    return segments
