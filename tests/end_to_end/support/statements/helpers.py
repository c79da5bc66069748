"""What an agent asks of a sub-agent is no person's word: the memory does not speak to it, and nothing of it is kept."""

from __future__ import annotations

from hardwon.kernel.injection import MARKER
from support.fake_models.server import Call
from support.stage import Stage
from support.statements.ground import QUESTION, Ground

PROMPT = "Ask a helper how we deploy."
ASKED = f"{QUESTION} Answer in one word."


def leave_alone(stage: Stage, ground: Ground) -> None:
    """Have the agent give the question, for which there is a memory, to a sub-agent."""
    task = Call("task", {"description": "Deploying", "prompt": ASKED, "subagent_type": "general"})
    turn = stage.turn(ground.worktree, PROMPT, [task])
    helpers = [asked for asked in turn.asked if asked.holding(ASKED) and not asked.holding(PROMPT)]
    shown = [text for asked in helpers for text in asked.holding(MARKER)]
    stage.report.check("the memory does not speak to a sub-agent", turn.went_on and helpers and not shown, shown[:1])
    stage.memory.wait()
    journal = "".join(path.read_text(encoding="utf-8") for path in (stage.memory.home / "memory/daily").glob("*.md"))
    stage.report.check("the turn itself is in the journal", f"> {PROMPT}" in journal)
    stage.report.check("what a sub-agent was asked is not", f"> {ASKED}" not in journal)
