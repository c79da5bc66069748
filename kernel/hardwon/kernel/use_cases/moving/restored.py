"""What came of the import of an archive."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem

LISTED = 1000
"""Memories that were taken which a report names one by one."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A memory that was taken, without its words."""

    id: str
    external_id: str | None
    title: str


@dataclass
class Restored:
    """What came of an archive."""

    taken: int = 0
    listed: list[Taken] = field(default_factory=list)
    """The first of those taken."""
    known: int = 0
    forgotten: int = 0
    versions: int = 0
    """Former states that came with memories."""
    relations: int = 0
    proposals: int = 0
    decisions: int = 0
    turns: int = 0
    """Blocks of the journal that were not here."""
    documents: int = 0
    activity: int = 0
    vectors: int = 0
    failed: list[Problem] = field(default_factory=list)
    redacted: list[str] = field(default_factory=list)
    """The sorts of secrets that were left out of its memories."""
