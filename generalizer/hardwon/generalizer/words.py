"""Words: what two lessons say alike, where no embedder tells what they mean.

Project-specific names are taken out first: two lessons are not alike because both speak of one product.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import SparseMatrix


_ENTITY = re.compile(
    r"""https?://\S+ | [\w./\\-]{0,255}[/\\][\w./\\-]+  # addresses and paths
      | \b\w+(?:\.\w+)+(?:\(\))? | \b\w+\(\)             # calls and dotted names
      | \b\w*_\w+\b | \b(?:[A-Z][a-z0-9]+){2,}\b         # snake_case and CamelCase
      | \b[A-Z]{2,}-\d+[\w-]* | \#\d+ | \bv?\d[\w.:-]*   # identifiers, versions, numbers
    """,
    re.VERBOSE | re.ASCII,
)
"""In ASCII, so that a name ends where Chinese begins and the Chinese around it stays.

No name in a path is longer than 255 characters (NAME_MAX of POSIX); without that bound, a word of 100,000 letters takes
half a minute.
"""


def without_entities(text: str, names: Sequence[str] = ()) -> str:
    """Return the text without addresses, paths, identifiers, versions, numbers and the given names."""
    for name in names:
        if len(name) > 2:
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", text, flags=re.IGNORECASE | re.ASCII)
    return _ENTITY.sub(" ", text)


def word_vectors(texts: Sequence[str]) -> SparseMatrix:
    """Return TF-IDF vectors of unit length (sparse, n × terms) over runs of 2 to 5 characters within words.

    Characters rather than words: they serve Chinese, and spellings that share a stem. Where no term is left (texts of
    names alone, or all the same), all vectors are 0.
    """
    from scipy import sparse
    from sklearn.feature_extraction.text import TfidfVectorizer

    many = len(texts) > 20
    vectorizer = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True, min_df=2 if many else 1, max_df=0.5 if many else 1.0
    )
    try:
        return cast("SparseMatrix", vectorizer.fit_transform(texts))
    except ValueError:  # the only way in which it says that no term is left
        return sparse.csr_matrix((len(texts), 1), dtype="float64")
