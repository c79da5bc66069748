"""Which cues of the files in lexicon/ a sentence holds."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("lexicon")
WITH_CASE = "(?-i:"
"""Stands in the few patterns that need to know capitals."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern of words."""

    pattern: re.Pattern[str]
    with_case: bool
    """It looks at the text as it is; all others at small letters, which is twice as fast as to ignore the case."""

    def is_in(self, text: str) -> bool:
        """Tell whether a text holds it."""
        return self.pattern.search(text if self.with_case else text.lower()) is not None


@cache
def cues(file: str) -> dict[str, Cue]:
    """Return the cues of a file in lexicon/, by their names."""
    tables = tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))
    return {name: _cue(table["en"], table["zh"]) for name, table in tables.items()}


def typed_as(cue: str, text: str) -> bool:
    """Tell whether a text holds a cue of typed.toml."""
    return cues("typed")[cue].is_in(text)


def claimed_as(cue: str, text: str) -> bool:
    """Tell whether a text holds a cue of claims.toml."""
    return cues("claims")[cue].is_in(text)


def reported_as(cue: str, text: str) -> bool:
    """Tell whether a text holds a cue of commands.toml."""
    return cues("commands")[cue].is_in(text)


def _cue(english: list[str], chinese: list[str]) -> Cue:
    words = rf"(?<!\w)(?:{'|'.join(english)})(?:(?<!\w)|(?!\w))"
    with_case = any(WITH_CASE in each for each in english)
    return Cue(re.compile(f"{words}|{'|'.join(chinese)}", re.IGNORECASE if with_case else 0), with_case)
