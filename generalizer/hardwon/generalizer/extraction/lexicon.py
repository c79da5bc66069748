"""Which cues of lexicon.toml a sentence holds."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


@cache
def lexicon() -> dict[str, re.Pattern[str]]:
    """Return a pattern a cue."""
    tables = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))
    return {name: _pattern(table["en"], table["zh"]) for name, table in tables.items()}


def _pattern(english: list[str], chinese: list[str]) -> re.Pattern[str]:
    words = rf"(?<!\w)(?:{'|'.join(english)})(?!\w)"
    return re.compile(f"{words}|{'|'.join(chinese)}", re.IGNORECASE)


def says(cue: str, text: str) -> bool:
    """Tell whether the text holds the cue."""
    return lexicon()[cue].search(text) is not None
