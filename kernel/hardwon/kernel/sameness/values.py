"""Values in a text: what two texts must agree on to say the same. Numbers in words and units come in one form."""

from __future__ import annotations

import re
from datetime import date

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
NUMBER_WORDS = {word: value for value, word in enumerate(_ONES.split())}
NUMBER_WORDS |= {word: value * 10 for value, word in enumerate(_TENS.split(), start=2)}
NUMBER_WORDS |= {"twice": 2, "hundred": 100, "thousand": 1000, "million": 1_000_000}

_FIGURES = {figure: value for value, figure in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10_000, "亿": 100_000_000}
CHINESE_NUMBER = "零〇一二三四五六七八九两十百千万亿半"

_UNITS: dict[str, tuple[str, float]] = {}
for _dimension, _factor, _names in (
    ("time", 1e-9, "ns nanosecond nanoseconds 纳秒"),
    ("time", 1e-6, "us µs microsecond microseconds 微秒"),
    ("time", 1e-3, "ms msec millisecond milliseconds 毫秒"),
    ("time", 1, "s sec secs second seconds 秒 秒钟"),
    ("time", 60, "min mins minute minutes 分钟"),
    ("time", 3600, "h hr hrs hour hours 小时 个小时"),
    ("time", 86_400, "d day days 天"),
    ("time", 604_800, "week weeks 周 个星期 星期"),
    ("time", 2_592_000, "month months 个月"),
    ("time", 31_536_000, "year years 年"),
    ("size", 1, "byte bytes 字节"),
    ("size", 1e3, "kb kib kilobyte kilobytes"),
    ("size", 1e6, "mb mib megabyte megabytes 兆"),
    ("size", 1e9, "gb gib gigabyte gigabytes"),
    ("size", 1e12, "tb tib terabyte terabytes"),
    ("share", 1, "% percent 百分"),
    ("money", 1, "$ usd dollar dollars 美元"),
    ("money of china", 1, "元 人民币 cny rmb"),
    ("length", 1, "km kilometre kilometres kilometer kilometers 公里"),
    ("count", 1, "x times time 次 个 条 位 层 行 倍 名 人 字符 个字符 遍 台 副本 份"),
):
    _UNITS |= dict.fromkeys(_names.split(), (_dimension, _factor))

MEASURES = tuple(sorted((name for name in _UNITS if not name.isascii()), key=len, reverse=True))
WEEKDAYS = {
    name: day
    for day, names in enumerate(
        (
            "monday mon mondays 周一 星期一 礼拜一",
            "tuesday tue tuesdays 周二 星期二 礼拜二",
            "wednesday wed wednesdays 周三 星期三 礼拜三",
            "thursday thu thursdays 周四 星期四 礼拜四",
            "friday fri fridays 周五 星期五 礼拜五",
            "saturday sat saturdays 周六 星期六 礼拜六",
            "sunday sun sundays 周日 周天 星期日 星期天 礼拜天",
        )
    )
    for name in names.split()
}
MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "january jan 一月", "february feb 二月", "march 三月", "april apr 四月", "june jun 六月",
            "july jul 七月", "august aug 八月", "september sep sept 九月", "october oct 十月",
            "november nov 十一月", "december dec 十二月",
        )
    )
    for name in names.split()
}  # fmt: skip
"""May is left out: it is more often a verb."""
_CLOCK = re.compile(
    rf"(?P<hour>\d{{1,2}})(?::(?P<minute>\d\d))?\s?(?P<half>[ap]\.?m\.?)?"
    rf"|(?P<part>凌晨|早上|早晨|上午|中午|下午|晚上|夜里)?(?P<figures>[{CHINESE_NUMBER}\d]{{1,3}})点(?P<rest>半|[{CHINESE_NUMBER}\d]+分)?",
    re.IGNORECASE,
)
CLOCK = (
    rf"\b\d{{1,2}}:\d\d(?:\s?[ap]\.?m\b)?|\b\d{{1,2}}\s?[ap]m\b"
    rf"|(?:凌晨|早上|早晨|上午|中午|下午|晚上|夜里)?(?:\d{{1,2}}|[{CHINESE_NUMBER}]{{1,3}})点(?:半|(?:\d{{1,2}}|[{CHINESE_NUMBER}]+)分)?"
)
"""A time of the day, as a pattern."""
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")


def chinese_number(text: str) -> float | None:
    """Return the number that Chinese figures say, such as 一百二十; None where they say none."""
    if text == "半":
        return 0.5
    total = section = figure = 0
    for character in text:
        if character in _FIGURES:
            figure = _FIGURES[character]
        elif character in _POWERS:
            section += (figure or 1) * _POWERS[character]
            figure = 0
        elif character in _MYRIADS:
            total += (section + figure or 1) * _MYRIADS[character]
            section = figure = 0
        else:
            return None
    return float(total + section + figure)


def measured(number: float, unit: str) -> tuple[str, float] | None:
    """Return the dimension and the amount in its base unit (seconds, bytes); None where this is no unit."""
    known = _UNITS.get(unit.lower()) or _UNITS.get(unit)
    return (known[0], round(number * known[1], 9)) if known else None


def is_unit(word: str) -> bool:
    """Tell whether a number may stand before this word as its unit."""
    return word.lower() in _UNITS


def day_of(text: str) -> str | None:
    """Return a date in figures in one form; None where it is none."""
    found = _ISO.fullmatch(text)
    if found is None:
        return None
    try:
        return date(*map(int, found.groups())).isoformat()
    except ValueError:
        return None


def time_of_day(text: str) -> str | None:
    """Return a time of the day as 23:00; None where it is none."""
    found = _CLOCK.fullmatch(text.strip())
    if found is None:
        return None
    hour = _figures(found["hour"] or found["figures"])
    minute = 30 if found["rest"] == "半" else _figures(found["minute"] or (found["rest"] or "0").rstrip("分"))
    if hour is None or minute is None:
        return None
    is_late = (found["half"] or "").lower().startswith("p") or found["part"] in ("下午", "晚上", "夜里")
    if is_late and hour < 12:
        hour += 12
    elif (found["half"] or "").lower().startswith("a") and hour == 12:
        hour = 0
    return f"{hour:02.0f}:{minute:02.0f}"


def _figures(text: str) -> float | None:
    return float(text) if text.isascii() and text.isdigit() else chinese_number(text)
