"""Words an extract so that it can be read alone: the sentence, what it refers to, and what came of it."""

from __future__ import annotations

import re

from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.evidence import evidence_of
from hardwon.generalizer.extraction.explanations import explains
from hardwon.generalizer.extraction.passages import length, passages
from hardwon.generalizer.extraction.phrasing import distinct_terms, is_chinese, one_line, with_capital, without_lead
from hardwon.generalizer.extraction.typed import Typed
from hardwon.kernel.session import Speaker

TELLING = 4
"""Words from which an answer's sentence says more than that it was heard."""
SENTENCES_OF_AN_ANSWER = 40
"""Sentences of the agent's among which the best explanation is looked for."""

_POINTS = re.compile(r"\b(?:this|that|it|its|these|those|them|they|here|so|one)\b|这|那|它", re.IGNORECASE)


def content_of(typed: Typed) -> str:
    """Return what a person will read: the words said, and what they refer to where they do not say it."""
    words = one_line(evidence_of(typed), limit=400)
    if typed_as("stated", words):
        return with_capital(without_lead(words)) or words
    if not _needs_context(words):
        return words
    chinese = is_chinese(words)
    notes = [note for note in (_refused_action(typed, chinese=chinese), _answered(typed, chinese=chinese)) if note]
    if not notes:
        return words
    return f"{words}（{'；'.join(notes)}）" if chinese else f"{words} ({'; '.join(notes)})"


def _needs_context(words: str) -> bool:
    return length(words) <= 12 or words.endswith(("?", "？")) or _POINTS.search(words) is not None


def _refused_action(typed: Typed, *, chinese: bool) -> str:
    """Return what the agent was about to do, where that was refused."""
    call = typed.refused_call
    if call is None:
        return ""
    action = one_line(f"{call.tool} {call.request}", limit=100)
    return f"当时代理要做：{action}" if chinese else f"said of: {action}"


def _answered(typed: Typed, *, chinese: bool) -> str:
    """Return what the agent said to it that names what was meant: its first words, and the best explanation."""
    said = [each.text for text in (typed.answers or [_agent_before(typed)]) for each in passages(text)]
    telling = [text for text in said if length(text) >= TELLING]
    if not telling:
        return ""
    best = max(telling[:SENTENCES_OF_AN_ANSWER], key=lambda text: explains(text) + _shared(text, typed.passage.text))
    first = telling[0] if typed.answers else telling[-1]
    words = " ".join(dict.fromkeys((one_line(first, 120), one_line(best))))
    if chinese:
        return f"{'代理答' if typed.answers else '此前代理说'}：{words}"
    return f"{'the agent answered' if typed.answers else 'after the agent said'}: {words}"


def _shared(text: str, typed: str) -> float:
    """Return how much two sentences speak of the same, 0–1."""
    return min(1.0, len(distinct_terms(typed) & distinct_terms(text)) / 3)


def _agent_before(typed: Typed) -> str:
    """Return what the agent had said last."""
    for turn in range(typed.turn, max(-1, typed.turn - 2), -1):
        messages = typed.turns[turn].messages
        end = typed.message if turn == typed.turn else len(messages)
        for each in reversed(messages[:end]):
            if each.by is Speaker.AGENT and each.text.strip():
                return each.text
    return ""
