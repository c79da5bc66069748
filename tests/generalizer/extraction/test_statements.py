"""Whoever asks outright that something be kept is heard at once, in English and Chinese, whatever it is about."""

from __future__ import annotations

import pytest
from saying import agent, learned, user

from hardwon.kernel.memory import Kind

STATEMENTS = [
    "Remember: in this project the deploy script needs FOO=1 set, because the proxy drops the header otherwise.",
    "remember that the deploy script needs FOO=1",
    "Please remember: never push to main.",
    "Ok, remember this: the emulator has to be cold booted after a schema change.",
    "From now on write the tests first.",
    "for future reference, fixtures are made by `make fixtures` and not by hand",
    "Note that the integration tests need Docker.",
    "Keep in mind that finance closes its day in Zurich time.",
    "Don't forget that the CI image has no git.",
    "Lesson learned: flyway takes a lock on the schema table, so run migrations in an init job",
    "Lesson: two pods that start together wait for each other.",
    "gotcha: the load balancer strips the Authorization header on redirects",
    "Root cause: the watchdog fires while the radio calibrates.",
    "Going forward, one endpoint per PR.",
    "Remember the root cause: the worker was killed because its batches were unbounded.",
    "Remember the lesson: two writers need a lock.",
    "remember the rule about migrations: each one needs a reverse",
    "Remember the staging database is shared with QA.",
    "remember our clients cache the schema for a day",
    "记住：发布脚本必须先设置 FOO=1，否则预发代理会丢掉请求头",
    "请记住，数据库密码在保险库里，不在配置文件里",
    "以后都要先跑测试再提交",
    "以后不要直接改线上配置",
    "今后提交信息一律用英文",
    "教训：量产板的熔丝位只能由工位烧写",
    "从现在开始，先写测试",
    "踩坑：网关会把 POST 重试两次",
]
NO_STATEMENTS = [
    "do you remember where we put the config?",
    "I can't remember how this is called",
    "what did we learn from the last outage?",
    "remember the name that I typed, in the form, after a reload",
    "remember the last selection",
    "你还记得配置放在哪里吗？",
    "以后可能会换成别的框架吧？",
]


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("ended", [False, True])
def test_what_is_to_be_remembered_is_one_memory_at_once(statement: str, ended: bool) -> None:
    """Before the session ends, with the words themselves as evidence, surely, and readable by themselves."""
    [extract] = learned(user(statement), agent("Noted."), ended=ended)

    assert extract.evidence == statement
    assert extract.content.lower() in statement.lower()
    assert len(extract.content) > len(statement) / 3
    assert extract.confidence >= 0.9
    assert extract.said_by == "user"


@pytest.mark.parametrize("statement", STATEMENTS)
def test_it_is_heard_in_the_middle_of_a_turn_and_among_other_words_too(statement: str) -> None:
    """Typed while the agent works, or in a message that asks for something else as well."""
    assert learned(user("add a column"), agent("Adding it."), user(statement), agent("Done."))
    assert learned(user(f"Add a button to the form.\n{statement}\nThen run the build."), agent("Done."))


@pytest.mark.parametrize(
    "said",
    [
        "Remember: run it like this:\n```\nFOO=1 ./deploy.sh\n```",
        "Remember:\n- never push to main, we only merge by pull request\n- the CI image has no git",
        "记住：\n- 不要直接推送到主分支\n- CI 镜像里没有 git",
    ],
)
def test_a_statement_takes_the_list_or_the_block_that_it_announces(said: str) -> None:
    """The line alone would say nothing."""
    assert said in [each.evidence for each in learned(user(said), agent("Noted."))]


def test_a_statement_keeps_the_reason_that_the_next_sentence_gives() -> None:
    """However long the message around it."""
    task = "Add the export button to the invoice page and make it work for credit notes too. " * 4
    statement = "Remember: the deploy script needs FOO=1 set. Otherwise the staging proxy drops the header."

    [extract] = learned(user(f"{task}\n{statement} {task}"), agent("Done."))

    assert extract.evidence == statement


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (
            "Lesson learned: the process was killed while it saved the list. Save to a temporary file and rename it.",
            "Now add the export button to the page.",
        ),
        ("Root cause: the old file was cut before the new one stood. We write it aside first.", "Can you commit that?"),
        ("教训：保存时进程被杀，文件只剩一半。先写临时文件，再改名。", "现在给发票页加个导出按钮。"),
    ],
)
@pytest.mark.parametrize("also", ["", " " + "x" * 50_000], ids=["short", "with a line without an end"])
def test_an_announced_lesson_keeps_what_helped_and_not_the_next_request(told: str, asked: str, also: str) -> None:
    """The sentences after the one that announces it belong to it, up to where something is asked for."""
    assert told in [each.evidence for each in learned(user(f"{told} {asked}{also}"), agent("Done."))]


def test_everything_that_is_to_be_remembered_is() -> None:
    """Several things in a message, worded alike, in one turn and in the next; even beside an error that was pasted."""
    said = "\n".join(f"Remember: the {job} job needs {job.upper()}=1." for job in ("alpha", "beta", "gamma"))

    assert len(learned(user(said), agent("Noted."))) == 3
    assert len(learned(user(f"{said}\n```\nerror: exit code 1\n```"), agent("Noted."))) >= 1


@pytest.mark.parametrize("said", NO_STATEMENTS)
def test_the_same_words_in_another_sense_are_no_statement(said: str) -> None:
    """A question about memory, a feature that remembers something, a future that is a guess."""
    assert all(each.confidence < 0.9 for each in learned(user(said), agent("In config/base.yaml.")))


def test_what_only_asks_to_remember_is_left_out_of_the_memory() -> None:
    """It stands in the evidence."""
    for said in ("Remember: the proxy drops the header.", "ok, keep in mind that the proxy drops the header."):
        assert [each.content for each in learned(user(said))] == ["The proxy drops the header."]
    assert [each.content for each in learned(user("记住：代理会丢掉请求头"))] == ["代理会丢掉请求头"]


@pytest.mark.parametrize(
    "answer", ["Noted.", "I'll set FOO=1 in the deploy script because the proxy drops the header."]
)
def test_a_statement_is_not_told_with_what_the_agent_answered(answer: str) -> None:
    """It says itself what it is about."""
    said = "Remember: in this project the deploy script needs FOO=1, because the proxy drops the header otherwise."

    [extract] = learned(user(said), agent(answer))

    assert extract.content == said.removeprefix("Remember: ").capitalize().replace("foo", "FOO")


def test_reason_and_advice_become_the_parts_of_a_lesson() -> None:
    """Where they are said; what is not said is left empty."""
    [extract] = learned(
        user("Remember: run migrations in an init job, because two pods wait for each other otherwise.")
    )

    assert extract.lesson.fix == "run migrations in an init job"
    assert extract.lesson.cause == "two pods wait for each other otherwise"


def test_a_rule_without_names_is_its_own_principle_and_one_with_names_is_none() -> None:
    """A principle holds outside of the project."""
    [general] = learned(user("Remember: always write a failing test before you fix a defect."))
    [local] = learned(user("Remember: always run scripts/check.sh before you push to origin/main."))

    assert general.lesson.principle == "Always write a failing test before you fix a defect."
    assert local.lesson.principle is None


def test_lessons_are_called_lessons() -> None:
    """Whoever says lesson, gotcha or 教训 means one."""
    for said in ("Lesson: two pods that start together wait for each other.", "教训：量产板只能由工位烧写"):
        assert [each.kind for each in learned(user(said))] == [Kind.LESSON]
