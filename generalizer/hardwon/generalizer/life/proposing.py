"""The changes of standing rules that the evidence asks for, at most one a rule: what is worse comes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import groupby
from typing import TYPE_CHECKING

from hardwon.generalizer.life.drafts import Draft, as_proposal
from hardwon.generalizer.life.looked_at import LookedAt, look_at
from hardwon.generalizer.life.merging import merges, split
from hardwon.generalizer.life.retiring import mending, narrowing
from hardwon.generalizer.life.rewording import refinement
from hardwon.kernel.proposal import ProposalKind
from hardwon.kernel.query import RECALLED
from hardwon.kernel.use_cases.rules.health import health_of

if TYPE_CHECKING:
    from hardwon.generalizer.catalogue import Concept
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision, Proposal


def propose_changes(
    home: Home,
    concepts: Sequence[Concept],
    rules: Sequence[MemoryEntry],
    proposals: Sequence[Proposal],
    decisions: Sequence[Decision],
) -> list[Proposal]:
    """Return the changes of standing rules that should wait now; known ones under their known ids."""
    standing = [rule for rule in rules if rule.status in RECALLED]
    looked = look_at(home, concepts, standing)
    if looked is None:
        return []
    drafts = _drafts(home, looked, concepts, decisions)
    made = (as_proposal(draft, proposals, decisions, home.clock.now()) for draft in drafts)
    return one_each(proposal for proposal in made if proposal is not None)


def _drafts(
    home: Home, looked: LookedAt, concepts: Sequence[Concept], decisions: Sequence[Decision]
) -> Iterator[Draft]:
    """Walk everything that could be proposed, what is worse first: places, failing, two causes, twice, words."""
    settings = home.settings
    health = health_of(home, [rows.backing.rule for rows in looked.rules])
    backings = [rows.backing for rows in looked.rules]
    yield from _some(narrowing(backing) for backing in backings)
    yield from _some(mending(backing, health[backing.rule.id]) for backing in backings)
    minimum, language, places = settings.generalizer.minimum_lessons, settings.language, range(len(looked.rules))
    yield from _some(split(looked, place, concepts, minimum, language) for place in places)
    yield from merges(looked)
    yield from _some(refinement(looked, place, concepts, decisions) for place in places)


def _some(drafts: Iterable[Draft | None]) -> Iterator[Draft]:
    return (draft for draft in drafts if draft is not None)


def one_each(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Return proposals of which no two would change one rule: the first ones, and of merges the surest pairs."""
    kept: list[Proposal] = []
    taken: set[str] = set()
    for is_merge, some in groupby(proposals, key=lambda each: each.kind is ProposalKind.MERGE):
        for proposal in _surest_pairs(some, taken) if is_merge else some:
            targets = {target.id for target in proposal.targets}
            if taken.isdisjoint(targets):
                taken |= targets
                kept.append(proposal)
    return kept


def _surest_pairs(merges: Iterable[Proposal], taken: Set[str]) -> list[Proposal]:
    """Return the disjoint merges that are surest taken together, beside what is taken (maximum-weight matching).

    Of three rules that are alike two are merged first; which two must not hang on their order.
    """
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    for merge in merges:
        one, other = sorted(target.id for target in merge.targets)
        if taken.isdisjoint((one, other)):
            graph.add_edge(one, other, weight=merge.confidence, merge=merge)
    pairs = sorted(sorted(pair) for pair in nx.max_weight_matching(graph))
    return [graph.edges[one, other]["merge"] for one, other in pairs]
