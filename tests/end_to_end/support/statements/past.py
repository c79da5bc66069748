"""Sessions from before hardwon came are taken by `import`, each turn once."""

from __future__ import annotations

from support.stage import Stage
from support.statements.ground import LESSON, TAUGHT, Ground


def import_twice(stage: Stage, ground: Ground) -> None:
    """Teach a lesson without hardwon, import it, and import it again."""
    turn = stage.turn(ground.project, LESSON)
    stage.report.check("a session without hardwon goes on", turn.went_on, turn.finished.said[-200:])
    for time in ("first", "second"):
        done = stage.memory.command("import", "--from", stage.harness.name)
        stage.memory.wait()
        found = [each["content"] for each in stage.memory.memories(*TAUGHT)]
        stage.report.check(f"after the {time} import the lesson is in the memory, once", len(found) == 1, done.said)
    there = stage.memory.json("recall", "How do I deploy to staging?", folder=ground.worktree)["hits"]
    stage.report.check("it belongs to the project that the session was held in", len(there) == 1, there)
    elsewhere = stage.memory.json("recall", "How do I deploy to staging?", folder=ground.other)["hits"]
    stage.report.check("and to no other", not elsewhere, elsewhere)
