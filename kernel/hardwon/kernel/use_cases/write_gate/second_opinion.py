"""A second opinion by the user's language model, where they have one, on what words alone leave open.

Asked in the background only, while no lock is held, and for a few pairs a run. It never overrules numbers, names or
negation: what these decide is not open. What it says becomes a link or a question like anything else.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.ports import Drafter
from hardwon.kernel.sameness.verdict import Sameness, Verdict
from hardwon.kernel.use_cases.projects import closed_among, load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.project_names import ProjectBook

MOST = 10
"""Pairs that the model is asked about in one run."""


class SecondOpinion:
    """Asks the model about open pairs, as long as it may be asked."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._left = MOST

    def on(self, verdict: Verdict, earlier: MemoryEntry, later: MemoryEntry) -> Verdict:
        """Return the model's verdict on two memories; the one that was given where it is not asked or does not say.

        Nothing of a project that is kept out of rules leaves the machine.
        """
        model, drafter = self._home.language_model, self._home.generalizer
        is_asked = verdict.is_open and self._left > 0 and model is not None and not model.reason_not_to_ask()
        if not is_asked or not isinstance(drafter, Drafter) or self._is_closed(earlier, later):
            return verdict
        self._left -= 1
        try:
            said = drafter.relation_between(earlier.content, later.content)
        except Unavailable:
            return verdict
        if said is None or said is Sameness.DISTINCT:
            return verdict
        return Verdict(said, "the language model reads them so", verdict.changes_mind)

    @cached_property
    def _book(self) -> ProjectBook:
        return load_projects(self._home)

    def _is_closed(self, *entries: MemoryEntry) -> bool:
        return bool(closed_among(self._home, self._book, (entry.scope.project for entry in entries)))
