"""What happened, why, and what to do are the parts of a lesson: each is what was said, and none where nothing was."""

from __future__ import annotations

import pytest
from saying import agent, extracts, learned, turn, user

EVENTS = [
    "the worker was killed by the OOM killer",
    "the export stopped at midnight",
    "two invoices got the same number",
    "users were logged out twice",
]
CAUSE = "batches were unbounded"


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("lead", ["Root cause: ", "Remember the root cause: ", "Lesson: ", "Remember: "])
def test_what_happened_is_the_situation_and_never_the_fix(lead: str, event: str) -> None:
    """A wrong fix is worse than none."""
    [extract] = learned(user(f"{lead}{event} because {CAUSE}."), agent("Noted."))

    assert extract.lesson.situation == event
    assert extract.lesson.cause == CAUSE
    assert extract.lesson.fix is None


@pytest.mark.parametrize(
    "fix",
    [
        "It is written to a new file beside it and renamed now.",
        "Save to a temporary file and rename it.",
        "We now read 500 rows at a time.",
        "Always write to a copy.",
    ],
)
def test_what_was_done_or_is_to_be_done_is_the_fix(fix: str) -> None:
    """Said in a sentence of its own, it belongs to the statement before it."""
    statement = f"Lesson: the cache was corrupted because two processes wrote it at once. {fix}"

    [extract] = extracts([turn(user(statement), agent("Noted."))])

    assert extract.evidence == statement
    assert extract.lesson.cause == "two processes wrote it at once"
    assert extract.lesson.fix == fix


def test_a_cause_alone_is_a_cause() -> None:
    """Neither a situation nor a fix is made of it."""
    [extract] = learned(user("Root cause: the watchdog fires while the radio calibrates."), agent("Noted."))

    assert extract.lesson.cause == "the watchdog fires while the radio calibrates"
    assert extract.lesson.situation is None
    assert extract.lesson.fix is None


def test_chinese_causes_are_taken_apart_alike() -> None:
    """因为 tells what happened from why."""
    [extract] = learned(user("根因：服务半夜退出，因为批次没有上限"), agent("明白。"))

    assert extract.lesson.situation == "服务半夜退出"
    assert extract.lesson.cause == "批次没有上限"
    assert extract.lesson.fix is None


@pytest.mark.parametrize(
    "said",
    [
        "Root cause: the worker was killed because batches were unbounded. It reads 500 rows at a time now.",
        "Remember: the deploy script needs FOO=1 set. Otherwise the staging proxy drops the header.",
        "please don't amend commits that are pushed. it messes with everybody's branches",
        "记住：发布脚本要先设置 FOO=1。否则预发代理会丢掉请求头。",
    ],
)
def test_one_thing_taught_is_one_extract(said: str) -> None:
    """The sentence that gives its reason, or what was done, is no second one, not even a refused one."""
    assert len(extracts([turn(user(said), agent("Understood. 明白。"))])) == 1
