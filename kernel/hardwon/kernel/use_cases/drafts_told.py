"""What waits for words, told to the agent that is to word it: lessons as data, of bounded size, and what is asked.

The one place that renders it, for the command line and for MCP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardwon.kernel.injection import END, MARKER, harmless
from hardwon.kernel.injection_words import WORDS
from hardwon.kernel.lesson_fields import FIELDS, PRINCIPLE, Mending, form_of, mending_text
from hardwon.kernel.text import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.use_cases.drafting import Drafted, Work

MOST_LESSONS = 8
"""Lessons of a proposal that are quoted."""
LONGEST_TEXT, LONGEST_PART = 700, 300
"""Characters of a lesson's text, and of each of its fields."""
LONGEST_ANSWER = 20_000
"""Characters of all that is quoted in one answer; the first that waits is always there."""
NAMES = {"en": "English", "zh": "Chinese"}


def within_bounds(works: Sequence[Work]) -> list[Work]:
    """Return as many, from the first, as one answer may quote."""
    taken: list[Work] = []
    quoted = 0
    for work in works:
        quoted += sum(len(part) for lesson in _quoted(work) for part in lesson.values())
        if taken and quoted > LONGEST_ANSWER:
            break
        taken.append(work)
    return taken


def work_data(work: Work) -> dict[str, Any]:
    """Return one thing that waits for words as data."""
    return {
        "id": work.id,
        "for": "proposal" if work.proposal else "lesson",
        "kind": work.proposal.kind.value if work.proposal else "lesson",
        "asked": list(work.lacking),
        "languages": list(work.languages),
        "avoid": [harmless(name) for name in work.names],
        "present": harmless(work.present),
        "problems": [fault.told() for fault in work.faults],
        "lessons": _quoted(work),
        "not_quoted": max(0, len(work.lessons) - MOST_LESSONS),
    }


def works_text(works: Sequence[Work], waiting: int, how: str) -> str:
    """Return what waits for words, to be read; `how` says by which tool or command a draft is given."""
    if not works:
        return "Nothing waits for words."
    lines = [f"{len(works)} of {waiting} that wait for words.", WORDS["en"].head]
    for work in works:
        lines += _work_lines(work)
    return "\n".join([MARKER, *lines, END, asked(works, how)])


def asked(works: Sequence[Work], how: str) -> str:
    """Return what is asked of the agent: how a draft is given, and the form in each language that is asked for."""
    languages = dict.fromkeys(language for work in works for language in work.languages)
    return "\n".join([how, *(form_of(language) for language in languages)])


def drafted_data(drafted: Drafted) -> dict[str, Any]:
    """Return what came of a draft as data."""
    return {
        "id": drafted.id,
        "kept": drafted.kept,
        "to_mend": mending_data(drafted.to_mend),
        "untouched": list(drafted.untouched),
    }


def drafted_text(drafted: Drafted) -> str:
    """Return what came of a draft: what was kept, what a person's words kept out, and what is to be mended."""
    lines = [f"Kept for {drafted.id}: {', '.join(drafted.kept)}."] if drafted.kept else []
    if drafted.untouched:
        lines.append(f"The user worded {', '.join(drafted.untouched)}; that stays.")
    if drafted.to_mend:
        given = " ".join(each.given for each in drafted.to_mend)
        lines.append(f"Not kept for {drafted.id}. {mending_text(drafted.to_mend, language_of(given))}")
    return " ".join(lines)


def mending_data(to_mend: Iterable[Mending]) -> list[dict[str, Any]]:
    """Return what is to be mended as data."""
    return [
        {"field": each.field, "given": each.given, "problems": [fault.told() for fault in each.faults]}
        for each in to_mend
    ]


def _quoted(work: Work) -> list[dict[str, str]]:
    return [_lesson(entry) for entry in work.lessons[:MOST_LESSONS]]


def _lesson(entry: MemoryEntry) -> dict[str, str]:
    parts = {name: _short(words, LONGEST_PART) for name in FIELDS if (words := getattr(entry.lesson, name))}
    return {"id": entry.id, "text": _short(entry.content, LONGEST_TEXT), **parts}


def _work_lines(work: Work) -> list[str]:
    data = work_data(work)
    languages = " or ".join(NAMES.get(code, code) for code in work.languages)
    what = f"one rule for these {len(work.lessons)} lessons" if work.proposal else ", ".join(work.lacking)
    lines = [f"{data['for'].capitalize()} {work.id}: asked for is {what}, in {languages}."]
    if data["avoid"]:
        lines.append(f"  Not to be named: {', '.join(data['avoid'])}.")
    if work.faults:
        lines.append(f"  The {PRINCIPLE} “{data['present']}” cannot stand: it {', '.join(data['problems'])}.")
    elif work.present:
        lines.append(f"  It reads “{data['present']}”, which is doubtful; better it, or give the same if it is right.")
    for lesson in data["lessons"]:
        lines.append(f"  - [{lesson['id']}] {lesson['text']}")
        lines += [f"    {name}: {lesson[name]}" for name in FIELDS if name in lesson]
    if data["not_quoted"]:
        lines.append(f"  and {data['not_quoted']} more like these.")
    return lines


def _short(text: str, longest: int) -> str:
    """Return a text in one line that nothing can hide in, cut where it is too long."""
    line = " ".join(harmless(text).split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
