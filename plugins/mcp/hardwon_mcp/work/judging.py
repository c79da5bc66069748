"""memory_feedback: what the user made of a memory that was shown."""

from __future__ import annotations

from typing import Any

from hardwon.kernel.use_cases.feedback import Verdict, give_feedback, told
from hardwon_mcp.work.context import Context, Told
from hardwon_mcp.work.finding import find_shown


def judge(context: Context, arguments: dict[str, Any]) -> Told:
    """Pass a verdict on. Raises NotFound for a memory that this project does not see."""
    entry = find_shown(context, arguments["id"])
    verdict = Verdict(arguments["verdict"])
    heard = give_feedback(context.home, entry, verdict, session=context.session, through=context.caller.name)
    data = {"id": entry.id, "verdict": verdict.value, "shown_unasked": heard.shown_unasked}
    return Told(data, told(heard))
