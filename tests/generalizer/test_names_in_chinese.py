"""Chinese writes no space beside a name: a name is seen there all the same, and nothing but the name."""

from __future__ import annotations

import pytest

from hardwon.generalizer.words import without_entities
from hardwon.kernel.principle import principle_problems


@pytest.mark.parametrize(
    ("sentence", "problem"),
    [
        ("必须为redis连接设置超时时间和重试次数上限。", "names redis"),
        ("必须为Redis连接设置超时时间和重试次数上限。", "names redis"),
        ("修改config.yaml文件之前必须先备份并通知相关人员。", "holds a path or file name"),
        ("必须在调用load_config之前检查文件是否存在并可读。", "holds an identifier"),
        ("必须避免在循环中调用getUserName方法访问数据库。", "holds an identifier"),
        ("升级到v2.3.1之后必须重新生成全部索引文件。", "holds a version, number or reference"),
    ],
)
def test_a_name_inside_a_chinese_sentence_keeps_it_from_being_a_rule(sentence: str, problem: str) -> None:
    assert any(told.startswith(problem) for told in principle_problems(sentence, ["redis"]))


def test_a_chinese_sentence_without_names_can_stand() -> None:
    assert principle_problems("每次网络调用都必须设置超时时间和重试次数上限。", ["redis"]) == []


def test_taking_names_out_leaves_the_chinese_around_them() -> None:
    text = without_entities("使用redis连接时超时，见load_config和config.yaml文件。", ["redis"])

    assert text.split() == ["使用", "连接时超时，见", "和", "文件。"]
