"""Reads the archive that an export wrote (docs/reference/formats.md), line by line, one in hand at a time."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hardwon.kernel.cleaning import cleaned_values, refuse_too_deep
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Decision, Proposal
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.regular_file import open_regular
from hardwon.kernel.relation import Relation
from hardwon.kernel.use_cases.moving.archive_lines import END, FORMAT, HEAD, SEALED_SINCE, VERSION, Seal
from hardwon.kernel.use_cases.moving.archived_turns import TYPE as TURN
from hardwon.kernel.use_cases.moving.archived_turns import turn_of
from hardwon.kernel.version import Version

_MODELS: Mapping[str, type[MemoryEntry | Version | Relation | Decision | Activity]] = {
    "memory": MemoryEntry,
    "version": Version,
    "relation": Relation,
    "decision": Decision,
    "activity": Activity,
}
TYPES = (*_MODELS, "proposal", TURN, "alias", "document", "forgotten", "vector")
_UNSTORABLE = re.compile(rb"\\u|\xed")
"""How half of a surrogate pair and a control character look in a line that holds some: ids with one fit no store."""
_BROKEN = (ValueError, TypeError, KeyError, AttributeError, RecursionError, InvalidInput)


@dataclass(frozen=True, slots=True)
class Read:
    """One record of an archive."""

    type: str
    value: Any
    """Of a proposal: it and its notes. Of an alias or a document: name and text. Of a vector: space, key and bytes."""
    where: str
    """The file and the line."""


def is_archive(path: Path) -> bool:
    """Tell whether a file begins as an archive does."""
    try:
        with open_regular(path) as file:
            first = json.loads(file.readline(1000).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("format") == FORMAT


def read_archive(path: Path, wanted: tuple[str, ...] = TYPES) -> Iterator[Read | Problem]:
    """Walk the records of these types; a line of them that cannot be taken is a Problem.

    Of several readings one tells what else is wrong: with the memories come lines that are no records at all. Raises
    InvalidInput for an archive of a newer version.
    """
    for where, line in _lines(path):
        type = ""
        try:
            record = cleaned_values(json.loads(line)) if _UNSTORABLE.search(line) else json.loads(line)
            type = record["type"]
            if type == HEAD:
                _check_version(record, path)
            elif type in wanted:
                yield Read(type, _value(type, record), where)
            elif type not in TYPES and type != END:
                raise ValueError(f"the type “{type}” is unknown")
        except _BROKEN as error:
            if type in wanted or (type not in TYPES and "memory" in wanted):
                what = f"This line is no record of an archive ({_reason(error)}); export it again."
                yield Problem(where=where, what=what)


def check_archive(path: Path) -> list[Problem]:
    """Return what is wrong with an archive as a whole: that it breaks off, or was changed since it was sealed.

    Archives that were joined into one file are each looked at. Raises InvalidInput for one of a newer version.
    """
    problems: list[Problem] = []
    seal: Seal | None = None
    for where, line in _lines(path):
        record = _record(line)
        type = record.get("type")
        if type == HEAD:
            problems += _breaks_off(seal, where)
            seal = Seal() if _check_version(record, path) >= SEALED_SINCE else None
        if type == END:
            problems += _changed(seal, record, where)
            seal = None
        elif seal is not None:
            seal.add(str(type), line)
    return problems + _breaks_off(seal, str(path))


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Walk the lines that are not empty, without their ends, each with where it stands."""
    with open_regular(path) as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield f"{path}:{number}", line.rstrip(b"\r\n").removeprefix(b"\xef\xbb\xbf")


def _record(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _check_version(record: Mapping[str, Any], path: Path) -> int:
    version = record.get("version", VERSION)
    if type(version) is not int or version < 1:  # a bool is an int too
        raise InvalidInput(f"{path} says {version!r} for the version of its format; export it again.")
    if version > VERSION:
        raise InvalidInput(
            f"{path} is an archive of format {version} and this hardwon knows {VERSION}; upgrade hardwon."
        )
    return version


def _changed(seal: Seal | None, record: Mapping[str, Any], where: str) -> list[Problem]:
    if seal is None or seal.record() == record:
        return []
    what = f"The {sum(seal.counts.values()):,} records before it are not those that it seals"
    return [Problem(where=where, what=f"{what}: the archive was changed since; what can be read was taken.")]


def _breaks_off(seal: Seal | None, where: str) -> list[Problem]:
    if seal is None:
        return []
    found = sum(seal.counts.values())
    what = f"The archive breaks off after {found:,} records, without its end; export or copy it again."
    return [Problem(where=where, what=what)]


def _value(type: str, record: dict[str, Any]) -> Any:
    """Return what a record says, validated. Raises one of _BROKEN."""
    record.pop("type")
    if type in _MODELS:
        value = _MODELS[type].model_validate(record)
        if isinstance(value, MemoryEntry | Version):
            refuse_too_deep((value.entry if isinstance(value, Version) else value).metadata)
        return value
    if type == TURN:
        return turn_of(record)
    if type == "proposal":
        notes = str(record.pop("notes", ""))
        return Proposal.model_validate(record), notes
    if type == "alias":
        return str(record["name"]), str(record["key"])
    if type == "document":
        return str(record["name"]), str(record["text"])
    if type == "vector":
        return str(record["space"]), str(record["key"]), base64.b64decode(record["vector"], validate=True)
    return str(record["trace"])


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    if isinstance(error, binascii.Error):
        return "its vector is no base64"
    if isinstance(error, InvalidInput):
        return str(error).rstrip(".")
    return f"{type(error).__name__}: {error}".splitlines()[0]
