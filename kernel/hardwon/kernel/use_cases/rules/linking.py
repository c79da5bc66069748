"""Link and unlink: the user says that a lesson speaks for a rule, or against it, or that it does not.

What the user unlinks stays so: nothing that is counted without asking brings such an edge back, for the rule or for any
version of it. Both are decisions, which are kept for ever and move with the memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hardwon.kernel.decision_order import standing
from hardwon.kernel.errors import Conflict, InvalidInput, NotFound
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import Kind, Status
from hardwon.kernel.proposal import Decision, ProposalKind
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.rules.versions import versions_of

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

LINK, UNLINK, UNDO = "link", "unlink", "undo"


def evidence_edge(home: Home, rule: MemoryEntry, lesson: MemoryEntry) -> Relation | None:
    """Return the standing edge by which a lesson speaks for a rule or against it; None where it does neither."""
    for edge in home.storage.memories.relations(rule.id):
        if edge.key in (_edge(rule, lesson, against=against).key for against in (False, True)):
            return edge
    return None


def link(
    home: Home, rule: MemoryEntry, lesson: MemoryEntry, *, against: bool = False, by: str, why: str = ""
) -> Decision:
    """Let a lesson speak for a rule, or against it. Raises InvalidInput, and Conflict where it speaks already."""
    _require_rule(rule)
    if lesson.kind is Kind.RULE or lesson.status is Status.ARCHIVED:
        raise InvalidInput(f"{lesson.id} is a rule, or is archived, and proves nothing; name a lesson that stands.")
    if evidence_edge(home, rule, lesson):
        raise Conflict(f"{lesson.id} speaks for {rule.id} or against it already; `hardwon unlink` it first.")
    edge = _edge(rule, lesson, against=against).model_copy(update={"asserted_at": home.clock.now()})
    with home.storage.operation(f"Link {lesson.id} to {rule.id}: {lesson.title}"):
        group = () if against else (*_lessons(home, rule), lesson.id)
        decision = _decision(home, LINK, edge, (rule, lesson), by, why, groups=(group,) if group else ())
        home.storage.memories.relate([edge])
        home.storage.ledger.decide(decision)
    return decision


def unlink(home: Home, rule: MemoryEntry, lesson: MemoryEntry, *, by: str, why: str = "") -> Decision:
    """Let a lesson speak neither for a rule nor against it, for good. Raises NotFound where it does neither."""
    _require_rule(rule)
    edge = evidence_edge(home, rule, lesson)
    if edge is None:
        raise NotFound(
            f"{lesson.id} speaks neither for {rule.id} nor against it; `hardwon links {rule.id}` lists what does."
        )
    with home.storage.operation(f"Unlink {lesson.id} from {rule.id}: {lesson.title}"):
        rest = tuple(id for id in _lessons(home, rule) if id != lesson.id)
        apart = (rest, (lesson.id,)) if edge.kind is RelationKind.GENERALIZES and rest else ()
        decision = _decision(home, UNLINK, edge, (rule, lesson), by, why, groups=apart)
        home.storage.memories.unrelate([edge], home.clock.now())
        home.storage.ledger.decide(decision)
    return decision


def taken_back(home: Home, decisions: Iterable[Decision]) -> set[tuple[str, str]]:
    """Return the pairs (rule, lesson) that the user unlinked, for every version of the rule, undone ones too."""
    decisions = list(decisions)
    last = {each.proposal: each for each in standing(decisions) if each.action in (LINK, UNLINK)}
    unlinked = [each for each in last.values() if each.action == UNLINK and each.rule]
    return {
        (version, lesson)
        for each in unlinked
        for version in _every_version(home, str(each.rule), decisions)
        for lesson in each.revisions
    }


def unlinked_from(home: Home, rules: Iterable[str]) -> set[str]:
    """Return the lessons that the user unlinked from one of these rules, or from any version of it."""
    rules = set(rules)
    return {lesson for rule, lesson in taken_back(home, home.storage.ledger.decisions()) if rule in rules}


def _every_version(home: Home, rule: str, decisions: Iterable[Decision]) -> set[str]:
    """Return the ids of all versions of a rule, by the edges that stand and by all decisions that ever made one."""
    found = {each.id for each in versions_of(home, rule)} | {rule}
    made = [{each.rule, *each.targets} for each in decisions if each.rule and each.targets]
    while grown := [each for each in made if not found.isdisjoint(each) and not each <= found]:
        found.update(id for each in grown for id in each if id)
    return found


def _require_rule(rule: MemoryEntry) -> None:
    if rule.kind is not Kind.RULE:
        raise InvalidInput(f"{rule.id} is no rule; `hardwon rules` lists them.")


def _edge(rule: MemoryEntry, lesson: MemoryEntry, *, against: bool) -> Relation:
    ends = (lesson.id, rule.id) if against else (rule.id, lesson.id)
    kind = RelationKind.CONTRADICTS if against else RelationKind.GENERALIZES
    return Relation(source=ends[0], kind=kind, target=ends[1], asserted_at=rule.times.asserted_at)


def _lessons(home: Home, rule: MemoryEntry) -> tuple[str, ...]:
    edges = home.storage.memories.relations(rule.id)
    return tuple(edge.target for edge in edges if edge.kind is RelationKind.GENERALIZES and edge.source == rule.id)


def _decision(
    home: Home,
    action: str,
    edge: Relation,
    ends: tuple[MemoryEntry, MemoryEntry],
    by: str,
    why: str,
    *,
    groups: tuple[tuple[str, ...], ...],
) -> Decision:
    """Return a decision on a pair, which goes by the name that all decisions on it have; one reverses the other."""
    rule, lesson = ends
    pair = f"link-{rule.id}-{lesson.id}"
    earlier = home.storage.ledger.decisions(pair)
    reversed_ = earlier[-1] if earlier and earlier[-1].action in (LINK, UNLINK) else None
    takes_back = (
        reversed_ is not None and reversed_.action != action and reversed_.before + reversed_.after == edge.kind
    )
    now = home.clock.now()
    return Decision(
        id=new_id(now),
        proposal=pair,
        kind=ProposalKind.TIDY,
        action=UNDO if takes_back else action,
        by=by,
        at=now,
        why=why,
        rule=rule.id,
        revisions={lesson.id: lesson.revision},
        groups=() if takes_back else groups,
        undoes=reversed_.id if takes_back and reversed_ else None,
        follows=earlier[-1].id if earlier else None,
        before=edge.kind.value if action == UNLINK else "",
        after=edge.kind.value if action == LINK else "",
    )
