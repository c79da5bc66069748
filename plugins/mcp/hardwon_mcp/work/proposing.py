"""memory_rule_propose: a rule into the user's review queue, with the lessons that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.lesson_fields import PRINCIPLE, Mending, mending_text
from hardwon.kernel.principle import faults_of
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.proposing import propose_rule
from hardwon_mcp.work.context import Context, Told

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry


def propose(context: Context, arguments: dict[str, Any]) -> Told:
    """Put a proposal into the queue. Raises InvalidInput, NotFound, Conflict."""
    context.require_capture()
    lessons = [find_memory(context.home, id, context.visible) for id in dict.fromkeys(arguments["lessons"])]
    _require_sound(arguments["rule"], context, lessons)
    proposal, new = propose_rule(
        context.home, arguments["rule"], lessons, why=arguments.get("why", ""), by=context.caller.name
    )
    waits = "waits" if new else "waited already"
    text = (
        f"Proposal {proposal.id} {waits} for the user, with {len(proposal.instances)} lessons of "
        f"{len(proposal.projects)} projects; it holds only once they accept it (`hardwon review show {proposal.id}`)."
    )
    return Told({"id": proposal.id, "rule": proposal.rule, "new": new, "state": proposal.state.value}, text)


def _require_sound(rule: str, context: Context, lessons: Sequence[MemoryEntry]) -> None:
    """Raise InvalidInput, with all that is to be mended, for a sentence that cannot stand as a rule."""
    projects = (lesson.scope.project for lesson in lessons)
    faults = faults_of(rule, dict.fromkeys(name for name in (*context.names, *projects) if name))
    if faults:
        told = mending_text([Mending(PRINCIPLE, rule, tuple(faults))], language_of(rule))
        raise InvalidInput(f"Nothing was proposed. {told}")
