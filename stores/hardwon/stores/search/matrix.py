"""The vectors of a store's memories as one matrix: 10,000 memories of two texts take 31 MB and a few ms a question.

Built at the first question that has a vector and kept for the process; when memories or vectors change, only what is
new is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

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
        self._texts: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._starts: NDArray[np.intp] = np.empty(0, dtype=np.intp)

    def bring_up_to_date(self, vectors: Vectors, keys: Mapping[int, Sequence[str]]) -> None:
        """Read what is new of the documents' vectors (keys by document number); what has none yet is asked for again.

        The same mapping object means the same documents.
        """
        if keys is not self._keys:
            self._keys = keys
            self._missing = [key for texts in keys.values() for key in texts if key not in self._positions]
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
        """Note for each document which rows are its texts'."""
        import numpy as np

        positions = self._positions
        own = {number: [positions[key] for key in texts if key in positions] for number, texts in self._keys.items()}
        own = {number: rows for number, rows in own.items() if rows}
        lengths = [len(rows) for rows in own.values()]
        self.numbers = list(own)
        self.places = {number: place for place, number in enumerate(own)}
        self._texts = np.array([row for rows in own.values() for row in rows], dtype=np.intp)
        self._starts = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.intp) if own else self._texts

    def cosines(self, query: Sequence[float]) -> NDArray[np.float32]:
        """Return the cosine to the query, −1 to 1, of the nearest text of each document that has a vector."""
        import numpy as np

        scores = (self._rows @ np.asarray(query, dtype=np.float32))[self._texts]
        nearest: NDArray[np.float32] = np.maximum.reduceat(scores, self._starts) if self.numbers else scores
        return nearest

    def among(self, query: Sequence[float], keys: Sequence[str]) -> tuple[float, float] | None:
        """Return the mean cosine of these texts to the query, and the standard deviation of those among themselves.

        None where fewer than two of them have a vector.
        """
        import numpy as np

        rows = self._rows[[self._positions[key] for key in keys if key in self._positions]]
        if len(rows) < 2:
            return None
        spread = (rows @ rows.T)[np.triu_indices(len(rows), 1)].std()
        return float((rows @ np.asarray(query, dtype=np.float32)).mean()), max(1e-6, float(spread))
