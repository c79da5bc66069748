"""The vectors of a store's memories as one matrix: 10,000 memories of two texts take 31 MB and a few ms a question.

Built at the first question that has a vector and kept for the process; when memories or vectors change, only what is
new is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.stores.search.impostors import LANGUAGES, QUESTIONS, TEXTS, Impostors, impostors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardwon.kernel.ports import Vectors


class VectorMatrix:
    """The vectors of one space. Not thread-safe: the owner holds a lock."""

    def __init__(self, space: str, dimensions: int) -> None:
        import numpy as np

        self.space = space
        self._rows: NDArray[np.float32] = np.empty((0, dimensions), dtype=np.float32)
        self._positions: dict[str, int] = {}
        self._keys: Mapping[int, Sequence[str]] = {}
        self._missing: list[str] = []
        self.numbers: list[int] = []
        """The documents that have a vector."""
        self.places: dict[int, int] = {}
        """Where each of them stands in `numbers`, and its cosine in `cosines`."""
        self.texts: list[int] = []
        """How many texts with a vector each of them has."""
        self._texts: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._starts: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._languages: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._impostors: dict[str, Impostors] = {}

    def bring_up_to_date(self, vectors: Vectors, keys: Mapping[int, Sequence[str]]) -> None:
        """Read what is new of the documents' vectors (`language:key` by document); what lacks is asked for again.

        The same mapping object means the same documents.
        """
        if keys is not self._keys:
            self._keys = keys
            wanted = [text.partition(":")[2] for texts in keys.values() for text in texts]
            self._missing = [key for key in wanted if key not in self._positions]
        elif not self._missing:
            return
        self.take(vectors, self._missing)
        self._missing = [key for key in self._missing if key not in self._positions]
        self._arrange()

    def take(self, vectors: Vectors, keys: Sequence[str]) -> None:
        """Read the vectors of these keys, as far as they exist and are as long as this space's."""
        import numpy as np

        missing = list(dict.fromkeys(key for key in keys if key not in self._positions))
        size = self._rows.shape[1] * 4
        fresh = {key: raw for key, raw in vectors.fetch(self.space, missing).items() if len(raw) == size}
        if not fresh:
            return
        rows = np.frombuffer(b"".join(fresh.values()), dtype="<f4").reshape(len(fresh), -1)
        start = len(self._rows)
        self._rows = np.concatenate([self._rows, rows.astype(np.float32, copy=False)])
        self._positions.update({key: start + offset for offset, key in enumerate(fresh)})

    def _arrange(self) -> None:
        """Note for each document which rows are its texts', and in which language those are."""
        import numpy as np

        positions = self._positions
        split = {number: [text.split(":") for text in texts] for number, texts in self._keys.items()}
        own = {number: [each for each in texts if each[1] in positions] for number, texts in split.items()}
        own = {number: texts for number, texts in own.items() if texts}
        lengths = [len(texts) for texts in own.values()]
        self.numbers, self.texts = list(own), lengths
        self.places = {number: place for place, number in enumerate(own)}
        languages = [LANGUAGES.index(language) for texts in own.values() for language, _ in texts]
        self._languages = np.array(languages, dtype=np.intp)
        self._texts = np.array([positions[key] for texts in own.values() for _, key in texts], dtype=np.intp)
        self._starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp) if own else self._texts

    def nearness(
        self, question: NDArray[np.float32], measure: Impostors | None
    ) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """Return of each document that has a vector, by its nearest text: the cosine and how far above impostors it is.

        Cosines lie between −1 and 1; what is above impostors is in standard deviations, None without them.
        """
        import numpy as np

        if measure is None:
            return self._nearest((self._rows @ question)[self._texts]), None
        cosines, usual = (self._rows @ np.stack([question, measure.task], axis=1))[self._texts].T
        left = cosines - usual - measure.offsets(question)[self._languages]
        return self._nearest(cosines), self._nearest(left / measure.deviations[self._languages])

    def _nearest(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return of each document the largest value of its texts."""
        import numpy as np

        nearest: NDArray[np.float32] = np.maximum.reduceat(values, self._starts) if self.numbers else values
        return nearest

    def impostors(self, language: str) -> Impostors | None:
        """Return the measure of questions in a language; None while a text or task of it has no vector."""
        if language not in self._impostors:
            wanted = [QUESTIONS[language], *TEXTS.values()]
            if any(key not in self._positions for keys in wanted for key in keys):
                return None
            tasks, *texts = [self._rows[[self._positions[key] for key in keys]] for keys in wanted]
            self._impostors[language] = impostors(tasks, texts)
        return self._impostors[language]
