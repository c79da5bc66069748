"""Whether a sentence says what to do, and not only what happened or that one should take care (English, Chinese)."""

from __future__ import annotations

from hardwon.kernel.principle import chinese, english
from hardwon.kernel.text import language_of


def is_normative(sentence: str) -> bool:
    """Tell whether a sentence says what to do: it orders something, or says what must be or must not be."""
    return chinese.is_normative(sentence) if language_of(sentence) == "zh" else english.is_normative(sentence)


def obliges(sentence: str) -> bool:
    """Tell whether a sentence says so by a word of obligation (must, never, 必须), which an account seldom holds."""
    return chinese.obliges(sentence) if language_of(sentence) == "zh" else english.obliges(sentence)


def asks_for_care(sentence: str) -> str:
    """Return the words by which a sentence asks for care and names nothing that anybody could do; else nothing."""
    found = (chinese.CARE if language_of(sentence) == "zh" else english.CARE).search(sentence)
    return found[0].strip() if found else ""
