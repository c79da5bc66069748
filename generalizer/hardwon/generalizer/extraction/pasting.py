"""Tells what somebody typed from what they pasted: reviews, logs, pages. Others' words teach nothing by themselves."""

from __future__ import annotations

import re
from functools import lru_cache

from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.passages import LONGEST_READ, length, own_words, passages

INTRODUCTION = 14
"""Words up to which what stands beside a pasted block only introduces it."""
REPORT = 20
"""Words from which a message of several sentences in which nobody speaks, and to nobody, was not typed to the agent."""
SENTENCE_OF_A_REPORT = 10
"""Words from which a sentence is known as one."""
QUOTED = 0.5
"""Share of a message's words from which it is a quotation."""

_BLOCK = re.compile(r"^\s*>|```|\"\"\"|'''", re.MULTILINE)
_PERSON = re.compile(r"\b(?:i|we|you|our|us|my|me|your|let's|please)\b|[\u3400-\u9fff]", re.IGNORECASE)


@lru_cache(maxsize=1_000)
def is_pasted(message: str) -> bool:
    """Tell whether a message consists of others' words, or is about them alone."""
    text = message[:LONGEST_READ].strip()
    return _introduces_a_block(text) or _is_report(text) or _is_quotation(text) or typed_as("pasted", text)


def is_formal(sentence: str) -> bool:
    """Tell whether a sentence is written as for a report: whole, and without anybody in it."""
    whole = sentence[:1].isupper() and sentence.endswith(".")
    return whole and length(sentence) >= SENTENCE_OF_A_REPORT and not _PERSON.search(sentence)


def _introduces_a_block(text: str) -> bool:
    return _BLOCK.search(text) is not None and sum(length(each.text) for each in passages(text)) <= INTRODUCTION


def _is_report(text: str) -> bool:
    if not text[:1].isupper() or text[-1:] not in ".`)" or length(text) < REPORT or _PERSON.search(text):
        return False
    sentences = passages(text)
    stated = any(typed_as("stated", each.text) for each in sentences)
    return len(sentences) > 1 and typed_as("reviews", text) and not stated


def _is_quotation(text: str) -> bool:
    words = length(text)
    return words > 0 and length(own_words(text)) <= (1 - QUOTED) * words
