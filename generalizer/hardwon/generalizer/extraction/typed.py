"""A sentence that a person typed, with what happened around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hardwon.generalizer.extraction.cues import typed_as
from hardwon.generalizer.extraction.options import options_in
from hardwon.generalizer.extraction.passages import Passage, passages
from hardwon.kernel.session import Message, Speaker, Turn


@dataclass(frozen=True, slots=True)
class Typed:
    """A sentence that a person typed, and where."""

    turns: Sequence[Turn]
    turn: int
    message: int
    passage: Passage

    @property
    def said(self) -> Message:
        """Return the message that it stands in."""
        return self.turns[self.turn].messages[self.message]

    @property
    def in_the_middle(self) -> bool:
        """Tell whether the agent was at work: a queued message, an answer, or the reason of a refusal."""
        return any(each.by is not Speaker.USER for each in self.turns[self.turn].messages[: self.message])

    @property
    def refused_call(self) -> Message | None:
        """Return the call of a tool that the person did not let run, giving this as their reason.

        In a transcript the reason is a part of the call's result: it stands beside the call, which came back with
        nothing, or right after one that is called a failure.
        """
        messages = self.turns[self.turn].messages
        before = messages[self.message - 1] if self.message else None
        after = messages[self.message + 1] if self.message + 1 < len(messages) else None
        if after is not None and after.tool and not after.text and after.id.startswith(f"{self.said.id}+"):
            return after
        return before if before is not None and before.failed else None

    @property
    def answers(self) -> list[str]:
        """Return what the agent said to it, before anybody typed again."""
        said = []
        for each in self.turns[self.turn].messages[self.message + 1 :]:
            if each.by is Speaker.USER:
                break
            if each.by is Speaker.AGENT and each.text.strip():
                said.append(each.text)
        return said

    @property
    def after_options(self) -> bool:
        """Tell whether the agent had just set out what could be chosen, in answer to somebody who weighed it."""
        if self.in_the_middle or not self.turn:
            return False
        before = self.turns[self.turn - 1]
        weighed = any(typed_as("weighing", each.text[:600]) for each in before.typed)
        offer = next((each.text for each in reversed(before.messages) if each.by is Speaker.AGENT), "")
        return bool(offer) and (weighed or len(options_in(offer)) > 1 or offer.rstrip().endswith(("?", "？")))

    @property
    def answer(self) -> str:
        """Return the first thing that the agent said to it; empty where it said nothing."""
        return next(iter(self.answers), "")


def typed_sentences(turns: Sequence[Turn], turn: int) -> list[Typed]:
    """Return every sentence that a person typed in a turn."""
    return [
        Typed(turns, turn, number, passage)
        for number, message in enumerate(turns[turn].messages)
        if message.by is Speaker.USER
        for passage in passages(message.text)
    ]
