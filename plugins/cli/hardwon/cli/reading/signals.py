"""What a passage's language shows, by the vocabulary in signals.toml; each signal there has its reason and weight."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

_WORD = re.compile(r"[a-z](?:[a-z0-9'-]*[a-z0-9])?")
_CODE_SPAN = re.compile(r"`+([^`\n]{0,400})`+")
_COMMENT = re.compile(r"<!--.{0,4000}?-->", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\(([^)\n]{0,500})\)|<?https?://\S+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_SIMPLER = str.maketrans(
    "導為問題錯誤壞無沒會過時應該實際現發試調決後來這個對從當卻雖隱經驗訓須產動線異開關閉檔顯視爾報崩潰連環縮壓測認識懂號碼處"
    "複雜則亂結構圖資料庫變數據順數據擇簡單繞規憑證讓導觸發斷開斂難易遺漏險慢覆蓋寫讀鎖競爭",
    "导为问题错误坏无没会过时应该实际现发试调决后来这个对从当却虽隐经验训须产动线异开关闭档显视尔报崩溃连环缩压测认识懂号码处"
    "复杂则乱结构图资料库变数据顺数据择简单绕规凭证让导触发断开敛难易遗漏险慢覆盖写读锁竞争",
)


@dataclass(frozen=True)
class Wording:
    """A passage's text in the forms that signals look at."""

    written: str
    """As it was written, without comments and link targets; code spans without their marks."""
    lower: str
    """In lower case and simplified, without code spans."""
    words: frozenset[str]
    length: int
    """Words, a Chinese character counting half."""
    links: int
    """Characters that belong to links."""


@dataclass(frozen=True)
class _Signal:
    weight: float
    words: frozenset[str]
    chinese: re.Pattern[str] | None
    phrases: re.Pattern[str] | None
    exact: re.Pattern[str] | None

    def shown_by(self, wording: Wording, *, chinese: bool) -> bool:
        return (
            not self.words.isdisjoint(wording.words)
            or bool(chinese and self.chinese and self.chinese.search(wording.lower))
            or bool(self.phrases and self.phrases.search(wording.lower))
            or bool(self.exact and self.exact.search(wording.written))
        )


class Vocabulary:
    """The signals, the kinds of headings and files, and the weights."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.threshold = float(table["threshold"])
        self.priors: Mapping[str, float] = table["priors"]
        self.shapes: Mapping[str, float] = table["shapes"]
        self.combined: Mapping[str, float] = table["combined"]
        self.signals = {name: _signal(each) for name, each in table["signals"].items()}
        self._imperatives = frozenset(table["imperatives"]["words"].split())
        self._chinese_imperatives = tuple(table["imperatives"]["chinese"].split())
        self._kinds = table["kinds"]

    def signals_of(self, wording: Wording) -> dict[str, float]:
        """Return the signals that a passage shows, with their weights."""
        chinese = bool(_CHINESE.search(wording.lower))
        return {
            name: signal.weight for name, signal in self.signals.items() if signal.shown_by(wording, chinese=chinese)
        }

    def kind_of(self, name: str) -> str | None:
        """Return what a heading or the name of a file says of its contents: template, lesson, decision, plain, …"""
        lower = simplified(name.lower())
        words = {word for run in _WORD.findall(lower) for word in (run, *run.split("-"))}
        for kind in ("template", "lesson", "history", "guide", "decision", "plain"):
            known = self._kinds[kind].split()
            if not words.isdisjoint(known) or any(_CHINESE.match(piece) and piece in lower for piece in known):
                return kind
            if any(re.search(phrase, lower) for phrase in self._kinds.get(f"{kind}_phrases", ())):
                return kind
        return None

    def begins_with_instruction(self, text: str) -> bool:
        """Tell whether the first word is one that tells the reader what to do."""
        start = simplified(text.lstrip("*_ \"“'>").lower())
        word = _WORD.match(start)
        return word[0] in self._imperatives if word else start.startswith(self._chinese_imperatives)


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Return the vocabulary that ships with the reader."""
    return Vocabulary(tomllib.loads(Path(__file__).with_name("signals.toml").read_text(encoding="utf-8")))


def wording(text: str) -> Wording:
    """Return a passage's text in the forms that signals look at."""
    text = _COMMENT.sub(" ", text)
    without_links = _LINK.sub(lambda found: found[1] or "", text)
    written = _CODE_SPAN.sub(lambda found: f"`{found[1]}`", without_links)
    lower = simplified(_CODE_SPAN.sub(" code ", without_links).lower()).replace("’", "'")
    words = _WORD.findall(lower)
    length = len(words) + len(_CHINESE.findall(lower)) // 2
    return Wording(written, lower, frozenset(words), length, sum(len(found[0]) for found in _LINK.finditer(text)))


def simplified(text: str) -> str:
    """Return a text with the traditional characters that matter here simplified."""
    return text if text.isascii() else text.translate(_SIMPLER)


def _signal(table: Mapping[str, Any]) -> _Signal:
    chinese = table.get("chinese", "").split()
    return _Signal(
        weight=float(table["weight"]),
        words=frozenset(table.get("words", "").split()),
        chinese=re.compile("|".join(map(re.escape, chinese))) if chinese else None,
        phrases=re.compile("|".join(table["phrases"])) if "phrases" in table else None,
        exact=re.compile("|".join(table["exact"])) if "exact" in table else None,
    )
