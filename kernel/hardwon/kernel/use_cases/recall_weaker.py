"""What a person who asked is shown where nothing answers well enough: the best of what answers too weakly, marked so.

Whoever types a question wants to see what there is, and judges it; an agent that did not ask is shown nothing. So this
is the command's alone, beside the hits and never among them (docs/decisions/0025-weaker-answers-for-who-asked.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.ranking import TOO_WEAK
from hardwon.kernel.use_cases.recall_answer import Hit
from hardwon.kernel.use_cases.recall_mounted import MountShelf

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.use_cases.recall import Recall

MOST = 3
LEAST = 0.5
"""Evidence, where 1 is just enough to be shown unasked."""
WEAK = "weak"
"""Via what such a one is shown."""


def weaker_answers(home: Home, answer: Recall) -> list[Hit[MemoryEntry]]:
    """Return the best few that answer too weakly, best first; none where something answers."""
    if answer.hits:
        return []
    weak = [each for each in answer.ranked if each.hidden == TOO_WEAK and each.parts["evidence"] >= LEAST][:MOST]
    entries = MountShelf(home, answer.query).get([each.candidate.id for each in weak])
    return [
        Hit(entries[each.candidate.id], each.score, each.parts, WEAK) for each in weak if each.candidate.id in entries
    ]
