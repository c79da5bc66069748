"""The journal in an archive: a record a block, as it stands, so that another home knows the same turns."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from hardwon.kernel.clock import parse_time
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.journal import Block, Known, order

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

TYPE = "turn"
_TEXTS = ("harness", "session", "turn", "taken_by", "said")
_APART = timedelta(days=2)
"""A journal kept by days has them by the dates that were given, whose offsets may lie more than a day apart."""


def turn_records(home: Home) -> Iterator[dict[str, Any]]:
    """Walk the records of the journal, in the order of time."""
    for known in _in_order(home.storage.journal.blocks()):
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


def _in_order(blocks: Iterable[Known]) -> Iterator[Known]:
    """Put blocks into one order whatever journal they come from, with those of two days in hand."""
    waiting: list[tuple[Any, int, Known]] = []
    for number, known in enumerate(blocks):
        heapq.heappush(waiting, (order(known), number, known))
        while waiting[0][2].block.at < known.block.at - _APART:
            yield heapq.heappop(waiting)[2]
    while waiting:
        yield heapq.heappop(waiting)[2]


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
