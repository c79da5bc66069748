"""Which documents hold a term is the same by bitmaps as by the texts themselves, whatever was added, changed, removed.

With chunks of 64 documents, so that a few are full.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.stores.search import bitmaps, document_sets
from hardwon.stores.search.bits import Sums, bits_of, numbers_of
from hardwon.stores.search.document_sets import DocumentSets
from hardwon.stores.search.documents import FACTS
from hardwon.stores.search.postings import Postings

WORDS = ("the", "payment", "retry", "lock", "数据", "库")
PROJECTS = (None, "bank", "shop")
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(1, 100)),
        st.tuples(st.just("change"), st.integers(0, 400)),
        st.tuples(st.just("remove"), st.integers(0, 400)),
        st.tuples(st.just("remove_many"), st.integers(2, 30)),
    ),
    max_size=12,
)
_COLUMNS = "number, id, project, terms, asserted_at"
WEIGHED = st.lists(st.tuples(st.sets(st.integers(0, 3000)), st.integers(1, 31)), max_size=9)


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> Iterator[None]:
    """Make chunks small, and every term that is no rarity common."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("CHUNK", 64), ("SIZE", 8), ("FEWEST", 3), ("_SPARSE", 4)):
            patch.setattr(bitmaps, name, value)
        for name, value in (("CHUNK", 64), ("SIZE", 8), ("RARE", 3), ("COMMON", 20)):
            patch.setattr(document_sets, name, value)
        yield


class Documents:
    """Rows of documents, their postings, and beside them what they say."""

    def __init__(self, seed: int) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        columns = ", ".join(["number INTEGER PRIMARY KEY", "id", *FACTS, "length", "vector_keys", "terms"])
        self.connection.execute(f"CREATE TABLE search_documents({columns})")
        self.postings = Postings(self.connection)
        self.postings.create()
        self.chance = random.Random(seed)
        self.said: dict[int, tuple[str, str | None]] = {}
        self._last = 0

    def put(self, count: int) -> None:
        """Add documents."""
        numbers = [self._last + place for place in range(1, count + 1)]
        self._last += count
        self._write(numbers)

    def change(self, at: int) -> None:
        """Let a document say something else under its number, and lie in some project."""
        number = self._picked(at)
        if number is not None:
            self.postings.remove([str(number)])
            self.connection.execute("DELETE FROM search_documents WHERE number = ?", (number,))
            self._write([number])

    def remove(self, at: int) -> None:
        """Remove a document."""
        number = self._picked(at)
        if number is not None:
            assert self.postings.remove([str(number)]) == [number]
            self.connection.execute("DELETE FROM search_documents WHERE number = ?", (number,))
            del self.said[number]

    def remove_many(self, count: int) -> None:
        """Remove documents all over, at once."""
        numbers = self.chance.sample(sorted(self.said), min(count, len(self.said)))
        self.postings.remove([str(number) for number in numbers])
        for number in numbers:
            self.connection.execute("DELETE FROM search_documents WHERE number = ?", (number,))
            del self.said[number]

    def _picked(self, at: int) -> int | None:
        return sorted(self.said)[at % len(self.said)] if self.said else None

    def _write(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            text = " ".join(self.chance.choices(WORDS, [20, 9, 5, 3, 2, 1], k=4))
            self.said[number] = (text, self.chance.choice(PROJECTS))
            text, project = self.said[number]
            row = (number, str(number), project, text, number)
            sql = f"INSERT INTO search_documents({_COLUMNS}, length) VALUES (?, ?, ?, ?, ?, 4)"
            self.connection.execute(sql, row)
        self.postings.add([(number, 4, self.said[number][0]) for number in numbers])

    def holders(self, term: str) -> list[int]:
        """Return the documents that hold a term, the newest first."""
        return sorted((number for number, (text, _) in self.said.items() if term in text.split()), reverse=True)


@given(CHANGES, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_a_term_is_held_by_the_documents_that_say_it(changes: list[tuple[str, int]], seed: int) -> None:
    documents = Documents(seed)
    for change, argument in changes:
        getattr(documents, change)(argument)
    lookup = DocumentSets(documents.connection)
    frequencies = lookup.frequencies(WORDS)
    for term in WORDS:
        expected = documents.holders(term)
        assert [*numbers_of(lookup.holders(term, frequencies.get(term, 0)))] == expected, term
        assert (term in frequencies) == bool(expected) or term in {"the", "payment"}
    documents.connection.execute("INSERT INTO search_postings(search_postings, rank) VALUES ('integrity-check', 1)")
    documents.connection.close()


@given(CHANGES, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_a_project_has_the_documents_that_lie_in_it(changes: list[tuple[str, int]], seed: int) -> None:
    documents = Documents(seed)
    for change, argument in changes:
        getattr(documents, change)(argument)
    lookup = DocumentSets(documents.connection)
    for wanted in ([None], ["bank"], ["bank", None], ["shop", "nowhere"]):
        expected = sorted((each for each, (_, project) in documents.said.items() if project in wanted), reverse=True)
        assert [*numbers_of(lookup.of_projects(wanted))] == expected
    documents.connection.close()


def test_how_many_hold_a_common_term_is_nearly_right() -> None:
    """Counted in full chunks, and taken to be as common since."""
    documents = Documents(5)
    for _ in range(30):
        documents.put(43)
    lookup = DocumentSets(documents.connection)
    for term, found in lookup.frequencies(WORDS).items():
        assert found == pytest.approx(len(documents.holders(term)), rel=0.15), term


@given(
    st.lists(st.tuples(st.sets(st.integers(0, 3000)), st.integers(1, 31)), max_size=9), st.integers(1, 60), st.data()
)
@settings(max_examples=60, deadline=None)
def test_the_heaviest_documents_are_found(sets: list[tuple[set[int], int]], most: int, data: st.DataObject) -> None:
    """The same as by adding up each document's weights; of equal ones the newest."""
    sums, weights = Sums(), dict[int, int]()
    for numbers, weight in sets:
        sums.add(bits_of(numbers), weight)
        for number in numbers:
            weights[number] = weights.get(number, 0) + weight
    within = data.draw(st.one_of(st.none(), st.sets(st.integers(0, 3000))))
    expected = sorted(
        (number for number in weights if within is None or number in within),
        key=lambda number: (-weights[number], -number),
    )
    assert sums.best(most, None if within is None else bits_of(within)) == expected[:most]
