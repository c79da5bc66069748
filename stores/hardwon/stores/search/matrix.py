"""The vectors of a store's memories as one matrix: 10,000 memories of two texts take 31 MB and 3 ms a question.

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

    def take(self, vectors: Vectors, keys: Sequence[str]) -> None:
        """Read those of the keys that are not here yet; what the store does not have is tried again next time."""
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

    def cosines(self, query: Sequence[float], keys: Mapping[int, Sequence[str]]) -> dict[int, float]:
        """Return by document its largest cosine to the query, −1 to 1; documents without a vector are left out."""
        import numpy as np

        if not self._positions:
            return {}
        scores = self._rows @ np.asarray(query, dtype=np.float32)
        positions = self._positions
        found: dict[int, float] = {}
        for number, texts in keys.items():
            own = [scores[positions[key]] for key in texts if key in positions]
            if own:
                found[number] = float(max(own))
        return found

    def spread(self, keys: Sequence[str]) -> float:
        """Return the standard deviation of the cosines among those texts that have a vector; 1.0 for fewer than two."""
        import numpy as np

        rows = self._rows[[self._positions[key] for key in keys if key in self._positions]]
        if len(rows) < 2:
            return 1.0
        among = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
        return max(1e-6, float(among.std()))
