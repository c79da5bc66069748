"""Decides whether a unit is a lesson: something learned or surprising, rather than an instruction or a description.

The score is a sum: where the unit stands (priors), how it is built (shapes), what its language shows (signals) and what
two of these say together (combined). All weights are in signals.toml; a verdict names each that counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardwon.cli.reading.signals import Vocabulary, Wording, vocabulary, wording
from hardwon.cli.reading.units import Unit

REASONS = ("failure", "silence", "cause", "consequence", "surprise", "learned", "symptom")
"""Signals that give an instruction its reason."""

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
    r"\[[A-Za-z][^\]\n]{2,80}\](?![(\[])|<[a-z][^>\n]{2,60}>|YYYY|\{\{?[a-zA-Z _-]+\}\}?|\.\.\.$|^TBD$|（[^）]*填写", re.MULTILINE
)
_WRONG = re.compile(r"(?:#|//|--|/\*|;)\s*(?:❌\s*)?(?:wrong|bad|anti-?pattern|don't|broken|incorrect|never|错误|反例|不要)|❌", re.IGNORECASE)
_RIGHT = re.compile(
    r"(?:#|//|--|/\*|;)\s*(?:✅\s*)?(?:right|good|correct|idiomatic|do|better|fixed|正确|推荐|应该)|✅|[✓✔]", re.IGNORECASE
)
_DEFINITION = re.compile(r"^(?:\*\*|__)?(?:`[^`\n]+`|\[[^\]]+\]\([^)]*\)|[\w./+ -]{2,40})(?:\*\*|__|:\*\*)?\s*(?:\([^)]{0,60}\)\s*)?(?:[—–:：]|-{1,2}\s|→)")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")


@dataclass(frozen=True)
class Verdict:
    """Whether a unit is a lesson, and what counted."""

    score: float
    counted: Mapping[str, float]
    skipped_as: str | None
    """A key of WHY_SKIPPED, or None for a lesson."""


def judge(unit: Unit, *, file_kind: str | None) -> Verdict:
    """Return the verdict on a unit of a file of that kind (see `Vocabulary.kind_of`)."""
    known = vocabulary()
    words = wording(unit.prose)
    kinds = [known.kind_of(heading) for heading in unit.path]
    counted = {
        **_priors(known, kinds, file_kind),
        **(signals := known.signals_of(words)),
        **_combined(known, signals),
        **_shapes(known, unit, words, signals),
    }
    score = sum(counted.values())
    sort = _certain_sort(unit, words, kinds, file_kind)
    if sort is None and score < known.threshold:
        sort = _sort(unit, words, counted)
    return Verdict(score, counted, sort)


def _priors(known: Vocabulary, kinds: Sequence[str | None], file_kind: str | None) -> dict[str, float]:
    """Weigh where a unit stands: the file's name, the nearest heading that says something, the title."""
    telling = [kind for kind in kinds if kind in ("lesson", "plain", "decision", "history")]
    names = [f"{file_kind}_file"] if file_kind in ("lesson", "guide", "history") else []
    if telling:
        names.append(f"{telling[-1]}_heading" if telling[-1] != "history" else "history_file")
    if "lesson" in kinds and telling[-1] == "plain":
        names.append("lesson_heading")
    found = {name: known.priors[name] for name in names}
    if found.keys() >= {"lesson_file", "lesson_heading"}:
        found["lesson_heading"] = known.priors["at_most"] - known.priors["lesson_file"]
    return found


def _combined(known: Vocabulary, signals: Mapping[str, float]) -> dict[str, float]:
    found = []
    failing = "failure" in signals or "silence" in signals
    if "prohibition" in signals and (any(reason in signals for reason in REASONS)):
        found.append("prohibition_and_reason")
    if failing and ("cause" in signals or "consequence" in signals):
        found.append("failure_and_cause")
    if failing and "remedy" in signals:
        found.append("failure_and_remedy")
    if failing and "condition" in signals:
        found.append("failure_and_condition")
    return {name: known.combined[name] for name in found}


def _shapes(known: Vocabulary, unit: Unit, words: Wording, signals: Mapping[str, float]) -> dict[str, float]:
    found = []
    if len(unit.parts) >= 2:
        found.append("labelled")
    elif unit.parts and unit.shape != "row":
        found.append("one_label")
    if _WRONG.search(unit.content) and _RIGHT.search(unit.content):
        found.append("contrast_in_code")
    if unit.shape in ("item", "row") and _DEFINITION.match(unit.prose):
        found.append("definition")
    if known.begins_with_instruction(unit.prose):
        found.append("instruction")
        if not any(reason in signals for reason in REASONS):
            found.append("no_reason")
    if words.length < 6:
        found.append("fragment")
    if words.links * 2 > len(unit.prose):
        found.append("links")
    if unit.task:
        found.append("task")
    return {name: known.shapes[name] for name in found}


def _certain_sort(
    unit: Unit, words: Wording, kinds: Sequence[str | None], file_kind: str | None
) -> str | None:
    """Return why a unit is no lesson whatever its words are."""
    titled = kinds[0] if kinds else None
    if len(_PLACEHOLDER.findall(unit.content)) >= 3 or "template" in kinds:
        return "template"
    if unit.opening and len(unit.parts) < 2 and (file_kind or titled):
        return "introduction"
    if words.length == 0 or words.links * 10 > 8 * len(unit.prose):
        return "links" if words.links else "fragment"
    return None


def _sort(unit: Unit, words: Wording, counted: Mapping[str, float]) -> str:
    for sort in ("links", "task", "fragment"):
        if sort in counted:
            return sort
    first = _SENTENCE_END.split(unit.prose, maxsplit=1)[0]
    prescribes = re.search(r"\b(?:must|should|always|never|required|ALWAYS|NEVER|MUST)\b|必须|统一|禁止|不要", first)
    return "instruction" if "instruction" in counted or "prohibition" in counted or prescribes else "description"
