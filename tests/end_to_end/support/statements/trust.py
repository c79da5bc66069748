"""Codex runs no hook that the user has not trusted: hardwon says so, and never trusts in their place."""

from __future__ import annotations

from support.harnesses.codex_trust import app_server, hooks, trust_hooks
from support.stage import Stage
from support.statements.ground import UNRELATED, Ground

OURS = "hook/hook"
"""In the command line of every hook of hardwon's."""


def miss(stage: Stage, ground: Ground) -> None:
    """Look at Codex right after `setup`: our hooks are known to it, not trusted, and `status` tells the user."""
    with app_server(stage.place) as server:
        states = [hook["trustStatus"] for hook in hooks(server, ground.project) if OURS in str(hook.get("command"))]
    stage.report.check("setup grants no trust", states and "trusted" not in states, states)
    told = stage.memory.command("status")
    stage.report.check("status reports that the hooks are not trusted", "trust" in told.output.lower(), told.said)
    turn = stage.turn(ground.project, UNRELATED)
    stage.report.check("a turn goes on without trust", turn.went_on, f"{turn.finished.seconds:.1f} s")


def grant(stage: Stage, ground: Ground) -> None:
    """Trust the hooks as the user does."""
    trust_hooks(stage.place)
    told = stage.memory.json("status")
    stage.report.check("once they are trusted, status asks for nothing more", "trust" not in str(told).lower(), told)
