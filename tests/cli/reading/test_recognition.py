"""Lessons are told from instructions and descriptions, on files that people labelled and in single cases."""

from __future__ import annotations

from types import ModuleType

import pytest

from hardwon.cli.reading.recognition import WHY_SKIPPED

PRECISION, RECALL = 0.90, 0.70


@pytest.mark.parametrize("name", ["first labels", "second labels", "other styles", "held out"])
def test_what_is_taken_are_lessons_and_most_lessons_are_taken(measurement: ModuleType, name: str) -> None:
    """At least nine in ten of what is taken, at least seven in ten of what is there, by each person's labels."""
    result = measurement.measure(*measurement.SETS[name])
    assert result.precision >= PRECISION, result.wrong
    assert result.recall >= RECALL, result.missed


@pytest.mark.parametrize("name", ["first labels", "second labels", "other styles", "held out"])
def test_files_without_a_lesson_give_none(measurement: ModuleType, name: str) -> None:
    """A file in which a person found no lesson is imported without a memory."""
    assert measurement.measure(*measurement.SETS[name]).taken_where_nothing_is == []


def test_the_two_labellers_agree_enough_to_measure_by(measurement: ModuleType) -> None:
    """Nine in ten of the lines that one of them calls a lesson are one to the other."""
    both, either, _ = measurement.agreement("labels_first.jsonl", "labels_second.jsonl", "real")
    assert both / either >= 0.9


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("CLAUDE.md", "Don't run the migrations twice — the second run silently drops the new index."),
        ("CLAUDE.md", "`git clean -fdx` deleted everybody's `.env`, since it is ignored; we lost a day over it."),
        ("AGENTS.md", "The proxy answers 413 without a log line when the body is over 1 MB, since its limit is low."),
        ("AGENTS.md", "不要在循环里创建客户端，连接不会释放，跑一晚上就会报错 `too many open files`。"),
        ("GEMINI.md", "升级到 5.0 之后定时任务悄悄不执行了，原因是默认时区改成了 UTC，所以要显式设置时区。"),
    ],
)  # fmt: skip
def test_a_trap_with_its_reason_is_a_lesson_even_among_instructions(read, name: str, item: str) -> None:
    """In English and in Chinese."""
    taken, skipped, failed = read(f"# Guide\n\n## Rules\n\n- Run `make test`.\n- {item}\n", name)
    assert [record["content"] for record in taken] == [item]
    assert len(skipped) == 1
    assert not failed


@pytest.mark.parametrize(
    ("item", "sort"),
    [
        ("Run `make lint` before committing anything to the repository.", "instruction"),
        ("Never fix a failing test by deleting its assertion from the file.", "instruction"),
        ("Handle errors with `Result` types and do not throw exceptions.", "instruction"),
        ("接口统一返回 `Result`，提交前运行全部测试，不要跳过失败的用例。", "instruction"),
        ("`src/parser/` — the parser, with its error types and recovery.", "description"),
        ("The service reads invoices from the queue and writes ledger entries to the database.", "description"),
        ("[Error handling and failures](docs/errors.md)", "links"),
        ("[ ] Find out why the nightly build fails on Windows machines", "task"),
        ("Breaks often.", "fragment"),
    ],
)
def test_what_is_no_lesson_is_skipped_and_the_reason_told(read, item: str, sort: str) -> None:
    """A sentence a sort, so that a report can count them."""
    taken, skipped, _ = read(f"# Guide\n\n## Rules\n\n- {item}\n", "AGENTS.md")
    assert taken == []
    assert [problem.what for problem in skipped] == [WHY_SKIPPED[sort]]
    assert "AGENTS.md:" in skipped[0].where


def test_what_an_instruction_is_about_is_no_reason_for_it(read) -> None:
    """A failure in the thing to do counts for nothing; one that follows it does."""
    taken, _, _ = read(
        "# Guide\n\n- Never ignore crashes in CI.\n- Never share the cache: parallel jobs corrupt it.\n", "AGENTS.md"
    )
    assert [record["source"]["line"] for record in taken] == [4]


def test_introductions_and_templates_are_no_lessons(read) -> None:
    """Though they speak of failures, as files of lessons do when they say what they are for."""
    text = (
        "# Lessons learned\n\nThings that broke and cost us hours; read this before you debug.\n\n"
        "## Template\n\n- **Problem:** [what failed]\n- **Cause:** [why it failed]\n- **Fix:** [what helped]\n\n"
        "## Entries\n\n- The cache was never emptied, so old prices were shown for a day.\n"
    )
    taken, skipped, _ = read(text)
    assert [record["source"]["line"] for record in taken] == [13]
    assert [problem.what for problem in skipped] == [WHY_SKIPPED["introduction"], WHY_SKIPPED["template"]]


REAL = [
    "Money is Decimal, never float: 0.1 + 0.2 made the totals differ by one cent",
    "日志里打印了用户的手机号，被安全部门通报，现在统一脱敏",
    "消息队列重复投递，积分加了两次；消费端按消息 ID 去重",
    "token 被打到日志里，紧急轮换并加过滤器",
    'The pre-commit hook silently skipped files with spaces in the name; quote "$f"',
    "Create indexes concurrently; a plain CREATE INDEX locked the table for nine minutes.",
]


@pytest.mark.parametrize(
    ("name", "text"),
    [("LESSONS.md", "# Notes\n\n"), ("复盘.md", "# Notes\n\n"), ("copy.md", "# Lessons\n\n"),
     ("CLAUDE.md", "# Guide\n\n## Pitfalls\n\n"), ("AGENTS.md", "# Guide\n\n## 踩坑\n\n")],
)  # fmt: skip
def test_what_stands_in_a_list_of_lessons_is_a_lesson(read, name: str, text: str) -> None:
    """Whether the file or a heading says that they are lessons."""
    taken, _, _ = read(text + "".join(f"- {item}\n" for item in REAL), name)
    assert [record["content"] for record in taken] == REAL


@pytest.mark.parametrize(
    "item",
    ["`make dev && make seed`", "Run `make lint`.", "Use two spaces for indentation and single quotes.",
     "统一使用四个空格缩进，变量名用小驼峰", "[Style guide](https://example.com/style)",
     "[ ] Look into the failing build"],
)  # fmt: skip
def test_commands_links_tasks_and_rules_of_style_are_none_even_there(read, item: str) -> None:
    """They tell nothing that went wrong."""
    taken, skipped, _ = read(f"# Lessons\n\n- {item}\n")
    assert taken == []
    assert len(skipped) == 1
