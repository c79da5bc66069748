"""The fields of a lesson: who worded each of them, and what is to be mended before they are kept.

Whoever words a field of a memory that somebody else told is noted in its metadata, with a fingerprint of the words, so
that a person's later edit is known for what it is, and a field that a person took away does not come back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.principle import LONGEST, SHORTEST, Fault, faults_of
from hardwon.kernel.text import fold

FIELDS = tuple(Lesson.model_fields)
PRINCIPLE = "principle"
LONGEST_FIELD = 1_000
"""Characters."""
DERIVED = "derived"
"""Words a field that was taken from the memory's own text by rule, without a model."""
PERSON = "user"
"""Words a field that a person changed by hand after somebody else had worded it."""
PERSONS = (PERSON, "import")
"""Who told a memory whose fields no agent rewords: a person, or the files that they have."""
WEAK = "weak_principle"
"""The metadata key that keeps a principle that cannot stand as a rule, until it is mended."""
_WORDED_BY = "worded_by"
_PLACEHOLDERS = frozenset(
    fold(each)
    for each in (
        "n/a",
        "na",
        "none",
        "null",
        "nothing",
        "unknown",
        "todo",
        "tbd",
        "-",
        "?",
        "无",
        "没有",
        "未知",
        "待补充",
    )
)
EXAMPLES = {
    "en": "Set a time limit on every network call, and decide what happens when it is reached.",
    "zh": "每次网络调用都必须设置超时时间，并规定超时之后怎么办。",
}
"""A principle as it should be."""
_FORM = {
    "en": (
        f"A principle is one sentence of {SHORTEST} to {LONGEST} words that says what to do in any project, without "
        "names of projects, files, functions, versions, hosts or people and without quoted code, such as: “{}”"
    ),
    "zh": (
        f"原则是一句话（{2 * SHORTEST} 到 {2 * LONGEST} 个汉字），说明在任何项目里该怎么做，"
        "不含项目、文件、函数、版本、主机或人的名字，也不引用代码，例如：“{}”"
    ),
}
_TO_MEND = {"en": ("To mend: ", "; ", ", ", ". "), "zh": ("需要修改：", "；", "，", "。")}


@dataclass(frozen=True)
class Mending:
    """A field that was not kept as it was given, and why."""

    field: str
    given: str
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class Checked:
    """The fields that may be kept, and those that are to be mended first."""

    lesson: Lesson
    to_mend: tuple[Mending, ...] = ()


def check_fields(lesson: Lesson, content: str, names: Iterable[str], languages: Collection[str]) -> Checked:
    """Return which fields of a lesson may be kept, and what is to be mended of the others.

    `content` is the memory's text, which a field must not only repeat; `names` are those of its project, of which its
    principle must not speak; `languages` those that the principle may be in.
    """
    given = {name: str(getattr(lesson, name)) for name in FIELDS if getattr(lesson, name)}
    said = {fold(content): "content"}
    to_mend = []
    for name, words in given.items():
        faults = _faults(words, said)
        if name == PRINCIPLE and not faults:
            faults = faults_of(words, names, languages)
        said.setdefault(fold(words), name)
        if faults:
            to_mend.append(Mending(name, words, tuple(faults)))
    refused = {each.field: None for each in to_mend}
    return Checked(lesson.model_copy(update=refused), tuple(to_mend))


def _faults(words: str, said: Mapping[str, str]) -> list[Fault]:
    """Return what is wrong with any field; `said` is what stands already, by its folded words."""
    folded = fold(words)
    if folded in _PLACEHOLDERS:
        return [Fault("nothing", words)]
    if len(words) > LONGEST_FIELD:
        return [Fault("long", str(LONGEST_FIELD))]
    # A sentence that is the whole memory may well be its principle.
    repeated = said.get(folded)
    return [Fault("repeated", repeated)] if repeated and repeated != "content" else []


