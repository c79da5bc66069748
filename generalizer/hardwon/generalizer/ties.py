"""Ties: which lessons belong together and which do not, since a person decided so.

A decision names groups of lessons: those of one group belong together from then on, those of two do not (a rule that
was split, a lesson that was taken out of a proposal by hand). What was rejected because it mixes causes never comes
back whole. Of two decisions that differ the later one holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from hardwon.generalizer.graph import CAP
from hardwon.kernel.decision_order import standing
from hardwon.kernel.proposal import Action, Decision, Proposal, ProposalKind

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix


BELONG, APART = 1.0, -1.0
"""The similarities of lessons of which a person said so."""
_MIXED = re.compile(
    r"(?<!\bnot )(?<!n't )\b(?:mix(?:ed|es|ture|ing)?|split)\b"
    r"|\b(?:two|three|several|different|separate|more than one|unrelated) (?:\w+ )?"
    r"(?:causes?|problems?|things|rules|topics|lessons)\b"
    r"|(?<![不没])混|不同的?(?:原因|问题|事)|[两几多]个(?:原因|问题|规则)|不是一回事|拆开",
    re.IGNORECASE,
)
"""What people write who reject a proposal since it is about more than one cause."""


def rejected_as_mixed(decisions: Sequence[Decision]) -> list[Decision]:
    """Return the rejections of new rules, as far as they stand, whose reason is that the lessons are of two causes."""
    return [
        each
        for each in standing(decisions)
        if each.kind is ProposalKind.NEW_RULE and each.action == Action.REJECT and _MIXED.search(each.why)
    ]


@dataclass(frozen=True)
class Ties:
    """By the lessons' indices."""

    together: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """For a lesson, those that it belongs with."""
    apart: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """For a lesson, those that it does not belong with."""
    mixed: tuple[frozenset[int], ...] = ()
    """Sets that are not to be one group again, nor within one."""

    def allow(self, group: Sequence[int]) -> bool:
        """Tell whether nobody said that lessons of the group do not belong together."""
        members = set(group)
        if any(not members.isdisjoint(self.apart.get(each, ())) for each in group):
            return False
        return not any(each <= members for each in self.mixed)

    def applied(self, similarities: Matrix, lessons: Sequence[int]) -> Matrix:
        """Return the similarities of some lessons with what a person decided in the place of what was computed."""
        place = {lesson: number for number, lesson in enumerate(lessons)}
        result = similarities.copy()
        for value, ties in ((BELONG, self.together), (APART, self.apart)):
            for lesson in ties.keys() & place.keys():
                others = [place[other] for other in ties[lesson] if other in place]
                result[place[lesson], others] = value
        return result

    def joined(self, components: Iterable[list[int]]) -> Iterator[list[int]]:
        """Walk the components, those as one that hold lessons which belong together, as far as linkage can take."""
        kept = dict(enumerate(components))
        where = {lesson: number for number, component in kept.items() for lesson in component}
        for one, others in sorted(self.together.items()):
            for other in sorted(others):
                first, second = where[one], where[other]
                if first != second and len(kept[first]) + len(kept[second]) <= CAP:
                    where |= dict.fromkeys(kept[second], first)
                    kept[first] = sorted(kept[first] + kept.pop(second))
        yield from kept.values()


NO_TIES = Ties()


def ties_of(lessons: Sequence[str], proposals: Sequence[Proposal], decisions: Sequence[Decision]) -> Ties:
    """Return what people decided of these lessons, given by their ids."""
    place = {id: number for number, id in enumerate(lessons)}
    belong: dict[tuple[int, int], bool] = {}
    for one, other, verdict in (*_taken_out(proposals), *_decided(decisions)):
        if one in place and other in place and one != other:
            belong[place[one], place[other]] = belong[place[other], place[one]] = verdict
    return Ties(
        together=_by_lesson(pair for pair, verdict in belong.items() if verdict),
        apart=_by_lesson(pair for pair, verdict in belong.items() if not verdict),
        mixed=tuple(_mixed(place, decisions)),
    )


def _by_lesson(pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    found: dict[int, set[int]] = {}
    for one, other in pairs:
        found.setdefault(one, set()).add(other)
    return {lesson: frozenset(others) for lesson, others in found.items()}


def _taken_out(proposals: Sequence[Proposal]) -> Iterator[tuple[str, str, bool]]:
    """Walk what people said who took lessons out of a proposal; of those that stayed it says nothing yet."""
    for proposal in proposals:
        for out in proposal.left_out:
            yield from ((out, kept.id, False) for kept in proposal.instances)


def _decided(decisions: Sequence[Decision]) -> Iterator[tuple[str, str, bool]]:
    for decision in standing(decisions):
        for group in decision.groups:
            yield from ((one, other, True) for one, other in combinations(group, 2))
        for first, second in combinations(decision.groups, 2):
            yield from ((one, other, False) for one in first for other in second)


def _mixed(place: Mapping[str, int], decisions: Sequence[Decision]) -> Iterator[frozenset[int]]:
    for each in rejected_as_mixed(decisions):
        lessons = frozenset(place[id] for id in each.revisions if id in place)
        if 1 < len(lessons) == len(each.revisions):
            yield lessons
