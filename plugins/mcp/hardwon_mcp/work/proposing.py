"""memory_rule_propose: a rule into the user's review queue, with the lessons that prove it."""

from __future__ import annotations

from typing import Any

from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.proposing import propose_rule
from hardwon_mcp.work.context import Context, Told
from hardwon_mcp.work.saving import require_nameless


def propose(context: Context, arguments: dict[str, Any]) -> Told:
    """Put a proposal into the queue. Raises InvalidInput, NotFound, Conflict."""
    context.require_capture()
    require_nameless(arguments["rule"], context, "proposed")
    lessons = [find_memory(context.home, id, context.visible) for id in dict.fromkeys(arguments["lessons"])]
    proposal, new = propose_rule(
        context.home, arguments["rule"], lessons, why=arguments.get("why", ""), by=context.caller.name
    )
    waits = "waits" if new else "waited already"
    text = (
        f"Proposal {proposal.id} {waits} for the user, with {len(proposal.instances)} lessons of "
        f"{len(proposal.projects)} projects; it holds only once they accept it (`hardwon review show {proposal.id}`)."
    )
    return Told({"id": proposal.id, "rule": proposal.rule, "new": new, "state": proposal.state.value}, text)
