"""What may be wrong with a sentence that is to stand as a rule, told in English and in Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hardwon.kernel.principle.measure import LONGEST, SHORTEST

ENGLISH, CHINESE = "en", "zh"

_TOLD: Mapping[str, tuple[str, str]] = {
    "address": ("holds an address or host ({})", "含有网址或主机名（{}）"),
    "path": ("holds a path or file name ({})", "含有路径或文件名（{}）"),
    "identifier": ("holds an identifier ({})", "含有标识符（{}）"),
    "call": ("holds a call ({})", "含有函数调用（{}）"),
    "number": ("holds a version, number or reference ({})", "含有版本号、编号或引用（{}）"),
    "code": ("holds quoted code ({})", "含有引用的代码（{}）"),
    "person": ("holds a person ({})", "提到了具体的人（{}）"),
    "day": ("speaks of one day ({})", "提到了某个具体的日子（{}）"),
    "here": ("speaks of one project alone ({})", "只说某一个项目（{}）"),
    "name": ("names {}", "提到了项目名 {}"),
    "fact": ("tells what happened or how it is, and does not say what to do", "只陈述事实，没有说该怎么做"),
    "care": ("asks for care and does not say what to do ({})", "只要求小心，没有说该怎么做（{}）"),
    "length": (
        f"is not between {SHORTEST} and {LONGEST} words long",
        f"长度不在 {2 * SHORTEST} 到 {2 * LONGEST} 个汉字之间",
    ),
    "sentences": ("is more than one sentence", "不止一句话"),
    "language": ("is not in the language of the lesson", "与这条教训的语言不一致"),
    "nothing": ("says nothing ({})", "没有内容（{}）"),
    "repeated": ("only repeats the {}", "只是重复了 {}"),
    "long": ("is longer than {} characters", "超过 {} 个字符"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is to be mended."""

    kind: str
    """A key of what is told: path, person, fact, …"""
    found: str = ""
    """The words that it is about."""

    def told(self, language: str = ENGLISH) -> str:
        """Return it as the end of a sentence that begins with what is meant."""
        english, chinese = _TOLD[self.kind]
        return (chinese if language == CHINESE else english).format(self.found)
