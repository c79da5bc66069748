"""Embeddings of memories, made once a text and kept by its fingerprint, whoever asks for them."""

from __future__ import annotations

import array
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.query import Filter

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

BATCH = 32
LONGEST = 2000
"""Characters of a text that are embedded: beyond some 500 tokens the bundled model sees nothing."""


def embedded_texts(entry: MemoryEntry) -> list[str]:
    """Return the texts of a memory that have vectors: its content, then its principle if it has one."""
    texts = [entry.content[:LONGEST]]
    if entry.lesson.principle:
        texts.append(entry.lesson.principle[:LONGEST])
    return texts


def vector_key(text: str) -> str:
    """Return the key that a text's vector is kept under in any space."""
    return fingerprint(text, length=20)


def to_bytes(vector: Sequence[float]) -> bytes:
    """Pack a vector as little-endian float32."""
    packed = array.array("f", vector)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def vectors_of(home: Home, texts: Iterable[str], label: str = "Embedding") -> dict[str, bytes] | None:
    """Return vectors by text, making and keeping those that are missing; None where there is no embedder.

    Interrupted, it has kept every finished batch of 32 texts.
    """
    try:
        embedder = home.embedder
    except Unavailable:
        return None
    if embedder is None:
        return None
    by_key = {vector_key(text): text for text in texts}
    known = home.storage.vectors.fetch(embedder.name, list(by_key))
    # Texts of like length side by side make fuller batches.
    missing = sorted((key for key in by_key if key not in known), key=lambda key: len(by_key[key]))
    if missing:
        with home.console.track(label, len(missing)) as advance:
            for start in range(0, len(missing), BATCH):
                keys = missing[start : start + BATCH]
                made = embedder.embed([by_key[key] for key in keys], "passage")
                fresh = {key: to_bytes(vector) for key, vector in zip(keys, made, strict=True)}
                home.storage.vectors.keep(embedder.name, fresh)
                known.update(fresh)
                advance(len(keys))
    return {by_key[key]: vector for key, vector in known.items()}


def embed_missing(home: Home) -> int | None:
    """Embed what has no vector yet; return the number of texts that now have one, None without an embedder."""
    texts = [text for entry in home.storage.memories.scan(Filter()) for text in embedded_texts(entry)]
    vectors = vectors_of(home, texts)
    return None if vectors is None else len(vectors)
