"""Embeddings of the catalogue's texts: those of the bundled embedder ship with it, others are made once and kept.

`python -m hardwon.generalizer.catalogue_vectors` makes the shipped file anew after an edit of the catalogue. It holds
the fingerprint of each text, so that a text that changed is embedded when it is met, and never taken for the old one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from hardwon.generalizer.catalogue import SHIPPED, Concept, shipped_catalogue
from hardwon.kernel.use_cases.embedding import vector_key, vectors_of

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.kernel.home import Home


FILE = SHIPPED / "vectors.npz"
SCALE = 127.0
"""A unit vector's components lie within ±1 and are kept as 8-bit integers, each row scaled to its largest."""


@dataclass(frozen=True)
class CatalogueVectors:
    """Texts, and one row a text (unit length)."""

    texts: Sequence[str]
    rows: Matrix


@cache
def _shipped() -> tuple[str, dict[str, int], Matrix]:
    """Return the space, the row of each text's key, and the rows of the shipped file; nothing when there is none."""
    import numpy as np

    if not FILE.is_file():
        return "", {}, np.zeros((0, 0), dtype=np.float32)
    with np.load(FILE) as stored:
        rows = stored["rows"].astype(np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return str(stored["space"]), {str(key): place for place, key in enumerate(stored["keys"])}, rows


def catalogue_vectors(home: Home, concepts: Sequence[Concept]) -> CatalogueVectors | None:
    """Return the vectors of every text of the concepts in the home's embedding space; None without an embedder."""
    import numpy as np

    embedder = home.embedder
    if embedder is None:
        return None
    texts = list(dict.fromkeys(text for concept in concepts for text in concept.texts))
    space, places, rows = _shipped()
    if space != embedder.name:
        places = {}
    known = {text: rows[places[key]] for text in texts if (key := vector_key(text)) in places}
    made = vectors_of(home, [text for text in texts if text not in known], "Embedding the catalogue")
    if made is None:
        return None
    known |= {text: np.frombuffer(vector, dtype="<f4") for text, vector in made.items()}
    return CatalogueVectors(texts, np.stack([known[text] for text in texts]).astype(np.float32))


def main() -> None:
    """Write the shipped file with the bundled embedder."""
    import numpy as np

    from hardwon.kernel.registry import registry
    from hardwon.kernel.settings import Settings

    settings = Settings()
    embedder = registry().get("embedders", settings.embedder)(settings)
    texts = list(dict.fromkeys(text for concept in shipped_catalogue() for text in concept.texts))
    space, places, rows = _shipped()
    keys = [vector_key(text) for text in texts]
    kept = {key: rows[places[key]] for key in keys if space == embedder.name and key in places}
    missing = [text for text, key in zip(texts, keys, strict=True) if key not in kept]
    for start in range(0, len(missing), 64):
        batch = missing[start : start + 64]
        kept |= {
            vector_key(text): row for text, row in zip(batch, np.asarray(embedder.embed(batch, "passage")), strict=True)
        }
    matrix = np.stack([kept[key] for key in keys])
    scaled = np.rint(matrix / np.abs(matrix).max(axis=1, keepdims=True) * SCALE).astype(np.int8)
    np.savez_compressed(FILE, space=np.array(embedder.name), keys=np.array(keys), rows=scaled)


if __name__ == "__main__":
    main()
