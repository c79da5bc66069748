"""A second opinion by the user's language model, where they have one, on what words alone leave open.

Asked in the background only, while no lock is held, and for a few pairs a run. It never overrules numbers, names or
negation: what these decide is not open. What it says becomes a link or a question like anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.ports import Drafter
from hardwon.kernel.sameness.verdict import Sameness, Verdict

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

MOST = 10
"""Pairs that the model is asked about in one run."""


class SecondOpinion:
    """Asks the model about open pairs, as long as it may be asked."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._left = MOST

    def on(self, verdict: Verdict, earlier: str, later: str) -> Verdict:
        """Return the model's verdict on two texts; the one that was given where it is not asked or does not say."""
        model, drafter = self._home.language_model, self._home.generalizer
        is_asked = verdict.is_open and self._left > 0 and model is not None and not model.reason_not_to_ask()
        if not is_asked or not isinstance(drafter, Drafter):
            return verdict
        self._left -= 1
        try:
            said = drafter.relation_between(earlier, later)
        except Unavailable:
            return verdict
        if said is None or said is Sameness.DISTINCT:
            return verdict
        return Verdict(said, "the language model reads them so", verdict.changes_mind)
