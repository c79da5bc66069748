"""MeaningConformance: search by meaning, with an embedder that gives the same vectors on every machine.

For a store with the capability `vectors`. The vectors are put in by hand, as `hardwon` does in the background.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from hardwon.kernel.candidate import Candidate
from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.ports import Embedder, Storage
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.use_cases.embedding import searched_texts, task_key, to_bytes, vector_key
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeEmbedder

TEXTS = ("Retry the payment webhook with backoff.", "Bananas ripen slowly.", "数据库迁移必须兼容旧版本。")
LIKE = ("retrying repayments", "a banana that ripens", "迁移数据库")
"""By the fake embedder, texts of like letters are like in meaning."""


def embed(storage: Storage, embedder: Embedder, entries: Sequence[MemoryEntry]) -> None:
    """Keep the vectors of memories, and of what their nearness is held against."""
    texts = [*SENTENCES, *(text for entry in entries for text in searched_texts(entry))]
    made = [*embedder.embed(texts, "passage"), *embedder.embed(TASKS, "query")]
    keys = [*map(vector_key, texts), *map(task_key, TASKS)]
    storage.vectors.keep(embedder.name, {key: to_bytes(each) for key, each in zip(keys, made, strict=True)})


class MeaningConformance:
    """What search promises where vectors are kept. Give `storage`: empty, of a home whose embedder is `embedder`."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        """Return the embedder that the subclass opens the storage with."""
        return FakeEmbedder()

    @pytest.fixture
    def storage(self, embedder: Embedder) -> Storage:
        """Return an open, empty Storage; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `storage` of a home with the fixture `embedder`.")

    @pytest.fixture
    def entries(self, storage: Storage, embedder: Embedder) -> list[MemoryEntry]:
        """Return memories whose vectors are kept."""
        if "vectors" not in storage.memories.capabilities:
            pytest.skip("this store does not claim to search by meaning")
        entries = storage.memories.put([memory(text) for text in TEXTS])
        embed(storage, embedder, entries)
        return entries

    def found(self, storage: Storage, text: str, **fields: object) -> dict[str, Candidate]:
        """Return the candidates for a text, by id."""
        query = Query.model_validate({"text": text, **fields})
        return {each.id: each for each in storage.memories.search(query).candidates}

    @pytest.mark.parametrize("place", range(len(TEXTS)))
    def test_the_nearest_in_meaning_is_found(self, storage: Storage, entries: list[MemoryEntry], place: int) -> None:
        """Whether or not it shares a word, in either language; the nearest has nearness 1."""
        candidates = self.found(storage, LIKE[place])
        best = max(candidates.values(), key=lambda each: each.cosine or -1.0)
        assert best.id == entries[place].id
        assert best.semantic == pytest.approx(1.0, abs=1e-2)

    def test_nearness_is_the_cosine(self, storage: Storage, entries: list[MemoryEntry]) -> None:
        """To the text itself it is 1, whatever form vectors are kept in for search."""
        assert self.found(storage, TEXTS[0])[entries[0].id].cosine == pytest.approx(1.0, abs=1e-2)

    def test_without_a_vector_it_is_found_by_words(self, storage: Storage, entries: list[MemoryEntry]) -> None:
        """And told to be so: it has no nearness."""
        [fresh] = storage.memories.put([memory("A giraffe without a vector.")])
        candidate = self.found(storage, "giraffe")[fresh.id]
        assert candidate.lexical > 0
        assert candidate.cosine is None

    def test_a_filter_holds_for_meaning(self, storage: Storage, entries: list[MemoryEntry]) -> None:
        """What is archived is not near, unless it is asked for."""
        storage.memories.update(entries[0].id, {"status": Status.ARCHIVED})
        assert entries[0].id not in self.found(storage, LIKE[0])
        assert entries[0].id in self.found(storage, LIKE[0], filter=Filter(statuses=None))

    def test_what_was_changed_or_forgotten_is_near_no_more(
        self, storage: Storage, embedder: Embedder, entries: list[MemoryEntry]
    ) -> None:
        """At once; a changed one is near by its new words once they have a vector."""
        changed = storage.memories.update(entries[0].id, {"content": TEXTS[1] + " Really."})
        storage.memories.delete([entries[1].id])
        candidates = self.found(storage, LIKE[0])
        assert entries[1].id not in candidates
        assert entries[0].id not in candidates or candidates[entries[0].id].cosine is None
        embed(storage, embedder, [changed])
        nearest = max(self.found(storage, LIKE[1]).values(), key=lambda each: each.cosine or -1.0)
        assert nearest.id == changed.id

    def test_who_asks_by_words_is_answered_by_words(self, storage: Storage, entries: list[MemoryEntry]) -> None:
        """No model is asked for it."""
        assert not [each for each in self.found(storage, LIKE[0], by_words=True).values() if each.cosine is not None]

    def test_vectors_of_another_space_do_not_count(self, storage: Storage, entries: list[MemoryEntry]) -> None:
        """They are kept for whoever goes back to that embedder."""
        [fresh] = storage.memories.put([memory("Another banana.")])
        embed(storage, FakeEmbedder("another space"), [fresh])
        assert self.found(storage, "Another banana.")[fresh.id].cosine is None
