"""Review: the user's yes or no to a proposal, and taking it back.

A kind of proposal is one module here that plans what accepting it would write (`Change`), and one line in `kinds.py`.
Deciding writes the plan and records what stood before, so that undoing puts exactly that back; neither knows the kinds.
"""

from hardwon.kernel.use_cases.review.change import Accepted, Change
from hardwon.kernel.use_cases.review.deciding import accept, reject, reword, take_edit, undo
from hardwon.kernel.use_cases.review.rules import CONFIRMED

__all__ = ["CONFIRMED", "Accepted", "Change", "accept", "reject", "reword", "take_edit", "undo"]
