"""Finds decisions that a person made with a word or two: “1”, “C)”, “let's do option 2”.

What was chosen stands in the agent's message before, or in its answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.options import asks_what_is_next, chosen_label, options_in
from hardwon.generalizer.extraction.passages import length, passages
from hardwon.generalizer.extraction.phrasing import is_chinese, one_line
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.session import Message, Speaker, Turn

LONGEST_CHOICE = 40
"""Words of a typed message that may still be an answer to a choice."""
BARE, REASONED = 0.55, 0.7
"""Confidence of a choice alone, and of one with a reason."""


def choices(turns: Sequence[Turn], turn: int) -> list[Candidate]:
    """Return the choice that a person made in a turn among what the agent had offered."""
    for place, message in enumerate(turns[turn].messages):
        if message.by is Speaker.USER and length(message.text[:2_000]) <= LONGEST_CHOICE:
            offer = _offer_before(turns, turn, place)
            options = options_in(offer)
            label = chosen_label(message.text.strip(), offer, options)
            if label is None:
                continue
            chosen = options.get(label) or _answer_after(turns[turn], place)
            if chosen:
                candidate = _candidate(turn, message, chosen, _question_in(offer))
                return [candidate.refuse("It is a task for now.") if asks_what_is_next(offer) else candidate]
    return []


def _offer_before(turns: Sequence[Turn], turn: int, place: int) -> str:
    """Return the agent's last words before the message, of the turn before where it opens its turn."""
    before = [*(turns[turn - 1].messages if turn else ()), *turns[turn].messages[:place]]
    return next((each.text for each in reversed(before) if each.by is Speaker.AGENT and each.text.strip()), "")


def _answer_after(turn: Turn, place: int) -> str:
    """Return the agent's first words after the choice: they name what was chosen."""
    answer = next((each.text for each in turn.messages[place + 1 :] if each.by is Speaker.AGENT), "")
    return one_line(" ".join(each.text for each in passages(answer[:1_000])[:2]), 220)


def _question_in(offer: str) -> str:
    """Return the last question that the agent asked about its options."""
    asked = [each.text for each in passages(offer) if each.text.endswith(("?", "？"))]
    return one_line(asked[-1], 140) if asked else ""


def _candidate(turn: int, message: Message, chosen: str, question: str) -> Candidate:
    typed = message.text.strip()
    reasoned = typed_as("reason", typed)
    words, chinese = one_line(typed, 200), is_chinese(chosen)
    if chinese:
        content = f"决定：{chosen}（用户答“{words}”{f'，问题是：{question}' if question else ''}）"
    else:
        content = f"Decided: {chosen} (the user answered “{words}”{f' to: {question}' if question else ''})"
    return Candidate(
        turn=turn,
        message=message,
        kind=Kind.DECISION,
        content=content,
        evidence=typed,
        confidence=REASONED if reasoned else BARE,
        lesson=Lesson(situation=question or None, fix=chosen),
        about=chosen,
    )
