"""A record of the import format as a memory. The format is described in docs/reference/formats.md."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from hardwon.kernel.cleaning import refuse_too_deep
from hardwon.kernel.clock import parse_time
from hardwon.kernel.confidence import DOUBTFUL
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ids import fingerprint, new_id
from hardwon.kernel.memory import Lesson, MemoryEntry, Source, Status, Times
from hardwon.kernel.scope import Scope
from hardwon.kernel.text import clean

_PLAIN = ("kind", "visibility", "branch", "confidence", "importance", "strength", "channel", "status")
_OWN = (*_PLAIN, "id", "content", "scope", "project", "topic", "topics", "tags", "valid_at", "valid_until", "source",
        "lesson", "metadata")  # fmt: skip


def memory_of(record: Mapping[str, Any], *, project: str | None, now: datetime) -> MemoryEntry:
    """Return a record as a memory with a fresh id; `project` holds where the record names no scope of its own.

    What the format does not know goes to the metadata. Raises InvalidInput that says which field is wrong.
    """
    fields = {name: value for name, value in record.items() if value is not None and value != ""}
    content = fields.get("content")
    if not isinstance(content, str) or not content.strip():
        raise InvalidInput("This has no text; put the lesson's text into the field “content”.")
    content = tidy(content)
    try:
        entry = MemoryEntry(
            id=new_id(now),
            external_id=_external_id(fields),
            content=content,
            scope=_scope(fields, project),
            topics=_several(fields, "topics") or _several(fields, "topic"),
            tags=_several(fields, "tags"),
            lesson=_lesson(fields),
            source=_source(fields),
            times=Times(
                valid_at=_moment(fields, "valid_at"), valid_until=_moment(fields, "valid_until"), asserted_at=now
            ),
            metadata=_metadata(fields),
            **{name: fields[name] for name in _PLAIN if name in fields},
        )
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"The field “{field}” cannot be taken ({first['msg']}); mend it.") from None
    refuse_too_deep(entry.metadata)
    doubtful = "status" not in fields and entry.confidence < DOUBTFUL
    status = Status.OBSERVED if doubtful else entry.status
    return entry.model_copy(update={"idempotency_key": import_key(entry), "status": status})


def import_key(entry: MemoryEntry) -> str:
    """Return what makes two imports the same memory: the given id, else the text with its project, time and origin."""
    project = entry.scope.project or ""
    if entry.external_id:
        return f"import:{fingerprint(project, 'id', entry.external_id)}"
    source = entry.source
    moment = entry.times.valid_at.isoformat() if entry.times.valid_at else ""
    origin = (source.url or "", source.session or "", source.turn or "")
    return f"import:{fingerprint(project, 'text', entry.kind, entry.content, moment, *origin)}"


def tidy(text: str) -> str:
    """Return a text as memories keep it: one kind of line end, no control characters, no blank edges."""
    return clean(text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _external_id(fields: Mapping[str, Any]) -> str | None:
    given = fields.get("id")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, (str, int)):
        raise InvalidInput("The field “id” cannot be taken (it is no text and no whole number); mend it.")
    return str(given)


def _scope(fields: Mapping[str, Any], project: str | None) -> Scope:
    given = fields.get("scope")
    if isinstance(given, Mapping):
        return Scope.model_validate(given)
    if given is not None:
        return Scope.parse(str(given))
    named = fields.get("project", project)
    return Scope.parse(f"project:{named}") if named is not None else Scope()


def _several(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = fields.get(name, ())
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, (list, tuple)) or not all(isinstance(each, str) for each in given):
        raise InvalidInput(f"The field “{name}” cannot be taken (it is no list of texts); mend it.")
    return tuple(tidied for each in given if (tidied := tidy(each)))


def _moment(fields: Mapping[str, Any], name: str) -> datetime | None:
    """Return a time. A number is none: whether it counts days, seconds or is a year, nobody knows."""
    given = fields.get(name)
    if given is None or isinstance(given, datetime):
        return given
    if not isinstance(given, str):
        raise InvalidInput(f"The field “{name}” cannot be taken (it is no text); write it as 2026-11-30.")
    try:
        return parse_time(given)
    except InvalidInput as error:
        raise InvalidInput(f"The field “{name}” cannot be taken: {error}") from None


def _lesson(fields: Mapping[str, Any]) -> Lesson:
    given = fields.get("lesson", {})
    if not isinstance(given, Mapping):
        raise InvalidInput("The field “lesson” cannot be taken (it is no object with situation, cause, …); mend it.")
    return Lesson.model_validate(
        {name: tidy(value) if isinstance(value, str) else value for name, value in given.items()}
    )


def _source(fields: Mapping[str, Any]) -> Source:
    given = fields.get("source", {})
    if isinstance(given, str):
        given = {"url" if "://" in given else "file": given}
    if not isinstance(given, Mapping):
        raise InvalidInput("The field “source” cannot be taken (it is no object and no text); mend it.")
    return Source.model_validate({"said_by": "import", **given})


def _metadata(fields: Mapping[str, Any]) -> dict[str, Any]:
    given = fields.get("metadata", {})
    if not isinstance(given, Mapping):
        raise InvalidInput("The field “metadata” cannot be taken (it is no object); mend it.")
    return {**given, **{name: value for name, value in fields.items() if name not in _OWN}}
