"""A lesson that agrees with a rule is not shown as speaking against it because of a word that often denies."""

from __future__ import annotations

import pytest

from hardwon.generalizer.opposition import opposes
from hardwon.testing.examples import memory


@pytest.mark.parametrize(
    ("lesson", "rule"),
    [
        ("及时关闭数据库连接，否则连接池会耗尽。", "用完必须关闭数据库连接。"),
        ("取消请求时下游还在跑。取消下游请求之后才好。", "调用方取消时必须取消下游请求。"),
        ("Disable response caching for pages that hold private data.", "Disable response caching for private pages."),
        ("Remove temporary files at exit.", "Remove temporary files when the program ends."),
    ],
)
def test_both_tell_to_remove_or_close_the_same(lesson: str, rule: str) -> None:
    assert not opposes(memory(lesson), rule)


@pytest.mark.parametrize(
    ("lesson", "rule"),
    [
        ("把日志级别设置为调试会泄漏令牌。", "日志级别必须设置为适当的值。"),
        ("特别是数据库连接没有人管。", "数据库连接用完必须归还。"),
        ("两个环境的区别在于字符编码不同。", "字符编码必须显式指定。"),
    ],
)
def test_a_chinese_word_that_ends_like_a_denial_denies_nothing(lesson: str, rule: str) -> None:
    assert not opposes(memory(lesson), rule)


@pytest.mark.parametrize("lesson", ["别设置日志级别，", "上线前请别设置日志级别。", "千万别设置日志级别。"])
def test_the_same_character_at_the_head_of_a_clause_denies(lesson: str) -> None:
    assert opposes(memory(lesson), "启动时必须设置日志级别。")
