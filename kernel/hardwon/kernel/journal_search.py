"""Finds what was said about something: a look through the blocks of the journal for the words of a question.

No index: who looks into the journal has a question that the memory did not answer, and some seconds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from hardwon.kernel.journal import Block
from hardwon.kernel.text import fold, query_terms


def best_blocks(question: str, blocks: Iterable[Block], limit: int) -> list[Block]:
    """Return the blocks that hold most of the question's words, the rare ones counting more; newer ones first."""
    tests = {term: _holds(term) for term in query_terms(question)}
    found = []
    frequency: Counter[str] = Counter()
    for block in blocks:
        text = block.said.lower() if block.said.isascii() else fold(block.said)
        held = [term for term, test in tests.items() if test(text)]
        if held:
            frequency.update(held)
            found.append((held, block))
    scored = [(sum(1 / frequency[term] for term in held) + len(held), block) for held, block in found]
    scored.sort(key=lambda each: (each[0], each[1].at), reverse=True)
    return [block for _, block in scored[:limit]]


def telling_lines(question: str, said: str, most: int) -> list[str]:
    """Return the lines of a block that hold words of a question, in order, at most so many; else its first lines."""
    tests = [_holds(term) for term in query_terms(question)]
    lines = [line for line in said.split("\n") if line.strip("> ")]
    held = [line for line in lines if any(test(fold(line)) for test in tests)]
    return (held or lines)[:most]


def _holds(term: str) -> Callable[[str], bool]:
    """Return what tells whether a folded text holds a term."""
    start = _start(term)
    if not start.isascii():
        return lambda text: start in text
    word = re.compile(rf"(?<![a-z0-9]){re.escape(start)}")
    return lambda text: start in text and word.search(text) is not None


def _start(term: str) -> str:
    """Return how words begin that a term stands for; a stem in -i stands for words in -y too."""
    return term[:-1] if term.isascii() and term.endswith("i") and len(term) > 3 else term


def may_hold(question: str) -> Callable[[bytes], bool]:
    """Return what tells of a file in a moment that it may hold words of a question: only plain ASCII is ruled out."""
    starts = [_start(term).encode() for term in query_terms(question)]

    def test(data: bytes) -> bool:
        if not data.isascii():
            return True
        lowered = data.lower()
        return any(start in lowered for start in starts)

    return test
