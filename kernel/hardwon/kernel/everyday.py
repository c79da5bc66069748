"""How common a word is in texts and tasks on anything at all: a few memories do not tell which words are common."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Mapping

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.text import index_terms


@functools.cache
def everyday_texts() -> int:
    """Return how many texts the cohort has."""
    return len(SENTENCES) + len(TASKS)


@functools.cache
def everyday_terms() -> Mapping[str, int]:
    """Return by term how many texts of the cohort hold it; a term that none holds is not there."""
    return Counter(term for text in (*SENTENCES, *TASKS) for term in set(index_terms(text)))
