"""Whatever is wrong with hardwon, the user's turn goes on, and what was shown once in a session is not shown again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from support.stage import Stage, Turn
from support.statements.ground import QUESTION, TAUGHT, UNRELATED, Ground

LONGER = 10.0
"""Seconds by which trouble may lengthen a turn: four events, each with a deadline of 1 s, on a busy machine; the
harness's own limit for one hook alone is longer."""


def go_on(stage: Stage, ground: Ground) -> None:
    """Ask a question in every kind of trouble, and once more after it."""
    usual = stage.turn(ground.project, UNRELATED).finished.seconds
    troubles: dict[str, Callable[[Stage], AbstractContextManager[None]]] = {
        "the hook program is gone": _without_program,
        "the interpreter is gone": _without_interpreter,
        "the home cannot be written to": _read_only,
        "the hook program would wait for ever": _hanging,
    }
    for what, trouble in troubles.items():
        with trouble(stage):
            turn = stage.turn(ground.worktree, QUESTION)
        seconds = turn.finished.seconds
        told = f"{seconds:.1f} s, without trouble {usual:.1f} s; shown: {bool(turn.holding(*TAUGHT))}"
        stage.report.check(f"where {what}, the turn goes on", turn.went_on and seconds < usual + LONGER, told)
    turn = stage.turn(ground.worktree, QUESTION)
    stage.report.check("when the trouble is over, the memory is back", turn.holding(*TAUGHT))


def say_it_once(stage: Stage, ground: Ground) -> None:
    """Go on with a session: what it was shown stands in its history and is not repeated."""
    stage.turn(ground.worktree, QUESTION)
    turn = stage.turn(ground.worktree, QUESTION, resume=True)
    times = _times(turn)
    stage.report.check("a resumed session is shown nothing twice", times == {QUESTION: 2, TAUGHT[0]: 1}, times)


def say_it_again_after_compaction(stage: Stage, ground: Ground) -> None:
    """Compact a session: what went out of its history is shown once again."""
    stage.turn(ground.worktree, QUESTION)
    stage.turn(ground.worktree, "/compact", resume=True)
    turn = stage.turn(ground.worktree, QUESTION, resume=True)
    times = _times(turn)
    stage.report.check("a compacted session is shown it once again", times == {QUESTION: 1, TAUGHT[0]: 1}, times)


def _times(turn: Turn) -> dict[str, int]:
    """Return how often the question, and the lesson, stand in the last request."""
    return {words: len(turn.asked[-1].holding(words)) for words in (QUESTION, TAUGHT[0])} if turn.asked else {}


@contextmanager
def _without_program(stage: Stage) -> Iterator[None]:
    program = stage.memory.home / "hook" / "hook"
    aside = program.rename(program.with_name("aside"))
    try:
        yield
    finally:
        aside.rename(program)


@contextmanager
def _without_interpreter(stage: Stage) -> Iterator[None]:
    """Name an interpreter in the harness's files that is not there, as after an upgrade of the system."""
    interpreter = getattr(sys, "_base_executable", sys.executable).encode()
    files = [path for path in stage.place.home.rglob("*") if path.is_file() and not path.is_symlink()]
    ours = [path for path in files if not path.is_relative_to(stage.memory.home)]
    changed = {path: content for path in ours if interpreter in (content := path.read_bytes())}
    assert changed, f"no file of the harness names {interpreter.decode()}"
    for path, content in changed.items():
        path.write_bytes(content.replace(interpreter, interpreter + b"-gone"))
    try:
        yield
    finally:
        for path, content in changed.items():
            path.write_bytes(content)


@contextmanager
def _read_only(stage: Stage) -> Iterator[None]:
    """Mount the home read-only over itself: permissions would not stop root."""
    home = str(stage.memory.home)
    subprocess.run(["mount", "--bind", home, home], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", home], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", home], check=True)


@contextmanager
def _hanging(stage: Stage) -> Iterator[None]:
    """Put in place of the program's data a pipe into which nobody writes."""
    data = stage.memory.home / "hook" / "data.json"
    aside = data.rename(data.with_name("aside.json"))
    os.mkfifo(data)
    try:
        yield
    finally:
        aside.replace(data)
