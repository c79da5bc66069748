"""The journeys that a harness makes, statement by statement; a script beside this folder is one call of `prove`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from support.harness import Harness
from support.memory import Memory
from support.network import isolate
from support.programs import NotInstalled, require
from support.report import Report
from support.stage import Stage, open_stage
from support.statements import learning, past, secrets, tools, wiring
from support.statements.ground import Ground, lay_out
from support.workplace import Workplace

Statement = Callable[[Stage, Ground], None]
LEARNING: tuple[Statement, ...] = (
    learning.teach,
    learning.recall,
    learning.explain,
    tools.save_and_find,
    learning.recall_in_chinese,
    secrets.keep_none,
    learning.look_for_echoes,
)
WHOLE: tuple[Statement, ...] = (wiring.set_up_and_undo, wiring.set_up, *LEARNING, wiring.unset)
PURGE: tuple[Statement, ...] = (wiring.purge,)
PAST: tuple[Statement, ...] = (past.import_twice,)


def prove(title: str, harness: Harness, *journeys: Sequence[Statement]) -> int:
    """Make each journey with the real program, in a place of its own; return the exit code."""
    report = Report(title)
    try:
        require([harness.program])
    except NotInstalled as reason:
        return report.skip(str(reason))
    isolate(report)
    for statements in journeys:
        with Workplace([harness.program]) as place:
            ground = lay_out(place)
            with open_stage(harness, place, Memory(place), report) as stage:
                for statement in statements:
                    attempt(statement, stage, ground)
    return report.end()


def attempt(statement: Statement, stage: Stage, ground: Ground) -> None:
    """Let a statement report; what breaks it off is a failure too, and the others go on."""
    try:
        statement(stage, ground)
    except (AssertionError, OSError) as error:
        stage.report.check(f"{statement.__module__}.{statement.__name__} comes to its end", False, error)
