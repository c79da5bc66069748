"""The catalogue of causes: concepts that ship as data, extended by users and plugins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.regular_file import read_regular_text

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
    tasks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What people ask for where this cause lies in wait, before anyone has met it."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the texts that a lesson is compared with: examples, then principles."""
        return (*self.examples, *self.principle.values())


def read_catalogue(path: Path) -> list[Concept]:
    """Read a TOML file, or every one in a folder. Raises InvalidInput: the file, the concept and the field."""
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return [concept for file in files for concept in _read_file(file)]


def _read_file(file: Path) -> list[Concept]:
    try:
        tables = tomllib.loads(read_regular_text(file)).get("concept", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read ({error}); mend it or move it away.") from None
    if not isinstance(tables, list):
        raise InvalidInput(f"{file}: `concept` is no list; begin each concept with a line `[[concept]]`.")
    return [_concept(table, f"{file}: concept number {number}") for number, table in enumerate(tables, 1)]


def _concept(table: Any, where: str) -> Concept:
    """Return a concept from its table. Raises InvalidInput that names the file, the concept and the field."""
    if not isinstance(table, dict):
        raise InvalidInput(f"{where} is no table; begin it with a line `[[concept]]`.")
    topic = table.get("topic")
    if not isinstance(topic, str) or not topic.strip():
        raise InvalidInput(f'{where} has no `topic`; give it one, such as `topic = "caching.stale"`.')
    where = f"{where.rpartition(' number ')[0]} {topic}"
    return Concept(
        topic=topic,
        title=_texts(table, "title", where),
        principle=_texts(table, "principle", where),
        cues=_lists(table, "cues", where),
        examples=_lists(table, "examples", where) if "examples" in table else (),
        tasks=_tasks(table, where) if "tasks" in table else {},
    )


def _texts(table: Mapping[str, Any], field: str, where: str) -> dict[str, str]:
    """Return one text a language, at least one. Raises InvalidInput."""
    texts = _by_language(table, field, where, 'a text, such as `{ en = "…", zh = "…" }`')
    if not texts:
        raise InvalidInput(f"{where}: `{field}` is empty; give it a text in one language at least.")
    for language, text in texts.items():
        if not isinstance(text, str) or not text.strip():
            raise InvalidInput(f"{where}: `{field}.{language}` is no text; write one in quotes, or remove it.")
    return dict(texts)


def _lists(table: Mapping[str, Any], field: str, where: str) -> tuple[str, ...]:
    """Return the texts of all languages, each once: one that stands under two must not count twice.

    Raises InvalidInput.
    """
    lists = _lists_by_language(table, field, where)
    return tuple(dict.fromkeys(text for texts in lists.values() for text in texts))


def _tasks(table: Mapping[str, Any], where: str) -> dict[str, tuple[str, ...]]:
    return {language: tuple(texts) for language, texts in _lists_by_language(table, "tasks", where).items()}


def _lists_by_language(table: Mapping[str, Any], field: str, where: str) -> Mapping[str, list[str]]:
    """Return the texts of each language. Raises InvalidInput."""
    lists = _by_language(table, field, where, 'a list of texts, such as `{ en = ["…"], zh = ["…"] }`')
    for language, texts in lists.items():
        if not isinstance(texts, list) or not all(isinstance(text, str) and text.strip() for text in texts):
            raise InvalidInput(f'{where}: `{field}.{language}` is no list of texts; write them as `["…", "…"]`.')
    return lists


def _by_language(table: Mapping[str, Any], field: str, where: str, wanted: str) -> Mapping[str, Any]:
    """Return what a field has for each language. Raises InvalidInput where there is no such table."""
    if field not in table:
        raise InvalidInput(f"{where} lacks or misspells `{field}`; give it, by language, {wanted}.")
    if not isinstance(table[field], dict):
        raise InvalidInput(f"{where}: `{field}` is no table; give it, by language, {wanted}.")
    found: Mapping[str, Any] = table[field]
    return found


def merge_catalogues(catalogues: Iterable[Iterable[Concept]]) -> tuple[Concept, ...]:
    """Join catalogues; a later concept replaces an earlier one of the same topic, so that users can correct ours."""
    by_topic = {concept.topic: concept for catalogue in catalogues for concept in catalogue}
    return tuple(by_topic.values())


@cache
def shipped_catalogue() -> tuple[Concept, ...]:
    """Return the concepts that ship with hardwon."""
    return merge_catalogues([read_catalogue(SHIPPED)])
