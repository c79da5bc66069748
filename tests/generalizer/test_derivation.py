"""A lesson's fields are taken from its text only where that plainly marks them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.generalizer.derivation import derive
from hardwon.kernel.memory import Lesson
from hardwon.kernel.principle import principle_problems
from hardwon.kernel.text import language_of


def derived(text: str, *names: str) -> Lesson:
    return derive(text, names, [language_of(text)])


@pytest.mark.parametrize(
    ("text", "lesson"),
    [
        (
            "Sessions hung for days because the client had no limit configured.",
            Lesson(cause="The client had no limit configured"),
        ),
        (
            "Uploads stopped. The cause was a key column that was full. Fixed by altering it to a wider type.",
            Lesson(cause="A key column that was full", fix="Altering it to a wider type"),
        ),
        (
            "Cause: the generator was cloned with its state.\nFix: seed each generator anew.\n"
            "Rule: Never derive two secrets from one generator that was copied.",
            Lesson(
                cause="The generator was cloned with its state.",
                fix="Seed each generator anew.",
                principle="Never derive two secrets from one generator that was copied.",
            ),
        ),
        (
            "Half a file was left after the crash. Settings must be written to a new file that then replaces the old.",
            Lesson(principle="Settings must be written to a new file that then replaces the old."),
        ),
        (
            "列表页很慢，因为每一行都单独查询；改为批量加载。",
            Lesson(cause="每一行都单独查询", fix="改为批量加载"),
        ),
        (
            "现象：服务重启后任务重复执行。\n原因：确认消息之前进程被终止。\n教训：消费端必须能容忍重复投递的消息。",
            Lesson(
                situation="服务重启后任务重复执行。",
                cause="确认消息之前进程被终止。",
                principle="消费端必须能容忍重复投递的消息。",
            ),
        ),
    ],
)
def test_what_is_plainly_marked_is_taken(text: str, lesson: Lesson) -> None:
    assert derived(text) == lesson


@pytest.mark.parametrize(
    "text",
    [
        "A 43 second partition promoted a database on the other coast which lacked the last writes.",
        "The status manager sends on a full channel with the mutex held; the receiver blocks on that mutex.",
        "Run the tunnel before testing callbacks locally; it must be up first.",
        "In uci-defaults pipe the password twice into passwd root instead.",
        "打包之前要先解锁钥匙串，密码在运维的保险箱里。",
        "数据库锁竞争让队列一分钟只能处理一条；重发又让积压更大。",
        "```\nCause: a line of a log\n```",
        "",
    ],
)
def test_what_is_not_is_left_empty(text: str) -> None:
    assert not derived(text)


def test_of_two_sentences_that_could_stand_none_is_chosen() -> None:
    """Nobody knows which of them is meant."""
    text = "Every call must have a time limit that is known. Never repeat a call without waiting longer each time."
    assert derived(text).principle is None


def test_a_principle_that_names_the_project_is_none() -> None:
    text = "It broke. The larkmail workers must always be stopped before the tables are changed."
    assert derived(text).principle is not None
    assert derived(text, "larkmail").principle is None


@given(st.text(), st.lists(st.text(max_size=9)))
def test_whatever_the_text_is_a_principle_can_stand(text: str, names: list[str]) -> None:
    found = derived(text, *names)
    assert found.principle is None or principle_problems(found.principle, names) == []
