"""Asks the home's model for a task: the answer, or None with the reason in the activity."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from hardwon.generalizer.prompts import prompt_for
from hardwon.kernel.errors import Unavailable

if TYPE_CHECKING:
    from hardwon.kernel.asking.reading import ModelAnswer
    from hardwon.kernel.home import Home

Schema = TypeVar("Schema", bound="ModelAnswer")
LONGEST_TEXT = 2_000
"""Characters of a lesson's text, and of each of its parts, that leave the machine."""


def asked(
    home: Home,
    task: str,
    given: Mapping[str, Any],
    schema: type[Schema],
    check: Callable[[Schema], Sequence[str]] | None = None,
) -> Schema | None:
    """Return what the model answers to a task about what is given; None where it does not, for whatever reason.

    `check` returns what is wrong with an answer that fits its schema; it is repaired once.
    """
    if home.language_model is None:
        return None
    try:
        return home.language_model.ask(prompt_for(task, given), schema, check)
    except Unavailable:  # what was in the way is in the activity
        return None


def shortened(text: str) -> str:
    """Return the beginning of a text, in one line."""
    return " ".join(text.split())[:LONGEST_TEXT]
