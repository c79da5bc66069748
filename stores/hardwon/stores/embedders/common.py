"""What the embedders share: sentences for a missing package, safe texts, vectors of unit length."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.text import clean


def library(name: str, extra: str) -> Any:
    """Return an optional package. Raises Unavailable that names the extra which brings it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Unavailable(
            f"The embedder {name} is not installed ({error}); install hardwon[{extra}] or choose another embedder in "
            "config.toml."
        ) from None


def safe(texts: Sequence[str]) -> list[str]:
    """Return texts that every tokenizer takes: no control characters or lone surrogates, and none that is empty."""
    return [clean(text).strip() or "." for text in texts]


def unit_vectors(vectors: Any) -> list[list[float]]:
    """Return vectors (an array or a sequence of arrays, n × dimensions) scaled to unit length."""
    import numpy as np

    matrix = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    scaled: list[list[float]] = (matrix / np.maximum(lengths, 1e-12)).tolist()
    return scaled
