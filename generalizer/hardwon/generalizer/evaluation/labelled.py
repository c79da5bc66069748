"""A labelled set: lessons whose causes are known, and tasks with the cause that lies in wait in them.

JSON Lines. A lesson is a line of the import format (docs/reference/formats.md) with an `id` and a `cause`, null for a
lesson that belongs to no cause. A task is a line `{"task": "...", "cause": "..."}`, null where nothing should be shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.regular_file import read_regular_text
from hardwon.kernel.text import language_of

Causes = Mapping[str, str | None]
"""The cause of each lesson by its id; None for one that belongs to no cause."""


@dataclass(frozen=True)
class Task:
    """Something that somebody sets out to do."""

    text: str
    cause: str | None

    @property
    def language(self) -> str:
        """Return the ISO 639-1 code of its language."""
        return language_of(self.text)


@dataclass(frozen=True)
class LabelledSet:
    """Lessons as the import takes them, without their labels, and the labels apart."""

    lessons: list[dict[str, Any]]
    causes: dict[str, str | None]
    tasks: list[Task] = field(default_factory=list)


def read_labelled(path: Path) -> LabelledSet:
    """Read a labelled set. Raises InvalidInput that names the line."""
    try:
        lines = read_regular_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); name a file of JSON Lines.") from None
    found = LabelledSet([], {})
    for number, line in enumerate(lines, 1):
        if line.strip():
            _take(found, _row(line, f"{path}:{number}"), f"{path}:{number}")
    if not found.lessons:
        raise InvalidInput(f"{path} holds no lesson; give each a line with `id`, `project`, `content` and `cause`.")
    return found


def _row(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} is no JSON ({error}); mend that line.") from None
    if not isinstance(row, dict):
        raise InvalidInput(f"{where} is no JSON object; write one object a line.")
    return row


def _take(found: LabelledSet, row: dict[str, Any], where: str) -> None:
    """Put one line where it belongs. Raises InvalidInput."""
    cause = row.pop("cause", None)
    if cause is not None and not isinstance(cause, str):
        raise InvalidInput(f"{where}: `cause` is no text; write the cause's name, or null.")
    if "task" in row:
        found.tasks.append(Task(str(row["task"]), cause))
        return
    id = row.get("id")
    if not isinstance(id, str) or not isinstance(row.get("content"), str):
        raise InvalidInput(f"{where} is neither a lesson with `id` and `content` nor a `task`; complete it.")
    if id in found.causes:
        raise InvalidInput(f"{where}: the id “{id}” stands twice; give one of the lessons another.")
    found.causes[id] = cause
    found.lessons.append(row)
