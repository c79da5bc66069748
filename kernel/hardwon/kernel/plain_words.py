"""Whether two texts say the same in the same words."""

from __future__ import annotations

import re

from hardwon.kernel.text import fold

_NO_WORDS = re.compile(r"[\W_]+")


def plain_words(text: str) -> str:
    """Return what two texts have in common that say the same in the same words: without case, marks and spaces."""
    return _NO_WORDS.sub(" ", fold(text)).strip()
