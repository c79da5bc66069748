"""Labels such as **Symptom:**, `Fix:` and 原因：, which say what part of a lesson follows them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hardwon.cli.reading.signals import simplified

LABELS = {
    "situation": (
        "symptoms? problems? issues? situation context what~happened what~went~wrong error observed observations?"
        " trigger scenario mistakes? bug gotcha trap pitfall failure finding impact consequences? effect background"
        " incident challenge surprise 问题 问题描述 现象 故障现象 症状 错误 报错 报错信息 背景 场景 坑 坑点 表现 影响"
        " 后果 事件 经过 触发条件 踩坑 误区 失败模式 情境 侦测讯号 检测信号"
    ),
    "cause": (
        "(?:the~)?(?:root~|underlying~)?causes? root-causes? why reasons? explanation diagnosis rationale because"
        " why~(?:it|this)~(?:happens|happened|matters) analysis 原因 根因 根本原因 起因 为什么 原因分析 分析 理由"
    ),
    "fix": (
        "(?:the~)?fix(?:es)? solutions? work~?arounds? resolution resolved remedy how~to~fix(?:~it)? mitigation"
        " prevention correct(?:ion)? correct~approach right~way (?:do~)?instead actions? action~taken rule"
        " (?:general~)?lessons? lessons?~learned choice (?:key~)?takeaways? what~to~do what~works how~to~apply"
        " decision recommendation 解决 解决方案 解决方法 解决办法 修复 修复方案 修复方法 修正 对策 处理 处理方式"
        " 处理方法 正确做法 正确写法 做法 规避 规避方法 方案 预防 预防措施 教训 经验 结论 规则 措施 改进"
        " 改进措施 决定 决策 选择 应对 避免方法 预防规则 实际做法"
    ),
}
"""The fields of a lesson and the labels that mean them: patterns parted by spaces, `~` for a space in one."""

REPORT_HEADINGS = {
    "situation": "summary what~happened~and~when 概述 摘要 事故概述 故障概述 事件概述",
    "cause": "contributing~factors? what~went~wrong~and~why",
    "fix": (
        "what~(?:we|i)(?:~have|'ve)?~learn(?:ed|t) learnings? action~items? follow-?~?ups? next~steps improvements?"
        " corrective~actions 行动项 后续 后续行动 改进项 整改 整改措施 经验教训"
    ),
    "": (
        "time-?~?line detection severity status authors? participants references links appendix glossary"
        " what~went~well where~we~got~lucky 时间线 时间轴 处理过程 参与人 级别 附录 参考 做得好的"
    ),
}
"""What the headings of a post-mortem mean besides; nothing where they tell no part of the lesson itself."""


def _patterns(*tables: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    parts = dict.fromkeys(part for table in tables for part in table)
    labels = {part: " ".join(table.get(part, "") for table in tables).split() for part in parts}
    return {part: re.compile("|".join(each).replace("~", "[ ]"), re.IGNORECASE) for part, each in labels.items()}


def _any(patterns: Mapping[str, re.Pattern[str]]) -> str:
    return "|".join(f"(?P<{part}>{pattern.pattern})" for part, pattern in patterns.items() if part)


_BY_PART = _patterns(LABELS)
_BY_HEADING = _patterns(LABELS, REPORT_HEADINGS)
_ANY = _any(_BY_PART)
_OPENED = r"(?:^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?|(?<=[.。!！?？;；→|])[ \t]*)"
_ASIDE = r"(?:[ \t]*[(（][^()（）\n]{0,40}[)）])?"
_LABEL = re.compile(
    rf"^\#{{1,6}}[ \t]+(?:\d+[.)][ \t]*)?\**(?:{_any(_BY_HEADING)}){_ASIDE}[:：]?\**[ \t]*$".replace("(?P<", "(?P<h_")
    + rf"|{_OPENED}(?:\*\*|__)(?:{_ANY}){_ASIDE}[ \t]*(?:[:：.]?(?:\*\*|__)[ \t]*[:：]?)".replace("(?P<", "(?P<b_")
    + rf"|{_OPENED}(?:{_ANY}){_ASIDE}[ \t]*(?:：|:(?=\s|[^\x00-\x7f]|$))".replace("(?P<", "(?P<p_"),
    re.IGNORECASE | re.MULTILINE,
)
_OTHER_LABEL = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?"
    r"(?:(?:\*\*|__)[^*_\n]{1,50}(?:[:：](?:\*\*|__)|(?:\*\*|__)[:：])|#{1,6}[ \t]|[A-Z][\w -]{1,24}:[ \t])",
    re.MULTILINE,
)
_ALTERNATIVES = re.compile(r"\s*[/／、&]\s*")
_CODE = re.compile(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


def part_of_label(text: str) -> str | None:
    """Return the field that a label names when it is nothing but a label, such as `Root cause:`; of two, the first."""
    return _named(text, _BY_PART)


def part_of_heading(text: str) -> str | None:
    """Return the field that a heading of a report names, "" for one that tells no part of the lesson, or None."""
    return _named(text, _BY_HEADING)


def _named(text: str, patterns: Mapping[str, re.Pattern[str]]) -> str | None:
    bare = text.strip().strip("*_ ").rstrip(":：").strip("*_ ")
    if len(bare) >= 40:
        return None
    bare = _ALTERNATIVES.split(simplified(bare))[0]
    return next((part for part, pattern in patterns.items() if pattern.fullmatch(bare)), None)


def leading_label(text: str) -> tuple[str, str] | None:
    """Return the field that a text's first words name, and these words."""
    found = _LABEL.match(simplified(text))
    return (_part(found), found[0].strip(" *_:：.>-").casefold()) if found else None


def labelled_parts(text: str) -> dict[str, str]:
    """Return what stands after each label of a text, by the field that it names; labels in code are no labels."""
    hidden = _CODE.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), simplified(text))
    marks = sorted(
        [(found.start(), found.end(), _part(found)) for found in _LABEL.finditer(hidden)]
        + [(found.start(), found.end(), "") for found in _OTHER_LABEL.finditer(hidden)],
        key=lambda mark: (mark[0], not mark[2]),
    )
    parts: dict[str, list[str]] = {}
    for part, words in _between(text, marks):
        if part and words:
            parts.setdefault(part, []).append(words)
    return {part: "\n\n".join(words) for part, words in parts.items()}


def _between(text: str, marks: Sequence[tuple[int, int, str]]) -> Iterator[tuple[str, str]]:
    """Walk each mark's field with the text from it to the next mark."""
    last = -1
    for number, (start, end, part) in enumerate(marks):
        if start == last:
            continue
        last = start
        following = next((mark[0] for mark in marks[number + 1 :] if mark[0] >= end), len(text))
        yield part, text[end:following].strip().strip("-*+|").strip()


def _part(found: re.Match[str]) -> str:
    group = next(name for name, value in found.groupdict().items() if value is not None)
    return group.partition("_")[2]
