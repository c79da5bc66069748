"""The user's own agent as the model: it takes what waits for words, is told what to mend, and the user decides.

`python tests/end_to_end/drafting.py`.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from support.fake_models.server import Call
from support.harness import Harness
from support.harnesses.claude_code import ClaudeCode
from support.harnesses.codex import Codex
from support.memory import Memory
from support.network import isolate
from support.programs import NotInstalled, require
from support.report import Report
from support.stage import Stage, Turn, open_stage
from support.workplace import Workplace

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind
from hardwon.kernel.proposal import Proposal, instance_of
from hardwon.kernel.query import Filter

INCIDENTS = {
    "github.com/acme/shop": "A customer was charged twice: the call timed out and was sent again with a new key.",
    "github.com/acme/bank": "银行接口超时后重发请求，换了新的键，同一笔转账入账两次。",
    "github.com/acme/clinic": "An appointment was booked twice, since the repeated request carried a key of its own.",
}
CLOSED = "A customer's own story, which must never be given out."
WEAK = "The shop charged twice because retry_payment made a new key."
SOUND = "Send the same idempotency key with every repeat of a request that may have taken effect."
ASKED = "Word what waits for words in my memory, with memory_draft_next and memory_draft_save."
ALLOWED = '[plugins.mcp]\ndraft = true\n\n[projects."github.com/acme/secret"]\ngeneralize = false\n'
WITHOUT_WORDS = "k7wordless"


def prepare(memory: Memory, harness: str) -> None:
    """Have lessons of several projects, one of them closed, and a proposal for which the generalizer found no words."""
    memory.command("setup", harness, "--yes")
    told = {**INCIDENTS, "github.com/acme/secret": CLOSED}
    path = memory.place.root / "lessons.jsonl"
    rows = (json.dumps({"project": name, "content": text}, ensure_ascii=False) for name, text in told.items())
    path.write_text("\n".join(rows), encoding="utf-8")
    memory.command("import", str(path))
    memory.wait()
    (memory.home / "config.toml").write_text(ALLOWED, encoding="utf-8")
    with Home(memory.home) as home:
        lessons = [each for each in home.storage.memories.scan(Filter(kinds=(Kind.LESSON,))) if each.content != CLOSED]
        instances = tuple(map(instance_of, lessons))
        home.queue.add([Proposal(id=WITHOUT_WORDS, rule="", instances=instances, created_at=datetime.now(UTC))])


def tell(stage: Stage, report: Report) -> None:
    """Take, draft, be told to mend, mend; the user looks and accepts."""
    prepare(stage.memory, stage.harness.name)
    calls = [
        Call("memory_draft_next", {"limit": 10}),
        Call("memory_draft_save", {"id": WITHOUT_WORDS, "principle": WEAK}),
        Call("memory_draft_save", {"id": WITHOUT_WORDS, "principle": SOUND}),
    ]
    turn = stage.turn(stage.place.make_project("work"), ASKED, calls)
    report.check("the tools are offered in the first request", turn.asked and turn.asked[0].offers("memory_draft_next"))
    _check_what_was_told(turn, report)
    shown = stage.memory.json("review", "show", WITHOUT_WORDS)
    author = shown["worded_by"] or ""
    report.check("the proposal reads as the agent worded it", shown["rule"] == SOUND, shown["rule"])
    report.check("and says who worded it", stage.harness.name.split("-")[0] in author, author)
    report.check("nothing is decided by that", stage.memory.json("rules") == [])
    taken = stage.memory.json("review", "accept", WITHOUT_WORDS)
    rules = [each["content"] for each in stage.memory.json("rules")]
    report.check("the user accepts it as it stands", rules == [SOUND], taken)


def _check_what_was_told(turn: Turn, report: Report) -> None:
    told = "\n".join(turn.came_back())
    quoted = [text for text in INCIDENTS.values() if text in told or json.dumps(text)[1:-1] in told]
    report.check("the lessons of all projects are given as data", len(quoted) == len(INCIDENTS), told[:300])
    report.check("those of a closed project are not", CLOSED not in told)
    mended = "identifier (retry_payment)" in told and "names github.com/acme/shop" in told
    report.check("a weak draft is answered with all that is to be mended", mended, told[-600:])


def prove(harness: Harness, report: Report) -> None:
    """Tell it with one harness, in a place of its own."""
    with Workplace([harness.program]) as place, open_stage(harness, place, Memory(place), report) as stage:
        try:
            tell(stage, report)
        except (AssertionError, OSError, LookupError) as error:
            report.check(f"{harness.name}: the story comes to its end", False, repr(error))


def main() -> int:
    """Tell it with each harness; return the exit code."""
    report = Report(Path(__file__).stem)
    harnesses: tuple[Harness, ...] = (ClaudeCode(), Codex())
    try:
        require([harness.program for harness in harnesses])
    except NotInstalled as reason:
        return report.skip(str(reason))
    isolate(report)
    for harness in harnesses:
        prove(harness, report)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
