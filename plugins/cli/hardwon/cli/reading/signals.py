"""What a passage's language shows, by the vocabulary in signals.toml; each signal there has its reason and weight."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from hardwon.cli.reading.contents import without_comments

_WORD = re.compile(r"[a-z](?:[a-z0-9'-]*[a-z0-9])?")
_CODE_SPAN = re.compile(r"`+([^`\n]{0,400})`+")
_LINK = re.compile(r"!?\[([^\]\n]{0,300})\]\(([^)\n]{0,500})\)|<?https?://\S+")
_CLAUSE_END = re.compile(
    r"(?<=[.;:,—–(，。；：（\n!])(?!\w)|(?<=[，。；：（])|\s-{1,2}\s"
    r"|(?=\b(?:because|since|otherwise|or (?:else|it|the|you)|so)\b)"
)
_BEFORE_CLAUSE = re.compile(r"^[\s*_\"“'>(—–-]*(?:(?:please|always|also|and|but|then|just|so|请|并|且)\b[\s*_]*)?")
_CONDITION = re.compile(r"^\W*(?:if|when|before|after|for|in|on|once|to|如果|当)\b")
_FORBIDS = re.compile(r"(?:do not|don't|never|avoid|must not|不要|不能|禁止|切勿|严禁|避免|别|勿)(?![a-z])")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_SIMPLER = str.maketrans(
    "導為問題錯誤壞無沒會過時應該實際現發試調決後來這個對從當卻雖隱經驗訓須產動線異開關閉檔顯視爾報崩潰連環縮壓測認識懂號碼處"
    "複雜則亂結構圖資料庫變數據順擇簡單繞規憑證讓觸斷斂難遺險覆蓋寫讀鎖競爭敗偵訊預靜毀丟棄掛絕誘釋換轉斷載邊間計劃記錄遲滯",
    "导为问题错误坏无没会过时应该实际现发试调决后来这个对从当却虽隐经验训须产动线异开关闭档显视尔报崩溃连环缩压测认识懂号码处"
    "复杂则乱结构图资料库变数据顺择简单绕规凭证让触断敛难遗险覆盖写读锁竞争败侦讯预静毁丢弃挂绝诱释换转断载边间计划记录迟滞",
)


KINDS = ("template", "lesson", "history", "guide", "decision", "plain", "manual")
"""What names of files and headings can say, the most telling first."""
LONGEST_NAME = 4
"""Words of a heading such as `Build, Test and Deployment`; a longer one says something."""


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
class _Kind:
    name: str
    words: frozenset[str]
    pieces: re.Pattern[str] | None
    """Chinese pieces and phrases."""

    def named_by(self, lower: str, words: set[str]) -> bool:
        return not self.words.isdisjoint(words) or bool(self.pieces and self.pieces.search(lower))


@dataclass(frozen=True)
class _Signal:
    weight: float
    words: frozenset[str]
    chinese: re.Pattern[str] | None
    phrases: re.Pattern[str] | None
    needs: frozenset[str]
    exact: re.Pattern[str] | None

    def shown_by(self, wording: Wording, *, chinese: bool) -> bool:
        return (
            not self.words.isdisjoint(wording.words)
            or bool(chinese and self.chinese and self.chinese.search(wording.lower))
            or bool(self.phrases and self._may_show_phrase(wording) and self.phrases.search(wording.lower))
            or bool(self.exact and self.exact.search(wording.written))
        )

    def _may_show_phrase(self, wording: Wording) -> bool:
        return not self.needs or not self.needs.isdisjoint(wording.words)


class Vocabulary:
    """The signals, the kinds of headings and files, and the weights."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.threshold = float(table["threshold"])
        self.priors: Mapping[str, float] = table["priors"]
        self.shapes: Mapping[str, float] = table["shapes"]
        self.combined: Mapping[str, float] = table["combined"]
        self.most_beside = sum(self.combined.values()) + sum(weight for weight in self.shapes.values() if weight > 0)
        """The most that anything but priors and signals can add."""
        self.signals = {name: _signal(each) for name, each in table["signals"].items()}
        self._imperatives = frozenset(table["imperatives"]["words"].split())
        self._chinese_imperatives = tuple(table["imperatives"]["chinese"].split())
        self._chinese_nouns = tuple(table["imperatives"]["chinese_nouns"].split())
        self._kinds = [_kind(name, table["kinds"]) for name in KINDS]

    def signals_of(self, wording: Wording) -> dict[str, float]:
        """Return the signals that a passage shows, with their weights."""
        chinese = bool(_CHINESE.search(wording.lower))
        return {
            name: signal.weight for name, signal in self.signals.items() if signal.shown_by(wording, chinese=chinese)
        }

    @lru_cache(maxsize=4096)  # noqa: B019 — there is one vocabulary, and it lives as long as the process
    def kind_of(self, name: str) -> str | None:
        """Return what a heading or the name of a file says of its contents: lesson, guide, plain, and so on."""
        lower = simplified(name.lower())
        words = {word for run in _WORD.findall(lower) for word in (run, *run.split("-"))}
        return next((kind.name for kind in self._kinds if kind.named_by(lower, words)), None)

    @lru_cache(maxsize=4096)  # noqa: B019
    def heading_kind(self, heading: str) -> str | None:
        """Return what a heading says of what stands under it; a whole sentence is no name of an everyday chapter."""
        kind = self.kind_of(heading)
        return kind if kind in ("lesson", "template") or length_of(heading) <= LONGEST_NAME else None

    def demands(self, clause: str) -> bool:
        """Tell whether a clause says what to do or what not to do."""
        start = _BEFORE_CLAUSE.sub("", simplified(clause.lower().replace("’", "'")))
        if _FORBIDS.match(start):
            return True
        word = _WORD.match(start)
        if word:
            return word[0] in self._imperatives
        return start.startswith(self._chinese_imperatives) and not start.startswith(self._chinese_nouns)

    def begins_with_demand(self, text: str) -> bool:
        """Tell whether a text begins by telling its reader what to do, a condition before that aside."""
        clauses = clauses_of(text)
        first = next((clause for clause in clauses if not _CONDITION.match(clause.lower())), "")
        return self.demands(first)

    def without_demands(self, text: str) -> str:
        """Return a text without what it demands: what is to be done or avoided is no reason for that."""
        kept: list[str] = []
        for clause in clauses_of(text):
            if not self.demands(clause):
                kept.append(clause)
            elif kept and _CONDITION.match(kept[-1].lower()):
                kept.pop()
        return "\n".join(kept)


