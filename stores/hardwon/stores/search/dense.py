"""Search by meaning: how near the question lies to each memory, and how much that says in this space.

Never on the way of a question that has no vector: numpy and the vectors are loaded at the first one that has.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hardwon.kernel.counting import counted
from hardwon.kernel.errors import StoreError
from hardwon.kernel.records import Measurement, Problem
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.embedding_process import start_embedding
from hardwon.stores.search.nearness import Nearness
from hardwon.stores.search.question import PAUSE, Answer, QuestionEmbedder

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import Embedder, Vectors
    from hardwon.stores.search.changes import DocumentChanges
    from hardwon.stores.search.space import Space

FOLDER = "vectors"
"""In the home: what is derived of the vectors to search them."""


class DenseStage:
    """Vectors of one store's memories, shared by all its connections and threads."""

    def __init__(
        self,
        vectors: Vectors,
        find_embedder: Callable[[], Embedder | None],
        folder: Path | None = None,
        setting: Callable[[], Literal["auto", "exact", "hnsw"]] = lambda: "auto",
        want_vectors: Callable[[], Any] = lambda: None,
    ) -> None:
        """Search these vectors; without a folder, everything derived of them is in memory alone.

        `want_vectors` is called, not more than once a minute, where a question found memories without a vector.
        """
        self._vectors = vectors
        self._find_embedder = find_embedder
        self._question = QuestionEmbedder(find_embedder)
        self._folder = folder
        self._setting = setting
        self._want_vectors = want_vectors
        self._wanted_at = -PAUSE
        self._space: Space | None = None
        self._lock = threading.Lock()

    def ask(self, text: str, seconds: float | None = None) -> Callable[[], Answer]:
        """Have a question embedded while the caller looks words up; return what waits for its vector."""
        return self._question.ask(text, seconds)

    def nearness(self, text: str, asked: Answer, changes: DocumentChanges) -> tuple[Nearness, list[str]]:
        """Return the cosines of a question, by what `ask` answered, and sentences on what is missing.

        `changes` is asked only when there is a question's vector.
        """
        if asked is None or isinstance(asked, str):
            return Nearness(), [asked] if asked else []
        name, vector = asked
        try:
            with self._lock:
                space = self._opened(name, len(vector))
                collection = space.bring_up_to_date(changes)
                nearness = Nearness(space.near(collection, vector, language_of(text)))
            notes = self._lacking(nearness, collection.documents, name)
        except StoreError as error:  # without vectors, there are words
            return Nearness(), [f"This is keyword search alone: {error}"]
        return nearness, [*notes, *space.notes]

    def arrange(self, changes: DocumentChanges) -> None:
        """Put everything in place that has a vector, and make what speeds search up; may take minutes.

        Nothing without a folder or an embedder, or while another process is at it. Raises Unavailable, StoreError.
        """
        embedder = self._find_embedder()
        if embedder is not None and self._folder is not None:
            with self._lock:
                self._opened(embedder.name, embedder.dimensions).arrange(changes)

    def measure(self, changes: DocumentChanges) -> Measurement:
        """Return how well vectors near a question are found. Raises Unavailable, StoreError."""
        embedder = self._find_embedder()
        if embedder is None:
            return Measurement(told=("The setting `embedder` is none: search is by words alone.",))
        with self._lock:
            space = self._opened(embedder.name, embedder.dimensions)
            found = space.measure(changes)
        problems = [Problem(where="the setting vectors", what=each) for each in space.notes]
        return Measurement(told=found.told, problems=(*problems, *found.problems))

    def _opened(self, name: str, dimensions: int) -> Space:
        if self._space is None or (self._space.name, self._space.dimensions) != (name, dimensions):
            from hardwon.stores.search.space import Space

            self._space = Space(name, dimensions, self._vectors, self._folder, self._setting())
        return self._space

    def _lacking(self, nearness: Nearness, documents: int, space: str) -> list[str]:
        """Return sentences on memories without a vector in this space."""
        lacking = documents - nearness.count
        notes = []
        if lacking:
            self._want()
            of = counted(documents, "memory", "memories")
            notes.append(f"Searched by words alone until embedded: {lacking} of {of}.")
        if lacking and not nearness.count and (others := [each for each in self._vectors.spaces() if each != space]):
            notes.append(
                f"The embedder is {space} now; what {' and '.join(others)} made is kept, and going back costs nothing."
            )
        if nearness.count and not nearness.is_measured:
            notes.append("What nearness is worth is not known yet: embedding has not come that far.")
        return notes

    def _want(self) -> None:
        if time.monotonic() - self._wanted_at >= PAUSE:
            self._wanted_at = time.monotonic()
            self._want_vectors()


def open_dense(home: Home, vectors: Vectors) -> DenseStage:
    """Return the search by meaning of a home, over what its store keeps."""
    return DenseStage(
        vectors,
        lambda: home.embedder,
        home.path / FOLDER,
        lambda: home.settings.vectors,
        lambda: start_embedding(home),
    )
