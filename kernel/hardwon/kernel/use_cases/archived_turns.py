"""The journal in an archive: a record a block, as it stands, so that another home knows the same turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.clock import parse_time
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.journal import Block, Known

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

TYPE = "turn"
_TEXTS = ("harness", "session", "turn", "taken_by", "said")


def turn_records(home: Home) -> Iterator[dict[str, Any]]:
    """Walk the records of the journal, in the order of time."""
    for known in home.storage.journal.blocks():
        block = known.block
        yield {
            "type": TYPE,
            **{name: getattr(block, name) for name in _TEXTS},
            "at": block.at.isoformat(),
            "project": block.project,
            "branch": block.branch,
            "retracted_at": block.retracted_at.isoformat() if block.retracted_at else None,
            "messages": sorted(known.messages),
            "copy": known.copy,
        }


def turn_of(record: Mapping[str, Any]) -> Known:
    """Return the block of a record. Raises KeyError, TypeError, ValueError for one that is none."""
    texts = {name: record[name] for name in _TEXTS}
    optional = [record.get(name) or "" for name in ("project", "branch")]
    messages, copy = record["messages"], record.get("copy", "")
    if not all(isinstance(each, str) for each in (*texts.values(), *optional, *messages, copy)):
        raise TypeError("a text is none")
    retracted_at = _moment(record["retracted_at"]) if record.get("retracted_at") else None
    block = Block(
        **texts,
        at=_moment(record["at"]),
        project=record.get("project"),
        branch=record.get("branch"),
        retracted_at=retracted_at,
        place="",
    )
    return Known(block, frozenset(messages), copy)


def _moment(text: str) -> datetime:
    try:
        return parse_time(text)
    except InvalidInput as error:
        raise ValueError(str(error)) from None
