"""The tools that hardwon gives the agent: the model calls them, and what they did is true."""

from __future__ import annotations

from support.fake_models.server import Call
from support.stage import Stage
from support.statements.ground import Ground

SAVED_TEXT = "Tests of two runs at the same time failed at random: they shared one schema of the test database."
SAVED = {
    "content": SAVED_TEXT,
    "situation": "Two runs of the tests at the same time failed at random.",
    "cause": "Both used the schema test_main of one database.",
    "fix": "Each run makes a schema of its own, named by its process.",
    "principle": "Give every test run a database of its own.",
}
SEARCHED = {"query": "tests that fail at random when two runs share a database"}


def save_and_find(stage: Stage, ground: Ground) -> None:
    """Have the model save a lesson with one tool, and find it in another session with the other."""
    turn = stage.turn(ground.project, "Please keep what we just found out.", [Call("memory_save", SAVED)])
    first = turn.asked[0] if turn.asked else None
    offered = [tool.name for tool in first.tools] if first else []
    stage.report.check("the tools are offered in the first request", first and first.offers("memory_save"), offered)
    stage.report.check("memory_save saves", len(stage.memory.memories(SAVED_TEXT)) == 1, turn.came_back())
    turn = stage.turn(ground.worktree, "Which of our tests are flaky?", [Call("memory_search", SEARCHED)])
    found = [text for text in turn.came_back() if SAVED_TEXT in text]
    stage.report.check("memory_search finds", found, found or turn.came_back())