def mending_text(to_mend: Iterable[Mending], language: str) -> str:
    """Return what is to be mended, field by field, with an example of the form; in English unless it is Chinese."""
    to_mend = list(to_mend)
    form = form_of(language) if any(each.field == PRINCIPLE for each in to_mend) else ""
    return f"{faults_text(to_mend, language)}{form}".strip()


def faults_text(to_mend: Iterable[Mending], language: str) -> str:
    """Return what is to be mended, field by field, in one sentence."""
    code = language if language in _TO_MEND else "en"
    head, between, comma, end = _TO_MEND[code]
    fields = between.join(f"{each.field} {comma.join(fault.told(code) for fault in each.faults)}" for each in to_mend)
    return f"{head}{fields}{end}"


def form_of(language: str) -> str:
    """Return how a principle is to be, with an example, in its language; in English unless that is Chinese."""
    code = language if language in _FORM else "en"
    return _FORM[code].format(EXAMPLES[code])


def marked(metadata: Mapping[str, Any], checked: Checked) -> dict[str, Any]:
    """Return a memory's metadata with the principle that is still to be mended, if there is one."""
    weak = next((each.given for each in checked.to_mend if each.field == PRINCIPLE), None)
    if weak:
        return {**metadata, WEAK: weak}
    return {key: value for key, value in metadata.items() if key != WEAK or not checked.lesson.principle}


def author_of(entry: MemoryEntry, field: str) -> str | None:
    """Return who worded a field: DERIVED, PERSON, a model's or an agent's name, or who told the memory; None: nobody.

    A field that is empty and was not always so was taken away, by PERSON or by who found that nothing transfers.
    """
    words = getattr(entry.lesson, field)
    noted = _noted(entry).get(field)
    if noted is None:
        return entry.source.said_by if words else None
    return str(noted.get("by")) if noted.get("words") == _mark(words) else PERSON


def is_derived(entry: MemoryEntry, field: str = PRINCIPLE) -> bool:
    """Tell whether a field was taken from the text by rule: it is trusted less than one that somebody wrote."""
    return bool(getattr(entry.lesson, field)) and author_of(entry, field) == DERIVED


def is_open(entry: MemoryEntry, field: str) -> bool:
    """Tell whether a field is empty and nobody took it away or said that there is nothing to put in it."""
    return not getattr(entry.lesson, field) and field not in _noted(entry)


def may_be_worded(entry: MemoryEntry, field: str, by: str) -> bool:
    """Tell whether words of `by` may stand in a field: no person gave those that are there, or took them away."""
    author = author_of(entry, field)
    return author not in PERSONS if getattr(entry.lesson, field) else by == PERSON or author != PERSON


def worded(entry: MemoryEntry, fields: Mapping[str, str | None], by: str) -> dict[str, Any]:
    """Return the changes that put these words into a memory's fields, noted as worded by somebody."""
    noted = {field: {"by": by, "words": _mark(words)} for field, words in fields.items()}
    metadata = {**entry.metadata, _WORDED_BY: {**_noted(entry), **noted}}
    if PRINCIPLE in fields:
        metadata.pop(WEAK, None)
    return {"lesson": entry.lesson.model_copy(update=dict(fields)), "metadata": metadata}


def unworded(entry: MemoryEntry, fields: Iterable[str]) -> dict[str, Any]:
    """Return the changes that take words out of a memory's fields again, as if nobody had put them in."""
    fields = list(fields)
    noted = {field: note for field, note in _noted(entry).items() if field not in fields}
    metadata = {key: value for key, value in entry.metadata.items() if key != _WORDED_BY}
    metadata |= {_WORDED_BY: noted} if noted else {}
    return {"lesson": entry.lesson.model_copy(update=dict.fromkeys(fields)), "metadata": metadata}


def _noted(entry: MemoryEntry) -> dict[str, dict[str, Any]]:
    noted = entry.metadata.get(_WORDED_BY)
    if not isinstance(noted, dict):
        return {}
    return {field: note for field, note in noted.items() if isinstance(note, dict)}


def _mark(words: str | None) -> str:
    return fingerprint(words or "", length=10)
