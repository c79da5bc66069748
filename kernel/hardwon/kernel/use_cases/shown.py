"""What recall showed in a session: an agent that repeats it has learned nothing new."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.kernel.text import index_terms

if TYPE_CHECKING:
    from hardwon.kernel.extraction import Extract
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.session import Turn

KIND = "shown"
"""Of the activity that tells of it."""
REPEATED = 0.75
"""The share of an extract's terms from which on it repeats a memory that holds them."""
FEWEST = 3
"""Terms below which nothing is compared."""
_EARLIER = timedelta(days=1)


class ShownWords:
    """The memories that were shown in the sessions of some turns, read when they are first asked for."""

    def __init__(self, home: Home, turns: Iterable[Turn]) -> None:
        self._home = home
        self._turns = list(turns)

    def say(self, extract: Extract) -> bool:
        """Tell whether what an agent or a tool said repeats one of them; a person's own words count in any case."""
        if extract.said_by == "user" or not self._memories:
            return False
        terms = set(index_terms(extract.content))
        return len(terms) >= FEWEST and any(len(terms & each) >= REPEATED * len(terms) for each in self._memories)

    @cached_property
    def _memories(self) -> list[set[str]]:
        if not self._home.exists or not self._turns:
            return []
        sessions = {turn.session for turn in self._turns}
        begun = min((turn.at for turn in self._turns if turn.at), default=None)
        since = begun - _EARLIER if begun else None
        shown = self._home.storage.ledger.activity(KIND, since)
        ids = list(dict.fromkeys(each.memory for each in shown if each.memory and each.session in sessions))
        return [_terms(entry) for entry in self._home.storage.memories.get(ids).values()]


def _terms(entry: MemoryEntry) -> set[str]:
    lesson = entry.lesson
    texts = [entry.content, lesson.situation, lesson.cause, lesson.fix, lesson.principle]
    return set(index_terms("\n".join(text for text in texts if text)))
