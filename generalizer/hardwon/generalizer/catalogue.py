"""The catalogue of causes: concepts that ship as data, extended by users and plugins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput

SHIPPED = Path(__file__).parent / "catalogue"
LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Concept:
    """One cause of trouble, its principle, and what gives it away. Texts by ISO 639-1 language code."""

    topic: str
    title: Mapping[str, str]
    principle: Mapping[str, str]
    cues: tuple[str, ...]
    examples: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts that a lesson is compared with: examples, then principles."""
        return (*self.examples, *self.principle.values())


def read_catalogue(path: Path) -> list[Concept]:
    """Read a TOML file, or every one in a folder. Raises InvalidInput that names the file and the concept."""
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return [concept for file in files for concept in _read_file(file)]


def _read_file(file: Path) -> list[Concept]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("concept", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read ({error}); mend it or move it away.") from None
    concepts = []
    for number, table in enumerate(tables, 1):
        try:
            concepts.append(_concept(table))
        except (KeyError, TypeError, AttributeError) as error:
            name = table.get("topic", f"number {number}") if isinstance(table, dict) else f"number {number}"
            raise InvalidInput(f"{file}: concept {name} lacks or misspells {error}; see the README there.") from None
    return concepts


def _concept(table: dict[str, Any]) -> Concept:
    principle = {language: str(text) for language, text in table["principle"].items()}
    if not principle:
        raise KeyError("principle")
    return Concept(
        topic=str(table["topic"]),
        title={language: str(text) for language, text in table["title"].items()},
        principle=principle,
        cues=_listed(table["cues"]),
        examples=_listed(table.get("examples", {})),
    )


def _listed(by_language: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts of all languages, each once: one that stands under two languages must not count twice.

    Raises TypeError where a language has something else than a list.
    """
    for language, texts in by_language.items():
        if not isinstance(texts, list):
            raise TypeError(f"the list of texts under {language}")
    return tuple(dict.fromkeys(str(text) for texts in by_language.values() for text in texts))


def merge_catalogues(catalogues: Iterable[Iterable[Concept]]) -> tuple[Concept, ...]:
    """Join catalogues; a later concept replaces an earlier one of the same topic, so that users can correct ours."""
    by_topic = {concept.topic: concept for catalogue in catalogues for concept in catalogue}
    return tuple(by_topic.values())


@cache
def shipped_catalogue() -> tuple[Concept, ...]:
    """Return the concepts that ship with hardwon."""
    return merge_catalogues([read_catalogue(SHIPPED)])
