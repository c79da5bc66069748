"""Search by meaning helps where it can, and keyword search goes on, saying so, where it cannot."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.errors import Unavailable
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.ports import Embedder, Role
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.use_cases.embedding import searched_texts, task_key, to_bytes, vector_key
from hardwon.kernel.vector_precision import rounded
from hardwon.stores.search.dense import DenseStage
from hardwon.stores.search.vectors import VectorFile
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeEmbedder

Searching = Callable[..., Any]
ENTRIES = [memory("retry the payment"), memory("the cache was stale"), memory("clocks of two hosts differed")]


@pytest.fixture
def vectors(tmp_path: Path) -> Iterator[VectorFile]:
    file = VectorFile(tmp_path / "vectors.sqlite")
    yield file
    file.close()


def embed(vectors: VectorFile, embedder: Embedder, entries: Sequence[MemoryEntry]) -> None:
    texts = [*SENTENCES, *(text for entry in entries for text in searched_texts(entry))]
    made = [*embedder.embed(texts, "passage"), *embedder.embed(TASKS, "query")]
    keys = [*map(vector_key, texts), *map(task_key, TASKS)]
    vectors.keep(embedder.name, {key: to_bytes(rounded(vector)) for key, vector in zip(keys, made, strict=True)})


def test_what_shares_no_word_is_found_by_meaning(searched: Searching, vectors: VectorFile) -> None:
    """The fake embedder takes texts of like letters for like ones."""
    embedder = FakeEmbedder()
    embed(vectors, embedder, ENTRIES)
    memories = searched(ENTRIES, DenseStage(vectors, lambda: embedder))
    candidates = memories.found(Query(text="retrying repayments"))
    best = max(candidates.values(), key=lambda candidate: candidate.semantic or 0.0)
    assert best.id == ENTRIES[0].id
    assert (best.semantic, best.level is not None) == (1.0, True)


def test_a_memory_is_as_near_as_its_nearest_text(searched: Searching, vectors: VectorFile) -> None:
    embedder = FakeEmbedder()
    entry = memory("Something happened on a Monday.", lesson=Lesson(principle="Pin what you run on."))
    embed(vectors, embedder, [entry])
    memories = searched([entry], DenseStage(vectors, lambda: embedder))
    assert memories.found(Query(text="Pin what you run on."))[entry.id].cosine == pytest.approx(1.0, abs=0.01)


def test_other_projects_do_not_silence_this_one(searched: Searching, vectors: VectorFile) -> None:
    """The bar rises with the number of memories that can come up, not with those that cannot."""
    embedder = FakeEmbedder()
    own = [memory(entry.content, "own") for entry in ENTRIES]
    foreign = [memory(f"foreign memory number {number}", "other") for number in range(200)]
    embed(vectors, embedder, [*own, *foreign])
    dense = DenseStage(vectors, lambda: embedder)
    query = Query(text="retrying repayments", filter=Filter(projects=("own", None)))
    alone, crowded = searched(own, dense).found(query), searched([*own, *foreign], dense).found(query)
    assert crowded[own[0].id].level == pytest.approx(alone[own[0].id].level)
    everywhere = searched([*own, *foreign], dense).found(Query(text="retrying repayments"))
    assert everywhere[own[0].id].level < alone[own[0].id].level


def test_memories_without_a_vector_are_counted_and_found_by_words(searched: Searching, vectors: VectorFile) -> None:
    embedder = FakeEmbedder()
    embed(vectors, embedder, ENTRIES[:1])
    answer = searched(ENTRIES, DenseStage(vectors, lambda: embedder)).index.search(Query(text="the stale cache"))
    assert "Searched by words alone until embedded: 2 of 3 memories." in answer.notes
    assert ENTRIES[1].id in {candidate.id for candidate in answer.candidates}


def test_new_vectors_are_seen_at_the_next_question(searched: Searching, vectors: VectorFile) -> None:
    embedder = FakeEmbedder()
    memories = searched(ENTRIES, DenseStage(vectors, lambda: embedder))
    assert memories.index.search(Query(text="cache")).notes
    embed(vectors, embedder, ENTRIES)
    assert memories.index.search(Query(text="cache")).notes == []


def test_another_embedder_is_another_space(searched: Searching, vectors: VectorFile) -> None:
    """Of another length; keyword search goes on, nothing is lost, and going back costs nothing."""
    old, new = FakeEmbedder("old", 64), FakeEmbedder("new", 96)
    embed(vectors, old, ENTRIES)
    switched = searched(ENTRIES, DenseStage(vectors, lambda: new)).index.search(Query(text="cache"))
    assert "Searched by words alone until embedded: 3 of 3 memories." in switched.notes
    assert [candidate.id for candidate in switched.candidates] == [ENTRIES[1].id]
    back = searched(ENTRIES, DenseStage(vectors, lambda: old)).index.search(Query(text="cache"))
    assert back.notes == []


def test_a_vector_of_the_wrong_length_is_not_used(searched: Searching, vectors: VectorFile) -> None:
    """As where a model changed under the same name."""
    embed(vectors, FakeEmbedder("same", 64), ENTRIES)
    memories = searched(ENTRIES, DenseStage(vectors, lambda: FakeEmbedder("same", 96)))
    assert (
        "Searched by words alone until embedded: 3 of 3 memories." in memories.index.search(Query(text="cache")).notes
    )


def test_without_an_embedder_search_says_why(searched: Searching, vectors: VectorFile) -> None:
    def missing() -> Embedder:
        raise Unavailable("It is not installed; install it.")

    answer = searched(ENTRIES, DenseStage(vectors, missing)).index.search(Query(text="cache"))
    assert answer.candidates
    assert answer.notes == ["This is keyword search alone: It is not installed; install it."]


def test_where_none_is_wanted_nothing_is_said(searched: Searching, vectors: VectorFile) -> None:
    answer = searched(ENTRIES, DenseStage(vectors, lambda: None)).index.search(Query(text="cache"))
    assert (len(answer.candidates), answer.notes) == (1, [])


class Hanging(FakeEmbedder):
    """Answers when it is let go, as a model hub behind a black hole."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.asked = 0

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        self.asked += 1
        self.let_go.wait()
        return super().embed(texts, role)


def test_an_embedder_that_hangs_costs_no_more_than_the_deadline(searched: Searching, vectors: VectorFile) -> None:
    """Keyword search answers, and the next question does not ask it again."""
    embedder = Hanging()
    memories = searched(ENTRIES, DenseStage(vectors, lambda: embedder))
    try:
        for _ in range(3):
            answer = memories.index.search(Query(text="cache", deadline=0.05))
            assert answer.candidates
            assert answer.notes == ["The embedder did not answer in time; this is keyword search alone."]
        assert embedder.asked == 1
    finally:
        embedder.let_go.set()


def test_an_embedder_that_breaks_does_not_break_search(searched: Searching, vectors: VectorFile) -> None:
    class Broken(FakeEmbedder):
        def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
            raise ValueError("no such layer")

    answer = searched(ENTRIES, DenseStage(vectors, Broken)).index.search(Query(text="cache"))
    assert answer.candidates
    assert "ValueError: no such layer" in answer.notes[0]
