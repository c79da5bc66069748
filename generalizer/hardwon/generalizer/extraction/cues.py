"""Which cues of the files in lexicon/ a sentence holds."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("lexicon")


@cache
def cues(file: str) -> dict[str, re.Pattern[str]]:
    """Return a pattern for each cue of a file in lexicon/, by the cue's name."""
    tables = tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))
    return {name: _pattern(table["en"], table["zh"]) for name, table in tables.items()}


def typed_as(cue: str, text: str) -> bool:
    """Tell whether a text holds a cue of typed.toml."""
    return cues("typed")[cue].search(text) is not None


def claimed_as(cue: str, text: str) -> bool:
    """Tell whether a text holds a cue of claims.toml."""
    return cues("claims")[cue].search(text) is not None


def reported_as(cue: str, text: str) -> bool:
    """Tell whether a text holds a cue of commands.toml."""
    return cues("commands")[cue].search(text) is not None


def _pattern(english: list[str], chinese: list[str]) -> re.Pattern[str]:
    words = rf"(?<!\w)(?:{'|'.join(english)})(?:(?<!\w)|(?!\w))"
    return re.compile(f"{words}|{'|'.join(chinese)}", re.IGNORECASE)
