"""A lesson that one session teaches is there in another worktree of the project, nowhere else, and is learned once."""

from __future__ import annotations

from hardwon.kernel.injection import MARKER
from support.stage import Stage, Turn
from support.statements.ground import (
    CHINESE_LESSON,
    CHINESE_QUESTION,
    CHINESE_TAUGHT,
    LESSON,
    QUESTION,
    TAUGHT,
    UNRELATED,
    Ground,
)
from support.statements.tools import SAVED_TEXT


def teach(stage: Stage, ground: Ground) -> None:
    """Teach a lesson in a session; it is in the memory when the background worker has ended."""
    turn = stage.turn(ground.project, LESSON)
    stage.report.check("the turn that teaches goes on", turn.went_on, _told(turn))
    waited = stage.memory.wait()
    stage.report.check("the background worker takes what was said and ends by itself", True, f"{waited:.1f} s")
    found = stage.memory.memories(*TAUGHT)
    stage.report.check("the lesson is in the memory, once", len(found) == 1, [each.get("content") for each in found])


def recall(stage: Stage, ground: Ground) -> None:
    """Ask where the lesson holds, and where it does not."""
    turn = stage.turn(ground.worktree, QUESTION)
    shown = [text for text in turn.shown() if all(word in text for word in TAUGHT)]
    stage.report.check("a new session in another worktree gets it in its request", shown, shown[:1] or _told(turn))
    for whose, folder, prompt in (
        ("a session of another project", ground.other, QUESTION),
        ("an unrelated prompt", ground.project, UNRELATED),
    ):
        turn = stage.turn(folder, prompt)
        found = [*turn.shown(), *(text for word in TAUGHT for text in turn.holding(word))]
        stage.report.check(f"the request of {whose} holds no memory", turn.went_on and not found, found[:1])
    stage.report.info("what it does hold of hardwon's, beside the tools", turn.holding(MARKER))


def look_for_echoes(stage: Stage, ground: Ground) -> None:
    """See that what hardwon showed and its tools answered did not become lessons, nor part of the journal."""
    stage.memory.wait()
    for what, words in (("recall showed", TAUGHT), ("a tool answered", (SAVED_TEXT,))):
        times = len(stage.memory.memories(*words))
        stage.report.check(f"what {what} is not learned again", times == 1, f"{times} memories")
    texts = (stage.memory.home / "memory").rglob("*.md")
    kept = [path.name for path in texts if MARKER in path.read_text(encoding="utf-8")]
    stage.report.check("no file of the memory holds what hardwon showed", not kept, kept)


def recall_in_chinese(stage: Stage, ground: Ground) -> None:
    """Teach and ask in Chinese."""
    stage.turn(ground.project, CHINESE_LESSON)
    stage.memory.wait()
    turn = stage.turn(ground.worktree, CHINESE_QUESTION)
    shown = [text for text in turn.shown() if CHINESE_TAUGHT in text]
    stage.report.check("a lesson taught in Chinese is there for a question in Chinese", shown, shown or _told(turn))


def explain(stage: Stage, ground: Ground) -> None:
    """Ask `why` what was shown."""
    told = stage.memory.command("why", folder=ground.worktree)
    stage.report.check("why tells what was shown", TAUGHT[0] in told.output, told.said)


def _told(turn: Turn) -> str:
    return f"{turn.finished.seconds:.1f} s, code {turn.finished.code}: {turn.finished.said[-200:]}"
