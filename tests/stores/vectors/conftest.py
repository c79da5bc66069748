"""A store of documents and vectors in memory, which the layer follows, and what is nearest in it by looking at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.kernel.vector_precision import rounded
from hardwon.stores.search.near import Near
from hardwon.stores.search.space import Space
from hardwon.stores.vectors.arranging import Setting
from hardwon.stores.vectors.collection import Collection
from hardwon.stores.vectors.languages import LANGUAGES

SPACE = "space"
DIMENSIONS = 24
Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Standing:
    """Where the documents stand."""

    birth: str
    last: int
    documents: int


class Store:
    """Documents with texts, of which some have vectors; every change has a number."""

    def __init__(self) -> None:
        self.birth = "born"
        self.last = 0
        self.texts: dict[int, tuple[int, str]] = {}
        self.gone: dict[int, int] = {}
        self.vectors: dict[str, bytes] = {}
        self.is_settled = True
        self.asked = 0
        """Vectors that were asked for."""
        self.read = 0
        """Documents that were read."""

    def put(self, number: int, *keys: str) -> None:
        """Write a document; `keys` are as in `en:…`."""
        self.last += 1
        self.texts[number] = (self.last, " ".join(keys))
        self.gone.pop(number, None)

    def remove(self, number: int) -> None:
        """Remove a document."""
        self.last += 1
        if self.texts.pop(number, None) is not None:
            self.gone[number] = self.last

    def embed(self, key: str, vector: Vector) -> None:
        """Keep the vector of a text."""
        self.vectors[key[3:]] = to_bytes(rounded((vector / np.linalg.norm(vector)).tolist()))

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        yield

    def state(self) -> Standing:
        return Standing(self.birth, self.last, len(self.texts))

    def removed(self, since: int) -> Iterator[int]:
        yield from (number for number, change in self.gone.items() if change > since)

    def written(self, since: int) -> Iterator[tuple[int, str]]:
        for number, (change, keys) in sorted(self.texts.items()):
            if change > since:
                self.read += 1
                yield number, keys

    def fetch(self, space: str, keys: Sequence[str]) -> dict[str, bytes]:
        self.asked += len(keys)
        return {key: self.vectors[key] for key in keys if space == SPACE and key in self.vectors}

    def keep(self, space: str, vectors: Mapping[str, bytes]) -> None:
        raise NotImplementedError

    def spaces(self) -> list[str]:
        return [SPACE]

    def walk(self, space: str) -> Iterator[tuple[str, bytes]]:
        yield from ()

    def cosines(self, question: Vector) -> dict[int, float]:
        """Return of each document that has a vector the cosine of its nearest text."""
        found: dict[int, float] = {}
        for number, (_, keys) in self.texts.items():
            values = [
                float(np.frombuffer(self.vectors[key[3:]], "<f4") @ question)
                for key in keys.split()
                if key[3:] in self.vectors
            ]
            if values:
                found[number] = max(values)
        return found


@pytest.fixture
def store() -> Store:
    """Return an empty store."""
    return Store()


Asking = list[Vector]


@pytest.fixture(scope="session")
def make_store() -> Callable[..., Store]:
    """Return a function that makes a store of documents of one or two texts in clusters, all with vectors."""

    def make(count: int, dimensions: int = DIMENSIONS) -> Store:
        chance = np.random.default_rng(0)
        centres = chance.standard_normal((20, dimensions)) + 2.0
        store = Store()
        for number in range(1, count + 1):
            keys = [f"{LANGUAGES[(number + place) % 2]}:{number:08}-{place}" for place in range(1 + number % 2)]
            store.put(number, *keys)
            for key in keys:
                store.embed(key, (centres[number % 20] + chance.standard_normal(dimensions)).astype(np.float32))
        return store

    return make


@pytest.fixture(scope="session")
def questions() -> Asking:
    """Return vectors to ask by."""
    return asked_by(8)


def asked_by(count: int, dimensions: int = DIMENSIONS) -> Asking:
    chance = np.random.default_rng(1)
    made = chance.standard_normal((count, dimensions)) + 2.0
    return list((made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32))


class Answering:
    """The layer over a store, and whether it answers as the store would."""

    def __init__(self, store: Store, folder: Path | None = None, setting: Setting = "exact") -> None:
        self.store = store
        vectors, changes = cast("Any", store), cast("Any", store)
        self._changes = changes
        self.space = Space(SPACE, DIMENSIONS, vectors, folder, setting)

    def collection(self) -> Collection:
        """Return the collection as the store now is."""
        return self.space.bring_up_to_date(self._changes)

    def arrange(self) -> None:
        """Do the work of the background."""
        self.space.arrange(self._changes)

    def check(self, questions: Asking) -> None:
        """Compare what is nearest, how near each document is and how many there are with the store itself."""
        collection = self.collection()
        for question in questions:
            expected = self.store.cosines(question)
            near = Near(collection, question, None, "scan")
            assert near.count == len(expected)
            order = sorted(expected, key=lambda number: -expected[number])
            best = near.best(10)
            assert [expected[number] for number in best] == pytest.approx(
                [expected[each] for each in order[:10]], abs=1e-5
            )
            for number in [*best, *order[-3:]]:
                measured = near.measured(number)
                assert measured is not None
                assert measured.cosine == pytest.approx(expected[number], abs=1e-5)
            assert near.measured(-5) is None


@pytest.fixture
def answering() -> type[Answering]:
    """Return the class whose instances answer over a store: `answering(store, folder=None, setting="exact")`."""
    return Answering
