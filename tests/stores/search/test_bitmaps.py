"""Which documents hold a term is the same by bitmaps as by the texts themselves, whatever was added, changed, removed.

With chunks of 64 documents, so that a few are full.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hardwon.stores.search import bitmaps, document_sets
from hardwon.stores.search.bits import Sums, bits_of, numbers_of
from hardwon.stores.search.changes import create_birth
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
SIZES = st.lists(st.integers(1, 100), max_size=8)
TIMES = st.none() | st.integers(0, 120)
_COLUMNS = "number, id, project, terms, asserted_at, valid_at"


@contextmanager
def chunks_made_small() -> Iterator[None]:
    """Make chunks small, and every term that is no rarity common."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("CHUNK", 64), ("SIZE", 8), ("FEWEST", 3), ("_SPARSE", 4)):
            patch.setattr(bitmaps, name, value)
        for name, value in (("CHUNK", 64), ("SIZE", 8), ("RARE", 3), ("COMMON", 20), ("FEW", 0), ("LISTED", 150)):
            patch.setattr(document_sets, name, value)
        yield


@pytest.fixture(autouse=True, scope="module")
def small_chunks() -> Iterator[None]:
    with chunks_made_small():
        yield


class Documents:
    """Rows of documents, their postings, and beside them what they say."""

    def __init__(self, seed: int) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        columns = ", ".join(["number INTEGER PRIMARY KEY", "id", *FACTS, "length", "vector_keys", "terms", "changed"])
        self.connection.execute(f"CREATE TABLE search_documents({columns})")
        self.connection.execute("CREATE TABLE search_removals(number INTEGER PRIMARY KEY, changed INTEGER NOT NULL)")
        create_birth(self.connection)
        self.postings = Postings(self.connection)
        self.postings.create()
        self.chance = random.Random(seed)
        self.said: dict[int, tuple[str, str | None]] = {}
        self.times: dict[int, tuple[int, int | None]] = {}
        """When each was asserted, and from when on it is valid: as a rule later, the later it was added."""
        self._last = self._changed = 0

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
            self._forget([number])

    def remove_many(self, count: int) -> None:
        """Remove documents all over, at once."""
        numbers = self.chance.sample(sorted(self.said), min(count, len(self.said)))
        self.postings.remove([str(number) for number in numbers])
        self._forget(numbers)

    def _forget(self, numbers: Sequence[int]) -> None:
        self._changed += 1
        for number in numbers:
            self.connection.execute("DELETE FROM search_documents WHERE number = ?", (number,))
            self.connection.execute("INSERT INTO search_removals VALUES (?, ?)", (number, self._changed))
            del self.said[number]

    def _picked(self, at: int) -> int | None:
        return sorted(self.said)[at % len(self.said)] if self.said else None

    def _write(self, numbers: Sequence[int]) -> None:
        self._changed += 1
        for number in numbers:
            text = " ".join(self.chance.choices(WORDS, [20, 9, 5, 3, 2, 1], k=4))
            self.said[number] = (text, self.chance.choice(PROJECTS))
            text, project = self.said[number]
            asserted, valid = (number // 8 + self.chance.randrange(20) for _ in range(2))
            self.times[number] = (asserted, None if self.chance.random() < 0.005 else valid)
            row = (number, str(number), project, text, *self.times[number], self._changed)
            sql = f"INSERT INTO search_documents({_COLUMNS}, changed, length) VALUES (?, ?, ?, ?, ?, ?, ?, 4)"
            self.connection.execute(sql, row)
        self.postings.add([(number, 4, self.said[number][0]) for number in numbers])

    def holders(self, term: str) -> list[int]:
        """Return the documents that hold a term, the newest first."""
        return sorted((number for number, (text, _) in self.said.items() if term in text.split()), reverse=True)


@given(CHANGES, st.integers(0, 1000))
@example([("put", 1), ("put", 68), ("remove_many", 26)], 0)  # whoever held a common term is gone
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


@pytest.fixture
def counted_by_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no memory be so small that the documents of each term are listed to count them."""
    monkeypatch.setattr(document_sets, "FEW", -1)


ONE_FIXTURE = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(SIZES, st.integers(0, 1000))
@ONE_FIXTURE
def test_a_common_term_is_as_common_since_as_in_the_full_chunks(
    counted_by_chunks: None, sizes: list[int], seed: int
) -> None:
    """Every other one is counted."""
    documents = Documents(seed)
    for count in sizes:
        documents.put(count)
    first = bitmaps.full_chunks(documents.connection) * bitmaps.CHUNK
    everything, full = len(documents.said), len([number for number in documents.said if number < first])
    common = {term for (term,) in documents.connection.execute("SELECT term FROM search_terms")}
    told = DocumentSets(documents.connection).frequencies(WORDS)
    for term in WORDS:
        held = documents.holders(term)
        if term in common:
            known = len([number for number in held if number < first])
            # Documents since are counted in whole bytes: up to eight too many.
            most = min(known * everything // max(1, full - 8), everything)
            assert min(max(1, known * everything // full), everything) <= told[term] <= max(1, most), term
        else:
            assert told.get(term, 0) == len(held), term
    documents.connection.close()


@given(CHANGES, st.integers(0, 1000))
@ONE_FIXTURE
def test_no_more_documents_hold_a_term_than_there_are(
    counted_by_chunks: None, changes: list[tuple[str, int]], seed: int
) -> None:
    """Nor is one forgotten that a document holds, whatever was removed since it was counted."""
    documents = Documents(seed)
    for change, argument in changes:
        getattr(documents, change)(argument)
    told = DocumentSets(documents.connection).frequencies(WORDS)
    assert {term for term in WORDS if documents.holders(term)} <= told.keys()
    assert all(1 <= found <= max(1, len(documents.said)) for found in told.values())
    documents.connection.close()


@given(SIZES, st.integers(0, 1000), TIMES, TIMES)
@settings(max_examples=60)
def test_a_full_chunk_of_which_nothing_was_known_or_valid_yet_is_left_out(
    sizes: list[int], seed: int, known_at: int | None, as_of: int | None
) -> None:
    """And nothing else is: the rest is for the condition on each document."""
    documents = Documents(seed)
    for count in sizes:
        documents.put(count)
    full = bitmaps.full_chunks(documents.connection)
    expected = set()
    for number in documents.said:
        chunk = number // bitmaps.CHUNK
        times = [documents.times[each] for each in documents.said if each // bitmaps.CHUNK == chunk]
        is_known = known_at is None or any(asserted <= known_at for asserted, _ in times)
        is_valid = as_of is None or any(valid is None or valid <= as_of for _, valid in times)
        if chunk >= full or (is_known and is_valid):
            expected.add(number)
    assert let_in(documents, known_at, as_of) == expected
    documents.connection.close()


@given(CHANGES, st.integers(0, 1000), TIMES, TIMES)
@settings(max_examples=60)
def test_what_was_known_and_valid_is_let_in_whatever_changed(
    changes: list[tuple[str, int]], seed: int, known_at: int | None, as_of: int | None
) -> None:
    """Also what took the number of a document that was learned later."""
    documents = Documents(seed)
    for change, argument in changes:
        getattr(documents, change)(argument)
    wanted = {
        number
        for number in documents.said
        for asserted, valid in (documents.times[number],)
        if (known_at is None or asserted <= known_at) and (as_of is None or valid is None or valid <= as_of)
    }
    assert wanted <= let_in(documents, known_at, as_of)
    documents.connection.close()


def let_in(documents: Documents, known_at: int | None, as_of: int | None) -> set[int]:
    """Return the documents that the chunks' times let in."""
    found = DocumentSets(documents.connection).not_after(known_at, as_of)
    return set(documents.said) if found is None else {number for number in documents.said if found >> number & 1}


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
