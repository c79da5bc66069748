"""People teach by corrections, prohibitions, short complaints and questions, often while the agent is at work."""

from __future__ import annotations

import pytest
from saying import agent, call, extracts, failure, learned, passed, user

from hardwon.kernel.memory import Kind
from hardwon.kernel.session import Message, Speaker, Turn

TAUGHT = [
    ("no, use the helper in common/ instead of writing your own", "You're right, I've switched to it."),
    ("please don't add printf everywhere, use the trace macros", "Replaced them."),
    ("we never test against the production bucket", "Sorry, I've switched to staging."),
    ("can we not touch the vendored sources?", "Sure, I've reverted that."),
    ("shouldn't this live next to the other adapters?", "You're right, I've moved it."),
    ("did you run it, or did you make that number up?", "I'm sorry, I estimated it. I have now run it."),
    ("these casts are not needed, keep it simple", "You're right, removed."),
    ("every migration here needs a reverse, operations rolls back by migrating down", "I've added it."),
    ("I'd rather have one error type for the whole crate than one per module", "Merged."),
    ("不要直接改线上的配置，都要先在预发环境验证", "明白了。"),
    ("金额应该用整数分来存而不是浮点数", "已改为整数分。"),
    ("怎么又没写测试？", "抱歉，已补上测试。"),
    ("注释统一用中文写，变量名用英文", "已统一。"),
    ("组件库里已经有这个组件了，别自己写", "您说得对，已改用组件库的组件。"),
    ("我们的数仓按北京时间切日，所有任务都要注意这一点", "好的，已换算时区。"),
]


@pytest.mark.parametrize(("said", "answer"), TAUGHT)
def test_a_correction_is_learned_in_its_own_words(said: str, answer: str) -> None:
    """With what was said as evidence, whole where it is short."""
    [extract] = learned(user("go on"), agent("I've started."), user(said), agent(answer), ended=False)

    assert extract.evidence == said
    assert extract.said_by == "user"
    assert extract.content.startswith(said)


@pytest.mark.parametrize(("said", "answer"), TAUGHT)
def test_it_teaches_as_much_as_the_reason_of_a_refusal(said: str, answer: str) -> None:
    """What the agent was about to do is told, where the words alone do not say what they are about."""
    refused = failure("Bash", "git add vendor/", "The user doesn't want to proceed with this tool use.")

    found = learned(user("go on"), refused, user(said), agent(answer))

    assert said in [each.evidence for each in found]


def test_the_reason_of_a_refusal_may_stand_before_its_call() -> None:
    """It does where both are one row of the transcript: the call's place follows that of the words."""
    words = Message("row-7", Speaker.USER, "don't check this in")
    refused = Message("row-7+1", Speaker.TOOL, "", tool="Bash", request="git add docs/plan.md")

    [extract] = passed(extracts([Turn("claude-code", "session", "row-1", (words, refused))]))

    assert "git add docs/plan.md" in extract.content


def test_short_words_are_told_with_what_they_are_about() -> None:
    """“don't check this in” says nothing by itself, next week."""
    refused = failure("Bash", "git add docs/plan.md", "The user doesn't want to proceed with this tool use.")

    [extract] = learned(
        user("write a plan"), refused, user("don't check this in"), agent("Got it, leaving it uncommitted.")
    )

    assert extract.content.startswith("don't check this in (")
    assert "git add docs/plan.md" in extract.content
    assert "leaving it uncommitted" in extract.content


def test_of_a_long_message_the_sentence_that_teaches_is_the_evidence() -> None:
    """And not the task around it."""
    said = (
        "Add the export button to the invoice page and make it work for credit notes too, then write the changelog.\n"
        "Please use the trace macros and never printf, the serial port is shared with the bootloader.\n"
        "After that build the firmware for both boards and tell me how large they are, I have to order the chips today."
    )

    [extract] = learned(user(said), agent("All done."))

    assert extract.evidence.startswith("Please use the trace macros")


def test_at_most_two_things_are_learned_from_a_turn() -> None:
    """Somebody who says ten things in one turn mostly says the same."""
    said = [
        user("never push to main, we only merge by pull request here"),
        user("please use the trace macros and not printf"),
        user("every migration needs a reverse, operations rolls back"),
        user("we never commit generated files in this repository"),
    ]

    assert len(learned(*said, agent("Understood."))) == 2


def test_kinds_follow_the_words() -> None:
    """What is to be done is a preference, how the surroundings are a fact, what went wrong a lesson."""
    kinds = {
        "please don't add printf everywhere, use the trace macros": Kind.PREFERENCE,
        "the staging cluster only accepts images from our own registry": Kind.FACT,
        "you changed files that have nothing to do with it": Kind.LESSON,
        "we decided to drop Windows 10, since nobody has it": Kind.DECISION,
        "提交信息不要用中文，统一用英文": Kind.PREFERENCE,
        "你改了不相关的文件，怎么回事": Kind.LESSON,
    }
    for said, kind in kinds.items():
        found = learned(user(said), call("Edit", "main.c", "updated"), agent("Understood. 明白。"))
        assert [each.kind for each in found] == [kind], said
