"""The order of decisions, and which of them still stand: several devices decide, and clocks go back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.kernel.proposal import Decision


def standing(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that were not taken back, oldest first, without the undoing ones."""
    ordered = in_order(decisions)
    undone = {each.undoes for each in ordered}
    return [each for each in ordered if each.id not in undone and each.undoes is None]


def in_order(decisions: Iterable[Decision]) -> list[Decision]:
    """Return decisions oldest first by their clocks, and each after the one that it follows whatever these say."""
    by_time = sorted(decisions, key=lambda each: (each.at, each.id))
    by_id = {each.id: each for each in by_time}
    ordered: dict[str, Decision] = {}
    for decision in by_time:
        chain: dict[str, Decision] = {}
        each: Decision | None = decision
        while each is not None and each.id not in chain and each.id not in ordered:
            chain[each.id] = each
            each = by_id.get(each.follows or each.undoes or "")
        ordered |= reversed(chain.items())
    return list(ordered.values())
