"""The offline generalizer, with the user's language model to word what it has no words for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.generalizer.model_tasks.lessons import draft_lesson
from hardwon.generalizer.model_tasks.relations import relation_between
from hardwon.generalizer.model_tasks.rules import draft_rule
from hardwon.generalizer.offline import OfflineGeneralizer

if TYPE_CHECKING:
    from hardwon.kernel.memory import Lesson, MemoryEntry
    from hardwon.kernel.sameness.verdict import Sameness


class DraftingGeneralizer(OfflineGeneralizer):
    """A Generalizer that is a Drafter too."""

    def draft_rule(self, lessons: Sequence[MemoryEntry], language: str) -> str | None:
        """Return the rule that lessons have in common, in the model's words."""
        return draft_rule(self._home, lessons, language)

    def draft_lesson(self, entry: MemoryEntry) -> Lesson | None:
        """Return the parts of a lesson, in the model's words."""
        return draft_lesson(self._home, entry)

    def relation_between(self, earlier: str, later: str) -> Sameness | None:
        """Return what a later text is to an earlier one, as the model reads them."""
        return relation_between(self._home, earlier, later)
