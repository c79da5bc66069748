"""Propose: somebody other than the generalizer puts a rule into the review queue. It never decides.

Such a proposal is not the generalizer's to refresh or to withdraw; only the user ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, InvalidInput
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import Kind
from hardwon.kernel.proposal import PROPOSED_BY, Proposal, ProposalState, instance_of
from hardwon.kernel.use_cases.projects import closed_among, load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

ID_LENGTH = 10
CONFIDENCE = 0.5
"""Nobody measured how well these lessons agree."""


def propose_rule(home: Home, rule: str, lessons: Sequence[MemoryEntry], *, why: str, by: str) -> tuple[Proposal, bool]:
    """Put a rule for all projects into the queue; return the proposal and whether it is new.

    Raises InvalidInput for evidence that may not become part of one, Conflict for what the user decided on already.
    """
    # First of all: not even a fingerprint of a secret is kept.
    words = " ".join(home.redactor.redact(rule).text.split())
    if not lessons:
        raise InvalidInput("There is no lesson behind this rule; name those that prove it.")
    for lesson in lessons:
        if lesson.kind is Kind.RULE:
            raise InvalidInput(f"{lesson.id} is a rule itself and proves nothing; name the lessons behind it.")
    book = load_projects(home)
    resolved = book.resolved(lessons)
    closed = closed_among(home, book, (lesson.scope.project for lesson in resolved))
    for lesson in resolved:
        if lesson.scope.project in closed:
            raise InvalidInput(f"The lessons of {lesson.scope.project} are not generalized; name others, or none.")
    id = fingerprint("proposed", words, *sorted(lesson.id for lesson in lessons), length=ID_LENGTH)
    known = next((each for each in home.queue.all() if each.id == id), None)
    if known is not None and known.state is not ProposalState.PENDING:
        raise Conflict(f"The user decided on this already ({known.state}); leave it, or bring more lessons.")
    if known is not None:
        return known, False
    proposal = Proposal(
        id=id,
        rule=words,
        rationale=f"{why.strip()} (Proposed by {by}.)".strip(),
        instances=tuple(map(instance_of, resolved)),
        confidence=CONFIDENCE,
        created_at=home.clock.now(),
        metadata={PROPOSED_BY: by},
    )
    with home.storage.operation(f"Propose a rule: {words[:72]}"):
        home.queue.add([proposal])
    return proposal, True
