"""Two texts that differ in a number, a version, a name, a path, a flag, a date or a negation are never duplicates.

The fault that this guards against: cosine alone took “Merged PR 260” for “Merged PR 480”.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hardwon.kernel.sameness import comparing
from hardwon.kernel.sameness.comparing import compare
from hardwon.kernel.sameness.verdict import Sameness

SUBJECTS = ("The staging database", "The importer", "Every worker in the pool", "支付服务", "夜间导出任务")
FIGURES = st.integers(0, 100_000)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Merged PR 260", "Merged PR 480"),
        ("合并了 PR 260", "合并了 PR 480"),
        ("Closed #77 as a duplicate", "Closed #78 as a duplicate"),
        ("Step 3 of the runbook failed", "Step 4 of the runbook failed"),
        ("Plan: move the queue to Kafka", "Moved the queue to Kafka"),
        ("Released v1.2 on 2026-01-10", "Released v1.3 on 2026-02-14"),
    ],
)
def test_two_events_are_neither_one_nor_a_contradiction(earlier: str, later: str) -> None:
    assert compare(earlier, later).sameness in (Sameness.DISTINCT, Sameness.REFINEMENT)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Use port 8080", "Use port 8081"),
        ("Always rebase before merging", "Never rebase before merging"),
        ("We build with v1.2", "We build with v1.3"),
        ("Run the linter with --fix", "Run the linter with --check"),
        ("The config is in /etc/acme", "The config is in /opt/acme"),
        ("The freeze starts on 2026-03-01", "The freeze starts on 2026-03-02"),
        ("The timeout is 5 seconds", "The timeout is 5 minutes"),
        ("端口是 8080", "端口是 8081"),
        ("总是先变基再合并", "不要先变基再合并"),
    ],
)
def test_another_value_is_no_duplicate(earlier: str, later: str) -> None:
    assert compare(earlier, later).sameness is not Sameness.DUPLICATE
    assert compare(later, earlier).sameness is not Sameness.DUPLICATE


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The upload limit of service a is 10 MB", "The upload limit of service b is 25 MB"),
        ("The upload limit of service c is 10 MB", "The upload limit of service a is 25 MB"),
        ("Plan A costs 10 dollars", "Plan B costs 20 dollars"),
        ("Team a deploys on Monday", "Team b deploys on Friday"),
        ("Deploy to region A at 3pm", "Deploy to region B at 4pm"),
        ("方案A的成本是10元", "方案B的成本是20元"),
        ("服务 a 的上传限制是 10 MB", "服务 b 的上传限制是 25 MB"),
        ("流程的第3步等10秒", "流程的第4步等20秒"),
        ("流水线在集群A上的超时是10秒", "流水线在集群B上的超时是20秒"),
    ],
)
def test_what_a_letter_tells_apart_is_two_things(earlier: str, later: str) -> None:
    """The first of them goes by the name of an article."""
    assert compare(earlier, later).sameness is Sameness.DISTINCT


def test_an_article_is_no_name() -> None:
    verdict = compare("Give each service a deadline of 10 s", "Give each service a deadline of 20 s")
    assert verdict.sameness is Sameness.CONTRADICTION


@given(st.sampled_from(SUBJECTS), FIGURES, FIGURES)
def test_another_number_is_never_the_same(subject: str, one: int, other: int) -> None:
    assume(one != other)
    for text in (f"{subject} needs {{}} MB of memory", f"{subject} 占用 {{}} MB", f"{subject}: port {{}}, see #{{}}"):
        verdict = compare(text.format(one, one), text.format(other, other))
        assert verdict.sameness is not Sameness.DUPLICATE, verdict


@given(st.sampled_from(SUBJECTS), FIGURES)
def test_the_same_words_are_a_duplicate_whatever_the_marks(subject: str, number: int) -> None:
    text = f"{subject} needs {number} MB of memory"
    assert compare(text, f"{text.upper()}!").sameness is Sameness.DUPLICATE


@given(ANY_TEXT, ANY_TEXT)
def test_any_text_can_be_compared(earlier: str, later: str) -> None:
    assert compare(earlier, later).reason


@pytest.mark.parametrize(
    ("text", "says_so"),
    [
        ("From now on use spaces for indentation", True),
        ("We no longer use nose", True),
        ("缩进改为空格", True),
        ("今后不再使用 nose", True),
        ("Use spaces for indentation", False),
        ("Do not push to main", False),
        ("不要直接推送到 main", False),
    ],
)
def test_a_change_of_mind_is_told_by_plain_words(text: str, *, says_so: bool) -> None:
    assert compare("Use tabs for indentation", text).changes_mind is says_so


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("The cache expires after 60 minutes", "Cached entries live for one hour"),
        ("备份在晚上十一点执行", "备份在 23:00 执行"),
        ("The export runs at 11 pm", "The export runs at 23:00"),
        ("每行最多一百二十个字符", "每行最多 120 个字符"),
    ],
)
def test_numbers_units_and_times_come_in_one_form(earlier: str, later: str) -> None:
    assert compare(earlier, later).sameness is Sameness.DUPLICATE


def test_a_text_that_says_many_things_is_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each word of one would be held against each of the other: minutes for two long notes, under the writers' lock."""
    monkeypatch.setattr(comparing, "read", None)
    long = "The upload limit is 10 MB. " * 1000
    assert compare(long, long.replace("10", "25")).sameness is Sameness.DISTINCT
    assert compare("The upload limit is 10 MB", long).sameness is Sameness.DISTINCT
