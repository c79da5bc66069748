"""A lesson that says the opposite of a rule is shown to the reviewer as such; one that agrees in other words is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon.generalizer.opposition import opposes
from hardwon.testing.examples import memory

FILE = Path(__file__).parents[1] / "data" / "lessons" / "opposition.jsonl"
PAIRS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
PRECISION, RECALL = 0.85, 0.8


def told(pair: dict[str, str]) -> bool:
    return opposes(memory(pair["content"]), pair["rule"])


def test_what_is_shown_as_opposing_mostly_is() -> None:
    """Precision counts: an agreeing lesson that is shown as speaking against weakens a good rule."""
    opposing = [pair for pair in PAIRS if pair["opposes"]]
    shown = [pair for pair in PAIRS if told(pair)]
    right = [pair for pair in shown if pair["opposes"]]
    wrong = [pair["content"] for pair in shown if not pair["opposes"]]
    print(f"{len(PAIRS)} pairs: precision {len(right) / len(shown):.2f}, recall {len(right) / len(opposing):.2f}")
    assert len(right) / len(shown) >= PRECISION, wrong
    assert len(right) / len(opposing) >= RECALL


@pytest.mark.parametrize("language", ["en", "zh"])
def test_some_of_both_languages_are_found(language: str) -> None:
    assert any(told(pair) for pair in PAIRS if pair["opposes"] and pair["language"] == language)


@pytest.mark.parametrize(
    "rule", ["", "Never log tokens or passwords.", "不要在日志中输出令牌。", "Do not sleep in a test."]
)
def test_no_lesson_opposes_a_rule_by_repeating_it(rule: str) -> None:
    assert not opposes(memory(rule or "Do not."), rule)


@pytest.mark.parametrize(
    ("rule", "lesson"),
    [
        ("Wait in tests for the condition with a deadline, never for a fixed time.", "Never wait for a fixed time."),
        ("测试必须等待条件成立，不要固定睡眠。", "不要固定睡眠两秒。"),
        ("Use a lock file rather than version ranges.", "Do not use version ranges."),
    ],
)
def test_a_lesson_agrees_when_it_forbids_what_the_rule_forbids(rule: str, lesson: str) -> None:
    assert not opposes(memory(lesson), rule)


def test_a_rule_that_also_forbids_can_be_opposed() -> None:
    rule = "Retry failed requests with back-off, never in a tight loop."
    assert opposes(memory("Do not retry failed requests to the payment gateway."), rule)


def test_a_double_negation_agrees() -> None:
    rule = "Set a deadline on every remote call."
    assert opposes(memory("Do not set a deadline on remote calls to the archive."), rule)
    assert not opposes(memory("Do not start remote calls without a deadline."), rule)


TIMEOUTS = "Set a connect and a read timeout on every network call, and decide what happens when it fires."


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("Exception: on the batch cluster we do not set a timeout on the archive upload, it takes hours.", TIMEOUTS),
        ("One exception. Except for the archive upload, never set a read limit there.", TIMEOUTS),
        ("例外：归档上传不要设置超时，它要几个小时。", "每个网络调用都要设置超时。"),
    ],
)
def test_what_calls_itself_an_exception_speaks_against_the_rule(content: str, rule: str) -> None:
    assert opposes(memory(content), rule)


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("Exception: the client did not set a timeout, and the import hung.", TIMEOUTS),
        ("An exception was thrown, because nobody set a timeout on the upload.", TIMEOUTS),
        ("Without exception, set a timeout on every call.", TIMEOUTS),
        ("The exception hid the cause. Do not swallow it.", TIMEOUTS),
        ("程序抛出例外，因为网络调用没有设置超时。", "每个网络调用都要设置超时。"),
    ],
)
def test_an_exception_that_was_thrown_does_not(content: str, rule: str) -> None:
    assert not opposes(memory(content), rule)
