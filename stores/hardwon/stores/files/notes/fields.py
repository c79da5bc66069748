"""What the front matter's keys mean: a MemoryEntry as flat, readable fields, and back.

Two things are not in the front matter. The home topic is the folder (`topic` is written only where a folder's name
cannot spell it); *archived* is lying below `archive/`. What is at its default is left out. Keys that are not ours are
the person's: they are kept in `metadata` and never rewritten unless `metadata` itself changes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from pydantic import ValidationError

from hardwon.kernel.ids import ID_PATTERN, derived_id
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.relation import Relation
from hardwon.stores.files.notes.frontmatter import FORMAT_KEY, LITERAL_CONFLICT_KEY, MarkdownFile, has_conflict_markers
from hardwon.stores.files.notes.layout import Place
from hardwon.stores.files.notes.links import text_of

FORMAT_VERSION = 1
RELATIONS = "relations"
METADATA = "metadata"
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"

KEYS: dict[str, tuple[str, ...]] = {
    "id": ("id",),
    "kind": ("kind",),
    "namespace": ("scope", "namespace"),
    "project": ("scope", "project"),
    "agent": ("scope", "agent"),
    "languages": ("scope", "applies_when", "languages"),
    "frameworks": ("scope", "applies_when", "frameworks"),
    "roles": ("scope", "applies_when", "roles"),
    "applies_to_tags": ("scope", "applies_when", "tags"),
    "visibility": ("visibility",),
    "branch": ("branch",),
    "also_topics": ("also_topics",),
    "tags": ("tags",),
    "status": ("status",),
    "strength": ("strength",),
    "channel": ("channel",),
    "confidence": ("confidence",),
    "importance": ("importance",),
    "situation": ("lesson", "situation"),
    "cause": ("lesson", "cause"),
    "fix": ("lesson", "fix"),
    "principle": ("lesson", "principle"),
    "valid_at": ("times", "valid_at"),
    "valid_until": ("times", "valid_until"),
    "asserted_at": ("times", "asserted_at"),
    "retracted_at": ("times", "retracted_at"),
    "said_by": ("source", "said_by"),
    "source_harness": ("source", "harness"),
    "source_agent": ("source", "agent"),
    "source_session": ("source", "session"),
    "source_turn": ("source", "turn"),
    "source_file": ("source", "file"),
    "source_line": ("source", "line"),
    "source_url": ("source", "url"),
    "evidence": ("source", "evidence"),
    "external_id": ("external_id",),
    "idempotency_key": ("idempotency_key",),
}
"""Front matter key to the entry's field, in the order in which a new file shows them."""
_LISTS = frozenset({"languages", "frameworks", "roles", "applies_to_tags", "also_topics", "tags"})
_NUMBERS = frozenset({"confidence", "importance", "source_line"})
_MANAGED = frozenset({*KEYS, "topic", RELATIONS, METADATA, FORMAT_KEY, LITERAL_CONFLICT_KEY})


@dataclass
class Reading:
    """A memory as a file tells it, and what of the file could not be taken."""

    entry: MemoryEntry
    relations: list[Relation]
    odd: list[tuple[int, str]] = field(default_factory=list)
    """Line and reason of values that were left in the file and replaced by their default."""
    has_id: bool = True


def values_of(entry: MemoryEntry, place: Place, relations: Sequence[Relation] = ()) -> dict[str, Any]:
    """Return the front matter of an entry that lies at `place`."""
    plain = entry.model_dump(mode="python")
    plain["also_topics"] = entry.topics[1:]
    values: dict[str, Any] = {FORMAT_KEY: FORMAT_VERSION}
    for key, path in KEYS.items():
        if key == "also_topics" and entry.home_topic and place.topic != entry.home_topic:
            values["topic"] = entry.home_topic
        value = _dig(plain, path)
        if key in _ALWAYS or (value != _DEFAULTS[key] and not (key == "status" and value == Status.ARCHIVED)):
            values[key] = list(value) if isinstance(value, tuple) else _bare(value)
    if relations:
        values[RELATIONS] = [relation_values(relation) for relation in relations]
    if has_conflict_markers(entry.content):
        values[LITERAL_CONFLICT_KEY] = True
    return values | _metadata_values(entry.metadata)


