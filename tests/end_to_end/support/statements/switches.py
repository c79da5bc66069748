"""Off means off: during a pause, and in what hardwon itself starts, nothing is shown and nothing is captured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from support.stage import Stage
from support.statements.ground import QUESTION, Ground

UNHEARD = "Remember: the nightly backup of the wiki goes to the second disk."
HEARD_OF = "nightly backup"
OFF_VARIABLE = "HARDWON_HOOKS"


def stay_off(stage: Stage, ground: Ground) -> None:
    """Ask and teach while hardwon is off, in either way."""
    for how, switched_off in (("during a pause", _paused), (f"with {OFF_VARIABLE}=off", _without_hooks)):
        with switched_off(stage):
            asked = stage.turn(ground.worktree, QUESTION)
            taught = stage.turn(ground.project, UNHEARD)
        stage.report.check(f"{how} nothing is shown", asked.went_on and not asked.shown(), asked.shown())
        stage.memory.wait()
        learned = stage.memory.memories(HEARD_OF)
        stage.report.check(f"{how} nothing is learned", taught.went_on and not learned, learned)


@contextmanager
def _paused(stage: Stage) -> Iterator[None]:
    stage.memory.command("pause", "--for", "1h")
    yield
    stage.memory.command("pause", "--off")


@contextmanager
def _without_hooks(stage: Stage) -> Iterator[None]:
    stage.place.environment[OFF_VARIABLE] = "off"
    yield
    del stage.place.environment[OFF_VARIABLE]
