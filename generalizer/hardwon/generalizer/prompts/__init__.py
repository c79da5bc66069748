"""Prompts: a file a task and version, the same in every call of its task, so that providers' prompt caches hold.

A file whose words change gets a new number. What a call is about stands in the tail, as JSON: a text in it cannot end
the quotation in which it stands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hardwon.generalizer.catalogue import shipped_catalogue
from hardwon.kernel.ports import Prompt

FOLDER = Path(__file__).parent
VERSIONS: Mapping[str, int] = {"extraction": 1, "lesson": 1, "rule": 1, "relation": 1}
"""The version of each task's prompt."""

MOST_CAUSES = 16
"""Causes that are named of a field."""


def prompt_for(task: str, given: Mapping[str, Any]) -> Prompt:
    """Return the prompt of a task about what is given, which is to be plain values."""
    tail = json.dumps(given, ensure_ascii=False, sort_keys=True, indent=1)
    return Prompt(f"{task}-{VERSIONS[task]}", prefix_of(task), tail)


@cache
def prefix_of(task: str) -> str:
    """Return the static part of a task's prompt."""
    text = (FOLDER / f"{task}-{VERSIONS[task]}.md").read_text(encoding="utf-8")
    return text.replace("{catalogue}", catalogue_in_short())


@cache
def catalogue_in_short() -> str:
    """Return the causes that ship, a line a field with its first causes: what sizes they have, not all there are.

    The same for every home, whatever a user adds to theirs. A model of this machine reads each token for tens of
    milliseconds when it is asked first.
    """
    fields: dict[str, list[str]] = {}
    for concept in shipped_catalogue():
        field, _, cause = concept.topic.partition(".")
        fields.setdefault(field, []).append(cause.rpartition(".")[2].replace("_", " ").replace("-", " ") or field)
    return "\n".join(
        f"- {field}: {', '.join(sorted(causes)[:MOST_CAUSES])}" for field, causes in sorted(fields.items())
    )
