"""What of the documents is embedded, as arrays: a row a text, with the document's number, its language and its key."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from hardwon.stores.vectors.languages import LANGUAGES

KEY = np.dtype("S20")
"""A text's key (`hardwon.kernel.use_cases.embedding.vector_key`)."""
TEXT = np.dtype([("number", "<i8"), ("language", "u1"), ("key", KEY)])
Texts = NDArray[np.void]
Numbers = NDArray[np.int64]
_LANGUAGE = {name: place for place, name in enumerate(LANGUAGES)}


def no_texts() -> Texts:
    """Return an empty array of texts."""
    return np.empty(0, dtype=TEXT)


def texts_of(documents: Iterable[tuple[int, str]]) -> Texts:
    """Return the texts of documents, from their number and their keys (`en:4c1f… zh:…`).

    Raises sqlite3.DatabaseError where a key names no language: the row is damaged.
    """
    try:
        rows = [
            (number, _LANGUAGE[each[:2]], each[3:].encode("ascii"))
            for number, keys in documents
            for each in keys.split()
        ]
    except (KeyError, UnicodeEncodeError, AttributeError):
        raise sqlite3.DatabaseError("a row of the search tables is damaged: a key of a vector is none") from None
    return np.array(rows, dtype=TEXT) if rows else no_texts()
