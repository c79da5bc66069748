"""Decides whether a unit is a lesson: something learned or surprising, rather than an instruction or a description.

The score is a sum: where the unit stands (priors), how it is built (shapes), what its language shows (signals) and what
two of these say together (combined). All weights are in signals.toml; a verdict names each that counted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hardwon.cli.reading.signals import Vocabulary, Wording, length_of, vocabulary, without_code, wording
from hardwon.cli.reading.units import SENTENCE, Unit, units_of

REASONS = ("failure", "harm", "silence", "cause", "consequence", "surprise", "learned", "symptom")
"""Signals that give an instruction its reason."""

EXPERIENCE = ("silence", "surprise", "learned", "told", "event", "past")
"""Signals that somebody met what is told."""

HAPPENED = ("toll", "learned", "told", "event", "past")
"""Signals that it is told as something that happened once."""

ALL_PARTS = 3
"""Situation, cause and fix: who labels them tells a lesson."""

STATEMENT = 8
"""Words beside what is demanded from which a lesson says how things are."""

WHY_SKIPPED = {
    "introduction": "An introduction to what follows it; the entries themselves are read one by one.",
    "template": "A template or advice on how to fill the file; it tells nothing yet.",
    "links": "A pointer to other documents; import those if they hold lessons.",
    "task": "A task of a checklist; it tells nothing learned.",
    "fragment": "Too short to tell anything; write what happens and why.",
    "instruction": "A plain instruction; to make it a lesson, add what goes wrong otherwise.",
    "description": "A description; nothing in it went wrong, surprised or was decided for a reason.",
}
"""What is said of a unit that is no lesson, by its sort."""

_PLACEHOLDER = re.compile(
    r"\[(?=[A-Z]|[^\]\n]{0,80} |[^\]\n]{0,80}[\u4e00-\u9fff])[^\]\n`]{2,80}\](?![(\[:])"
    r"|<[a-z]+ [a-z ]{2,60}>|YYYY|\{\{?[a-zA-Z _-]+\}\}?|\bTBD\b"
)
_COMMENT = r"(?:#|//|--|/\*)\s*"
_WRONG = re.compile(
    rf"{_COMMENT}(?:❌\s*)?(?:wrong|bad|anti-?pattern|don't|broken|incorrect|never|错误|反例|不要)|❌", re.IGNORECASE
)
_RIGHT = re.compile(
    rf"{_COMMENT}(?:✅\s*)?(?:right|good|correct|idiomatic|do\b|better|fixed|正确|推荐|应该)|✅", re.IGNORECASE
)
_DEFINITION = re.compile(
    r"(?!\W*20\d\d-)(?:\*\*|__)?"
    r"(?:`[^`\n]+`|\[[^\]\n]+\]\([^)\n]*\)|[\w./+ -]{2,40})(?:\*\*|__|:\*\*)?\s*(?:\([^)\n]{0,60}\)\s*)?"
    r"(?:[—–:：]|-{1,2}\s|→)"
)
_POINTER = re.compile(
    r"[^\n]{0,160}(?:→|➡|->|=>|\bsee|参见|详见|见)\s*(?:the\s+)?[`*]*\[?[^\s\]]+\.(?:md|mdx|rst|html)\b", re.IGNORECASE
)
_REFERENCE = re.compile(r"^\s*(?:\[[^\]\n]+\]\(|#\d+|https?://|<https?:)", re.MULTILINE)
_EXPLAINED = re.compile(
    r"(?:\bnever|\bdon't|\bdo not|\bavoid|\bmust not|\bshould not|\bshouldn't)\b[^.;\n—–]{4,160}"
    r"(?:[.;:—–(]|\s-{1,2}\s)\s*"
    r"(?:it|they|this|that|these|those|there|you(?:'ll)?|each|every|all|the [\w-]+|an? [\w-]+|both|some|code)\s+[a-z]"
    r"|(?:不要|不能|禁止|切勿|严禁|不可)[^。；\n]{2,80}(?:，|。|；|——|：|（)[^。\n]{0,24}"
    r"(?:会|就|将|这是|它|容易|可能|才|等于|是)"
)
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


@dataclass(frozen=True)
class Verdict:
    """Whether a unit is a lesson, and what counted."""

    score: float
    counted: Mapping[str, float]
    skipped_as: str | None
    """A key of WHY_SKIPPED, or None for a lesson."""


def judged_units(lines: Sequence[str], name: str) -> Iterator[tuple[Unit, Verdict]]:
    """Walk the units of a file with the verdict on each; `name` is the file's, without its ending."""
    kind = vocabulary().kind_of(name)
    for unit in units_of(lines, guide=kind == "guide"):
        yield unit, judge(unit, file_kind=kind)


def judge(unit: Unit, *, file_kind: str | None) -> Verdict:
    """Return the verdict on a unit of a file of that kind (see `Vocabulary.kind_of`)."""
    known = vocabulary()
    words = wording(unit.prose)
    kinds = [known.heading_kind(heading) for heading in (*unit.path, unit.title) if heading]
    priors = _priors(known, kinds, file_kind)
    among_lessons = any(name.startswith("lesson") for name in priors)
    signals = known.signals_of(words)
    if not among_lessons and sum(priors.values()) + sum(signals.values()) + known.most_beside >= known.threshold:
        signals = _beyond_demands(known, unit.prose, signals)
    counted = {
        **priors,
        **signals,
        **_combined(known, signals),
        **_shapes(
            known, unit, words, signals, instructs=known.begins_with_demand(unit.prose), among_lessons=among_lessons
        ),
        **_unmet(known, unit, signals, {file_kind, *kinds} - {None, "plain"}),
    }
    score = sum(counted.values())
    sort = _certain_sort(unit, words, kinds, file_kind)
    if sort is None and score < known.threshold:
        sort = _sort(unit, words, counted)
    return Verdict(score, counted, sort)


