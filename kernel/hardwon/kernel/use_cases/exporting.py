"""Export: everything that a home knows as JSON Lines, in an order that depends on nothing but what is in it.

The format is described in docs/reference/formats.md. What this machine did for itself (embedding) is left out, and so
is all that is derived: an import of the archive into an empty home, exported again, is the same archive.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hardwon.kernel.decision_order import in_order
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.archived_turns import turn_records
from hardwon.kernel.use_cases.forgotten import load_forgotten
from hardwon.kernel.use_cases.projects import load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.scope import Value

FORMAT = "hardwon-archive"
VERSION = 1
OF_THIS_MACHINE = ("embed",)
"""Kinds of activity that say nothing of the memories."""


def archive_records(home: Home) -> Iterator[dict[str, Any]]:
    """Walk the records of an archive, the head first. Raises NotFound when there is no home."""
    home.require()
    yield {"type": "archive", "format": FORMAT, "version": VERSION}
    aliases = load_projects(home).aliases
    yield from ({"type": "alias", "name": name, "key": key} for name, key in sorted(aliases.items()))
    ids = []
    for entry in home.storage.memories.scan(Filter(statuses=None)):
        ids.append(entry.id)
        yield _record("memory", entry)
    yield from _relations(home, ids)
    for proposal in sorted(home.queue.all(), key=lambda each: each.id):
        yield _record("proposal", proposal)
    for decision in in_order(home.storage.ledger.decisions()):
        yield _record("decision", decision)
    yield from turn_records(home)
    activity = (each for each in home.storage.ledger.activity() if each.kind not in OF_THIS_MACHINE)
    yield from sorted((_record("activity", each) for each in activity), key=lambda each: (each["at"], as_line(each)))
    yield from ({"type": "forgotten", "trace": trace} for trace in sorted(load_forgotten(home)))


def as_line(record: Mapping[str, Any]) -> str:
    """Return a record as its line, without the line's end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _relations(home: Home, ids: list[str]) -> Iterator[dict[str, Any]]:
    for id in ids:
        outwards = [edge for edge in home.storage.memories.relations(id) if edge.source == id]
        yield from (_record("relation", edge) for edge in sorted(outwards, key=lambda edge: edge.key))


def _record(type: str, value: Value) -> dict[str, Any]:
    """Return a value with its type; a memory's `kind` and the record's `type` stand side by side."""
    return {"type": type, **value.model_dump(mode="json")}
