"""Reads the archive that an export wrote (docs/reference/formats.md), line by line."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.journal import Known
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Decision, Proposal
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.relation import Relation
from hardwon.kernel.use_cases.archived_turns import TYPE, turn_of
from hardwon.kernel.use_cases.exporting import FORMAT, VERSION

_VALUES: dict[str, type[MemoryEntry | Relation | Proposal | Decision | Activity]] = {
    "memory": MemoryEntry,
    "relation": Relation,
    "proposal": Proposal,
    "decision": Decision,
    "activity": Activity,
}


@dataclass
class Archive:
    """An archive as it was read."""

    memories: list[MemoryEntry] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    activity: list[Activity] = field(default_factory=list)
    turns: list[Known] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    failed: list[Problem] = field(default_factory=list)


def is_archive(path: Path) -> bool:
    """Tell whether a file begins as an archive does."""
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline(1000).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("format") == FORMAT


def read_archive(path: Path) -> Archive:
    """Read an archive; a line that cannot be taken is in `failed`. Raises InvalidInput for one of a newer format."""
    archive = Archive()
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line.decode("utf-8-sig"))
                _check_version(record, path)
                _take(archive, dict(record))
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
                what = f"This line is no record of an archive ({_reason(error)}); export it again."
                archive.failed.append(Problem(where=f"{path}:{number}", what=what))
    return archive


def _check_version(record: Any, path: Path) -> None:
    if isinstance(record, dict) and record.get("type") == "archive" and record.get("version", VERSION) > VERSION:
        raise InvalidInput(
            f"{path} is an archive of format {record['version']} and this hardwon knows {VERSION}; upgrade hardwon."
        )


def _take(archive: Archive, record: dict[str, Any]) -> None:
    """Put one record where it belongs. Raises ValueError, KeyError."""
    type = record.pop("type")
    if type == "archive":
        return
    if type == "alias":
        archive.aliases[str(record["name"])] = str(record["key"])
    elif type == TYPE:
        archive.turns.append(turn_of(record))
    elif type == "forgotten":
        archive.forgotten.add(str(record["trace"]))
    elif type in _VALUES:
        lists: dict[str, list[Any]] = {
            "memory": archive.memories,
            "relation": archive.relations,
            "proposal": archive.proposals,
            "decision": archive.decisions,
            "activity": archive.activity,
        }
        lists[type].append(_VALUES[type].model_validate(record))
    else:
        raise ValueError(f"the type “{type}” is unknown")


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return f"{type(error).__name__}: {error}".splitlines()[0]
