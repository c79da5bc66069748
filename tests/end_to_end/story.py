"""The whole story in real harnesses: three incidents in three projects become a rule that helps in a fourth.

`python tests/end_to_end/story.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from support.harnesses.claude_code import ClaudeCode
from support.harnesses.codex import Codex
from support.harnesses.codex_trust import trust_hooks
from support.memory import Memory
from support.network import isolate
from support.programs import NotInstalled, require
from support.report import Report
from support.stage import Stage, open_stage
from support.workplace import Workplace

IN_CLAUDE = (
    "Lesson: the settings file was cut in half when the power failed while it was being saved, because it was "
    "overwritten in place. It is written to a new file beside it and renamed now."
)
IN_CODEX = (
    "Root cause: a full disk left an empty cache index behind, since the old file was truncated before "
    "the new one stood. Write a temporary file first and rename it over the old one."
)
IN_A_PAST_SESSION = (
    "Lesson learned: the process was killed while it saved the playlist, and only half of the file was left. "
    "Save to a temporary file, flush it, and rename it over the old one."
)
TASK = "Write a function that saves the settings file to disk and survives a crash in the middle."


def tell(claude: Stage, codex: Stage, report: Report) -> None:
    """Live through the story."""
    place, memory = claude.place, claude.memory
    past, shop, maps, clinic = (place.make_project(name) for name in ("player", "shop", "maps", "clinic"))
    claude.turn(past, IN_A_PAST_SESSION)
    memory.command("setup", "claude-code", "codex", "--yes")
    trust_hooks(place)
    for stage, folder, incident in ((claude, shop, IN_CLAUDE), (codex, maps, IN_CODEX)):
        turn = stage.turn(folder, incident)
        report.check(
            f"an incident in a session of {stage.harness.name}", turn.went_on, f"{turn.finished.seconds:.1f} s"
        )
    memory.wait()
    done = memory.command("import", "--from", "claude-code")
    report.check("a past session of Claude Code is imported", done.code == 0, done.said)
    memory.wait()
    lessons = [each["content"] for each in memory.memories("file")]
    report.check("three lessons are in the memory", len(lessons) == 3, lessons)
    rule = _accepted(memory, report)
    _ask_elsewhere(claude, clinic, rule, report)


def _accepted(memory: Memory, report: Report) -> dict[str, Any]:
    """Consolidate and accept what is proposed; return the proposal with what came of it."""
    memory.command("consolidate")
    proposals = memory.json("review", "list")
    report.check("consolidate proposes one rule of three projects", len(proposals) == 1, proposals)
    taken = memory.json("review", "accept", proposals[0]["id"])
    report.check("review accept makes the rule", len(taken["lessons"]) == 3, taken)
    return {**proposals[0], **taken}


def _ask_elsewhere(stage: Stage, folder: Path, rule: dict[str, Any], report: Report) -> None:
    """Ask in a project where it never happened."""
    turn = stage.turn(folder, TASK)
    shown = [text for text in turn.shown() if rule["rule"] in text]
    report.check("the rule is in the request of a session in a fourth project", shown, shown or turn.finished.said)
    told = stage.memory.command("why", folder=folder)
    ids = [rule["rule_id"], *rule["lessons"]]
    report.check("why tells it, and the lessons behind it", all(each in told.output for each in ids), told.said)


def main() -> int:
    """Tell the story; return the exit code."""
    report = Report("story")
    harnesses = ClaudeCode(), Codex()
    programs = [harness.program for harness in harnesses]
    try:
        require(programs)
    except NotInstalled as reason:
        return report.skip(str(reason))
    isolate(report)
    with Workplace(programs) as place:
        memory = Memory(place)
        first, second = (open_stage(harness, place, memory, report) for harness in harnesses)
        with first as claude, second as codex:
            try:
                tell(claude, codex, report)
            except (AssertionError, OSError, LookupError) as error:
                report.check("the story comes to its end", False, repr(error))
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
