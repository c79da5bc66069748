"""A text is embedded once, kept by its fingerprint and its space, and search goes on where nothing can embed."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.errors import Unavailable
from hardwon.kernel.memory import Lesson
from hardwon.kernel.ports import Role
from hardwon.kernel.use_cases.embedding import BATCH, embed_missing, task_key, to_bytes, vector_key, vectors_of
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeEmbedder, FakeStorage, RecordingConsole, open_fake_home


def asked_for(embedder: FakeEmbedder) -> list[str]:
    """Return what was embedded beside the cohort, whose texts are embedded once a space."""
    cohort = {*SENTENCES, *TASKS}
    assert all(embedder.embedded.count(text) <= 1 for text in cohort)
    return [text for text in embedder.embedded if text not in cohort]


def test_vectors_are_little_endian_float32() -> None:
    assert to_bytes([0.5, -2.0]) == struct.pack("<2f", 0.5, -2.0)


def test_a_text_is_embedded_once(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    with open_fake_home(tmp_path, embedder=embedder) as home:
        first = vectors_of(home, ["one", "two", "one"])
        again = vectors_of(home, ["two", "three"])
    assert first is not None
    assert again is not None
    assert set(first) == {"one", "two"}
    assert again["two"] == first["two"]
    assert sorted(asked_for(embedder)) == ["one", "three", "two"]


def test_another_embedder_is_another_space(tmp_path: Path) -> None:
    """Coming back to the first costs nothing."""
    storage = FakeStorage()
    old, new = FakeEmbedder("old"), FakeEmbedder("new")
    for embedder in (old, new, old):
        with open_fake_home(tmp_path, storage=storage, embedder=embedder) as home:
            vectors_of(home, ["text"])
    assert (asked_for(old), asked_for(new)) == (["text"], ["text"])


class BrokenEmbedder(FakeEmbedder):
    """An embedder of which one number is none."""

    def __init__(self, number: float) -> None:
        super().__init__()
        self._number = number

    def embed(self, texts: Sequence[str], role: Role) -> list[Sequence[float]]:
        first, *others = super().embed(texts, role)
        return [[self._number, -self._number, *first[2:]], *others]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_vector_that_is_none_is_refused_and_never_kept(tmp_path: Path, number: float) -> None:
    """One alone would stop every later run over all lessons."""
    storage = FakeStorage()
    embedder = BrokenEmbedder(number)
    with open_fake_home(tmp_path, storage=storage, embedder=embedder) as home, pytest.raises(Unavailable, match="none"):
        vectors_of(home, ["one", "two"])
    assert storage.vectors.fetch(embedder.name, [vector_key("one"), vector_key("two")]) == {}


def test_without_an_embedder_there_are_no_vectors(tmp_path: Path) -> None:
    with open_fake_home(tmp_path, embedder=None) as home:
        assert vectors_of(home, ["text"]) is None
        assert embed_missing(home) is None


def test_content_and_principle_are_embedded(tmp_path: Path) -> None:
    console = RecordingConsole()
    with open_fake_home(tmp_path, console=console) as home:
        home.storage.memories.put([memory("What happened.", lesson=Lesson(principle="What to do.")), memory("Other.")])
        assert embed_missing(home) == 3
        assert embed_missing(home) == 0
    assert console.progress == {"Embedding": (3, 3)}


class Failing(FakeEmbedder):
    """Breaks down after the first batch."""

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        if self.embedded:
            raise Unavailable("The model went away; try again.")
        return super().embed(texts, role)


def test_an_interrupted_run_keeps_every_finished_batch(tmp_path: Path) -> None:
    storage, texts = FakeStorage(), [f"text {number}" for number in range(BATCH + 5)]
    with open_fake_home(tmp_path, storage=storage, embedder=Failing()) as home, pytest.raises(Unavailable):
        vectors_of(home, texts)
    embedder = FakeEmbedder()
    with open_fake_home(tmp_path, storage=storage, embedder=embedder) as home:
        vectors_of(home, texts)
    assert len(asked_for(embedder)) == 5


def test_the_cohort_is_embedded_with_the_first_texts(tmp_path: Path) -> None:
    """Whoever asks for vectors first: search could not tell near from far without it."""
    with open_fake_home(tmp_path) as home:
        vectors_of(home, ["text"])
        keys = [*map(vector_key, SENTENCES), *map(task_key, TASKS)]
        assert set(home.storage.vectors.fetch("fake-1", keys)) == set(keys)
