"""Views: what makes two lessons alike, seen from several sides. Each is an n × n matrix of similarities.

The sides see different things, so they are added as z-scores: a lesson's words, its characters (Chinese, and spellings
that share a stem), the meaning of its text, the meaning of its principle, and the causes that the catalogue recognises
in it. Project-specific names are taken out of the words first: two lessons are not alike because both speak of Redis.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

_ENTITY = re.compile(
    r"""https?://\S+ | [\w./\\-]*[/\\][\w./\\-]+        # addresses and paths
      | \b\w+(?:\.\w+)+(?:\(\))? | \b\w+\(\)             # calls and dotted names
      | \b\w*_\w+\b | \b(?:[A-Z][a-z0-9]+){2,}\b         # snake_case and CamelCase
      | \b[A-Z]{2,}-\d+[\w-]* | \#\d+ | \bv?\d[\w.:-]*   # identifiers, versions, numbers
    """,
    re.VERBOSE,
)


def without_entities(text: str, names: Sequence[str] = ()) -> str:
    """Return the text without addresses, paths, identifiers, versions, numbers and the given names."""
    for name in names:
        if len(name) > 2:
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", text, flags=re.IGNORECASE)
    return _ENTITY.sub(" ", text)


def centred(vectors: Matrix) -> Matrix:
    """Take the common direction out of unit vectors (n × d): their mean, then the first principal direction.

    Sentence embeddings share a direction that says little but "this is a sentence" (Arora et al. 2017, "A simple but
    tough-to-beat baseline for sentence embeddings"). Fewer than 8 vectors are returned as they are.
    """
    import numpy as np

    if len(vectors) < 8:
        return vectors
    shifted = vectors - vectors.mean(axis=0)
    # The leading right singular vector, from the d × d matrix: n may be large, d is not.
    _, directions = np.linalg.eigh(shifted.T @ shifted)
    first = directions[:, -1:]
    shifted = shifted - (shifted @ first) @ first.T
    norms = np.linalg.norm(shifted, axis=1, keepdims=True)
    return cast("Matrix", (shifted / np.maximum(norms, 1e-9)).astype(np.float32))


def word_vectors(texts: Sequence[str], analyzer: str) -> Matrix:
    """Return TF-IDF vectors of unit length (sparse, n × terms) over words or characters ("word", "char_wb")."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    ranges = {"word": (1, 1), "char_wb": (2, 5)}
    vectorizer = TfidfVectorizer(
        analyzer=analyzer,
        ngram_range=ranges[analyzer],
        sublinear_tf=True,
        stop_words="english" if analyzer == "word" else None,
        min_df=2 if len(texts) > 20 else 1,
        max_df=0.5 if len(texts) > 20 else 1.0,
        dtype="float32",
    )
    return cast("Matrix", vectorizer.fit_transform(texts))