def clauses_of(text: str) -> list[str]:
    """Return the clauses of a text, as punctuation and a few conjunctions part them; code spans stay whole."""
    hidden = without_code(text)
    edges = [0, *(found.start() for found in _CLAUSE_END.finditer(hidden)), len(text)]
    return [clause for start, end in pairwise(edges) if (clause := text[start:end]).strip()]


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """Return the vocabulary that ships with the reader."""
    return Vocabulary(tomllib.loads(Path(__file__).with_name("signals.toml").read_text(encoding="utf-8")))


def wording(text: str) -> Wording:
    """Return a passage's text in the forms that signals look at."""
    text = without_comments(text)
    without_links = _LINK.sub(lambda found: found[1] or "", text)
    written = _CODE_SPAN.sub(lambda found: f"`{found[1]}`", without_links)
    lower = simplified(_CODE_SPAN.sub(" code ", without_links).lower()).replace("’", "'")
    words = _WORD.findall(lower)
    length = len(words) + (0 if text.isascii() else len(_CHINESE.findall(lower)) // 2)
    return Wording(written, lower, frozenset(words), length, sum(len(found[0]) for found in _LINK.finditer(text)))


def length_of(text: str) -> int:
    """Return the length of a text in words; a Chinese character counts half."""
    return len(_WORD.findall(text.lower())) + (0 if text.isascii() else len(_CHINESE.findall(text)) // 2)


def without_code(text: str) -> str:
    """Return a text of the same length with letters in place of its code spans."""
    return _CODE_SPAN.sub(lambda found: "c" * len(found[0]), text)


def simplified(text: str) -> str:
    """Return a text with the traditional characters that matter here simplified."""
    return text if text.isascii() else text.translate(_SIMPLER)


def _kind(name: str, table: Mapping[str, Any]) -> _Kind:
    known = table.get(name, "").split()
    pieces = [re.escape(piece) for piece in known if _CHINESE.match(piece)] + table.get(f"{name}_phrases", [])
    return _Kind(name, frozenset(known), re.compile("|".join(pieces)) if pieces else None)


def _signal(table: Mapping[str, Any]) -> _Signal:
    chinese = [*map(re.escape, table.get("chinese", "").split()), *table.get("chinese_phrases", [])]
    return _Signal(
        weight=float(table["weight"]),
        words=frozenset(table.get("words", "").split()),
        chinese=re.compile("|".join(chinese)) if chinese else None,
        phrases=re.compile("|".join(table["phrases"])) if "phrases" in table else None,
        needs=frozenset(table.get("needs", "").split()),
        exact=re.compile("|".join(table["exact"])) if "exact" in table else None,
    )