def _beyond_demands(known: Vocabulary, prose: str, signals: Mapping[str, float]) -> dict[str, float]:
    """Return the signals without those that only stand in a demand: what it is about is no reason for it."""
    reasons = known.signals_of(wording(known.without_demands(prose)))
    return {name: weight for name, weight in signals.items() if name in reasons or name in ("prohibition", "event")}


def _priors(known: Vocabulary, kinds: Sequence[str | None], file_kind: str | None) -> dict[str, float]:
    """Weigh where a unit stands: the file's name, the nearest heading that says something, the title."""
    telling = [kind for kind in kinds if kind in ("lesson", "plain", "decision", "history")]
    names = [f"{file_kind}_file"] if file_kind in ("lesson", "guide", "history", "decision", "manual") else []
    if file_kind == "guide" and telling[-1:] == ["lesson"]:
        names.clear()
    if telling:
        names.append(f"{telling[-1]}_heading" if telling[-1] != "history" else "history_file")
    if "lesson" in kinds and telling[-1] == "plain":
        names.append("lesson_heading")
    found = {name: known.priors[name] for name in names}
    for kind in ("lesson", "decision"):
        if found.keys() >= {f"{kind}_file", f"{kind}_heading"}:
            found[f"{kind}_heading"] = known.priors["at_most"] - found[f"{kind}_file"]
    return found


def _unmet(
    known: Vocabulary, unit: Unit, signals: Mapping[str, float], kinds: Collection[str | None]
) -> dict[str, float]:
    """Weigh that no name says what to expect, and nothing is told as something that happened."""
    happened = len(unit.parts) >= ALL_PARTS or any(name in signals for name in HAPPENED)
    return {} if kinds or happened else {"unmet": known.shapes["unmet"]}


def _combined(known: Vocabulary, signals: Mapping[str, float]) -> dict[str, float]:
    """Weigh the signals that say more together."""
    failing = "failure" in signals or "silence" in signals
    together = {
        "prohibition_and_reason": "prohibition" in signals and any(reason in signals for reason in REASONS[:-1]),
        "failure_and_cause": failing and ("cause" in signals or "consequence" in signals),
        "failure_and_remedy": failing and "remedy" in signals,
        "failure_and_condition": failing and "condition" in signals,
    }
    return {name: known.combined[name] for name, shown in together.items() if shown}


def _shapes(
    known: Vocabulary, unit: Unit, words: Wording, signals: Mapping[str, float], *, instructs: bool, among_lessons: bool
) -> dict[str, float]:
    """Weigh how a unit is built."""
    reason = any(reason in signals for reason in REASONS)
    forbids = "prohibition" in signals
    justified = forbids and (reason or bool(_EXPLAINED.search(words.lower)))
    stated = among_lessons and length_of(known.without_demands(unit.prose)) > STATEMENT
    shown = {
        "labelled": len(unit.parts) >= 2,
        "entry": among_lessons and _is_entry(unit, words) and (justified or not instructs),
        "one_label": len(unit.parts) == 1 and unit.shape != "row",
        "contrast_in_code": bool(_WRONG.search(unit.content) and _RIGHT.search(unit.content)) and "`" in unit.content,
        "definition": not instructs and unit.shape in ("item", "row") and bool(_DEFINITION.match(unit.prose)),
        "explained": justified and bool(_EXPLAINED.search(words.lower)),
        "instruction": instructs and not among_lessons and not justified,
        "no_reason": instructs and not (reason or justified or stated),
        "plain_facts": not (
            among_lessons or justified or len(unit.parts) >= ALL_PARTS or any(name in signals for name in EXPERIENCE)
        ),
        "long": not among_lessons and words.length > 120,
        "fragment": words.length < 6,
        "links": words.links * 2 > len(unit.prose),
        "pointer": bool(_POINTER.match(unit.prose)),
        "task": unit.task,
    }
    return {name: known.shapes[name] for name, is_shown in shown.items() if is_shown}


def _is_entry(unit: Unit, words: Wording) -> bool:
    """Tell whether a unit is one of a list's entries, and says something rather than asks."""
    return unit.shape in ("item", "row") and words.length >= SENTENCE and not words.lower.endswith(("?", "？"))


def _certain_sort(unit: Unit, words: Wording, kinds: Sequence[str | None], file_kind: str | None) -> str | None:
    """Return why a unit is no lesson whatever its words are."""
    if len(_PLACEHOLDER.findall(without_code(unit.prose))) >= 3 or "template" in kinds:
        return "template"
    if unit.opening and len(unit.parts) < 2 and (file_kind or (kinds and kinds[0])):
        return "introduction"
    lines = unit.prose.count("\n") + 1
    if words.links * 10 > 8 * len(unit.prose) or (lines > 1 and len(_REFERENCE.findall(unit.prose)) * 5 >= 3 * lines):
        return "links"
    return "fragment" if words.length == 0 else None


def _sort(unit: Unit, words: Wording, counted: Mapping[str, float]) -> str:
    """Return what a unit is that is no lesson."""
    for sort, shape in (("links", "links"), ("links", "pointer"), ("task", "task"), ("fragment", "fragment")):
        if shape in counted:
            return sort
    first = _SENTENCE_END.split(unit.prose, maxsplit=1)[0].lower()
    prescribes = re.search(r"\b(?:must|should|always|never|required)\b|必须|统一|禁止|不要", first)
    return "instruction" if "instruction" in counted or "prohibition" in counted or prescribes else "description"
