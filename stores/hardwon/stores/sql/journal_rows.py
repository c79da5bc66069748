"""Blocks of the journal as rows of its table, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hardwon.kernel.clock import parse_time
from hardwon.kernel.journal import Block, Known
from hardwon.kernel.text import clean

if TYPE_CHECKING:
    from collections.abc import Sequence

COLUMNS = (
    "number", "harness", "session", "turn", "at", "moment", "project", "branch", "taken_by", "retracted_at", "copy",
    "messages", "said", "changed",
)  # fmt: skip
INSERT = f"INSERT INTO journal ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
_READ = "number, harness, session, turn, moment, project, branch, taken_by, retracted_at, copy, messages"
WITH_WORDS = f"{_READ}, said"
WITHOUT_WORDS = f"{_READ}, ''"


def row_of(number: int, known: Known, change: int) -> tuple[Any, ...]:
    """Return the values of COLUMNS; of what was taken back, without words."""
    block = known.block
    retracted = block.retracted_at.isoformat() if block.retracted_at else None
    texts = (block.harness, block.session, block.turn)
    return (
        number, *map(clean, texts), block.at.timestamp(), block.at.isoformat(), _clean(block.project),
        _clean(block.branch), clean(block.taken_by), retracted, clean(known.copy), " ".join(sorted(known.messages)),
        "" if retracted else clean(block.said), change,
    )  # fmt: skip


def known_of(row: Sequence[Any]) -> Known:
    """Return the block of a row of WITH_WORDS or WITHOUT_WORDS."""
    number, harness, session, turn, moment, project, branch, taken_by, retracted, copy, messages, said = row
    block = Block(
        harness=harness,
        session=session,
        turn=turn,
        at=parse_time(moment),
        project=project,
        branch=branch,
        taken_by=taken_by,
        retracted_at=parse_time(retracted) if retracted else None,
        said=said,
        place=f"journal:{number}",
    )
    return Known(block, frozenset(messages.split()), copy)


def _clean(text: str | None) -> str | None:
    return None if text is None else clean(text)