def _bare(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _dig(plain: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = plain
    for step in path:
        value = value[step]
    return value


_DEFAULT_ENTRY = MemoryEntry.model_validate({"id": "-", "content": "", "times": {"asserted_at": "2000-01-01"}})
_PLAIN_DEFAULT = {**_DEFAULT_ENTRY.model_dump(mode="python"), "also_topics": ()}
_DEFAULTS = {key: _dig(_PLAIN_DEFAULT, path) for key, path in KEYS.items()}
_ALWAYS = frozenset({"id", "kind", "asserted_at"})


def _metadata_values(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata as keys of its own; what would be taken for one of ours goes below `metadata`."""
    own = {key: value for key, value in metadata.items() if key not in _MANAGED and value is not None}
    rest = {key: value for key, value in metadata.items() if key not in own}
    return {**own, METADATA: rest} if rest else own


def relation_values(relation: Relation) -> dict[str, Any]:
    """Return an edge as one line of its source's front matter."""
    plain = relation.model_dump(mode="python", exclude={"source"}, exclude_none=True)
    plain["kind"] = relation.kind.value
    if relation.weight == 1.0:
        del plain["weight"]
    return plain


def read_entry(file: MarkdownFile, place: Place, mtime_ns: int) -> Reading:
    """Return the memory in a file; a value that cannot be taken is replaced by its default and reported as odd.

    Raises UnreadableFile for a file in a newer format.
    """
    file.refuse_newer(FORMAT_VERSION, place.path)
    values = file.values()
    odd: list[tuple[int, str]] = []
    plain: dict[str, Any] = {}
    for key, given in values.items():
        value = _as_list(given) if key in _LISTS else given
        if key in KEYS and value not in (None, ()):
            _put(plain, KEYS[key], value if key in _NUMBERS else _as_text(value))
    has_id = isinstance(values.get("id"), str | int) and bool(str(values["id"]).strip())
    moment = _born(values, mtime_ns)
    plain["id"] = str(values["id"]).strip() if has_id else derived_id(moment, place.path)
    plain.setdefault("times", {}).setdefault("asserted_at", moment)
    plain["content"] = text_of(file.body)
    plain["topics"] = (*_home_topic(values, place), *plain.pop("also_topics", ()))
    plain["metadata"] = _metadata(values)
    if place.archived:
        plain["status"] = Status.ARCHIVED
    if "project" not in values and not place.is_rule:
        _put(plain, ("scope", "project"), place.project)
    entry = _validated(plain, file, odd)
    return Reading(entry, _relations(values, entry, file, odd), odd, has_id)


def _put(plain: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        plain = plain.setdefault(step, {})
    plain[path[-1]] = value


def _as_list(value: Any) -> Any:
    """Return a list of texts; people also write `a, b`."""
    if isinstance(value, str):
        return tuple(part.strip().removeprefix("#") for part in value.split(",") if part.strip())
    if isinstance(value, list):
        return tuple(_as_text(each) for each in value if each is not None)
    return value


def _as_text(value: Any) -> Any:
    """Return what a person wrote without quotes as the text it is: `project: 2048`, `branch: true`."""
    return json.dumps(value) if isinstance(value, int | float) else value


def _born(values: Mapping[str, Any], mtime_ns: int) -> datetime:
    """Return when a memory without `asserted_at` was first believed: as its id says, else as the file does."""
    id = values.get("id")
    told = moment_in(id) if isinstance(id, str) else None
    return told or datetime.fromtimestamp(mtime_ns // 1_000_000_000, UTC)


def moment_in(id: str) -> datetime | None:
    """Return the moment that an id of ours tells; None for another id."""
    if not ID_PATTERN.fullmatch(id):
        return None
    milliseconds = 0
    for digit in id[:10]:
        milliseconds = milliseconds * 32 + _DIGITS.index(digit)
    return datetime.fromtimestamp(milliseconds / 1000, UTC) if milliseconds < 253_402_300_800_000 else None


def _home_topic(values: Mapping[str, Any], place: Place) -> tuple[str, ...]:
    """Return the folder's topic, in the front matter's spelling where that is the same folder."""
    spelt = values.get("topic")
    if isinstance(spelt, str) and spelt.strip() and (not place.topic or place.is_folder_of(spelt)):
        return (spelt,)
    return (place.topic,) if place.topic else ()


def _metadata(values: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: value for key, value in values.items() if key not in _MANAGED}
    rest = values.get(METADATA)
    return own | rest if isinstance(rest, dict) else own if rest is None else {**own, METADATA: rest}


def _validated(plain: dict[str, Any], file: MarkdownFile, odd: list[tuple[int, str]]) -> MemoryEntry:
    """Return the entry; each value that the model refuses is reported and left out until the rest is taken."""
    while True:
        try:
            return MemoryEntry.model_validate(plain)
        except ValidationError as error:
            problem = error.errors()[0]
            key, path = _key_of(tuple(str(step) for step in problem["loc"]))
            line = file.fields[key].line if key in file.fields else 1
            odd.append(
                (line, f"the field {key} cannot be taken ({problem['msg']}), its default is used; mend that line")
            )
            _remove(plain, path)
            if path == ("times", "asserted_at"):
                _put(plain, path, _born({"id": plain["id"]}, 0))


def _key_of(location: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    for key, path in KEYS.items():
        if location[: len(path)] == path:
            return key, path
    return location[0], location[:1]


def _remove(plain: dict[str, Any], path: tuple[str, ...]) -> None:
    for step in path[:-1]:
        plain = plain[step]
    plain.pop(path[-1], None)


def _relations(
    values: Mapping[str, Any], entry: MemoryEntry, file: MarkdownFile, odd: list[tuple[int, str]]
) -> list[Relation]:
    found = []
    listed = values.get(RELATIONS) or []
    for each in listed if isinstance(listed, list) else [listed]:
        try:
            plain = {"asserted_at": entry.times.asserted_at, **each, "source": entry.id}
            found.append(Relation.model_validate(plain))
        except (ValidationError, TypeError):
            line = file.fields[RELATIONS].line
            odd.append((line, f"the relation {str(each)[:60]} cannot be taken; write kind and target as in the others"))
    return found
