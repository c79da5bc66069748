"""Proposals of every kind that changes a rule, each in a home where that rule stands, for tests of any store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.proposal import Part, Proposal, ProposalKind, instance_of
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import AppliesWhen, Scope
from hardwon.kernel.use_cases.review import accept
from hardwon.testing.examples import MOMENT, memory

FIRST = "Set a time limit on every network call."
SECOND = "Give each call over the network a deadline."
BETTER = "Give every call over the network a deadline and say what happens when it passes."

Make = Callable[[Home], Proposal]


def standing_rule(home: Home, words: str, projects: str, day: int = 0) -> MemoryEntry:
    """Return a rule that the user accepted, with a lesson of each project, one letter a project."""
    lessons = home.storage.memories.put([memory(f"{words} It hung in {name}.", project=name) for name in projects])
    proposal = Proposal(
        id=f"new{day}{projects}",
        rule=words,
        instances=tuple(map(instance_of, lessons)),
        created_at=MOMENT + timedelta(days=day),
    )
    home.queue.add([proposal])
    return accept(home, proposal, by="ada").rule


def objection(home: Home, rule: MemoryEntry, project: str) -> MemoryEntry:
    """Return a lesson that speaks against a rule."""
    (lesson,) = home.storage.memories.put([memory("A time limit broke the long poll; leave it out.", project=project)])
    edge = Relation(source=lesson.id, kind=RelationKind.CONTRADICTS, target=rule.id, asserted_at=MOMENT)
    home.storage.memories.relate([edge])
    return lesson


def _proposal(home: Home, kind: ProposalKind, rules: list[MemoryEntry], **fields: Any) -> Proposal:
    edges = [edge for rule in rules for edge in home.storage.memories.relations(rule.id)]
    lessons = home.storage.memories.get([edge.target for edge in edges if edge.kind is RelationKind.GENERALIZES])
    against = home.storage.memories.get([edge.source for edge in edges if edge.kind is RelationKind.CONTRADICTS])
    given: dict[str, Any] = {
        "id": f"prop{kind.value.replace('-', '')}",
        "kind": kind,
        "rule": rules[0].lesson.principle,
        "instances": tuple(map(instance_of, lessons.values())),
        "against": tuple(map(instance_of, against.values())),
        "targets": tuple(map(instance_of, rules)),
        "created_at": MOMENT + timedelta(days=9),
    }
    proposal = Proposal(**(given | fields))
    home.queue.add([proposal])
    return proposal


def refine(home: Home) -> Proposal:
    """Return better words for a rule that is also spoken against."""
    rule = standing_rule(home, FIRST, "abc")
    objection(home, rule, "x")
    return _proposal(home, ProposalKind.REFINE, [rule], rule=BETTER)


def merge(home: Home) -> Proposal:
    """Return one rule for two that say one thing."""
    return _proposal(
        home, ProposalKind.MERGE, [standing_rule(home, FIRST, "abc"), standing_rule(home, SECOND, "def", 1)]
    )


def split(home: Home) -> Proposal:
    """Return two rules for one."""
    rule = standing_rule(home, FIRST, "abcd")
    lessons = [edge.target for edge in home.storage.memories.relations(rule.id)]
    parts = (Part(rule=BETTER, instances=tuple(lessons[:2])), Part(rule=SECOND, instances=tuple(lessons[2:])))
    return _proposal(home, ProposalKind.SPLIT, [rule], parts=parts)


def narrow(home: Home) -> Proposal:
    """Return fewer places for a rule."""
    rule = standing_rule(home, FIRST, "abc")
    objection(home, rule, "x")
    return _proposal(home, ProposalKind.NARROW, [rule], scope=Scope(applies_when=AppliesWhen(languages=("python",))))


def retire(home: Home) -> Proposal:
    """Return the end of a rule."""
    rule = standing_rule(home, FIRST, "abc")
    objection(home, rule, "x")
    return _proposal(home, ProposalKind.RETIRE, [rule])


MAKERS: Mapping[str, Make] = {"refine": refine, "merge": merge, "split": split, "narrow": narrow, "retire": retire}


def state(home: Home) -> dict[str, Any]:
    """Return what stands: every memory but what lies in the archive, every edge, and what waits."""
    entries = list(home.storage.memories.scan(Filter()))
    edges = {edge.key: edge.asserted_at for entry in entries for edge in home.storage.memories.relations(entry.id)}
    return {"memories": entries, "edges": edges, "waits": home.queue.pending()}


def archived(home: Home) -> list[MemoryEntry]:
    """Return what lies in the archive."""
    return list(home.storage.memories.scan(Filter(statuses=(Status.ARCHIVED,))))
