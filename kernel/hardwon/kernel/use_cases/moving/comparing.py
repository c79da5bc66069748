"""Compares two homes' memories part by part: how many records each has, and a hash over all of them.

The hash is the sum of the records' own, so that it asks nothing of the order in which two databases sort. Where it
differs, the records themselves are compared, and the first that differ are told.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.use_cases.moving import exporting
from hardwon.kernel.use_cases.moving.archive_lines import as_line
from hardwon.kernel.use_cases.moving.archived_turns import turn_records
from hardwon.kernel.use_cases.moving.copying import copied_documents
from hardwon.kernel.use_cases.moving.scratch import Balance

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

Records = Iterable[Mapping[str, Any]]
TOLD = 3
"""Records that differ which are named."""


def _documents(home: Home) -> Iterator[Mapping[str, Any]]:
    yield from ({"type": "document", "name": name, "text": text} for name, text in copied_documents(home, []))


PARTS: Mapping[str, Callable[[Home], Records]] = {
    "memories": exporting.memory_records,
    "links": exporting.relation_records,
    "proposals": exporting.proposal_records,
    "decisions": exporting.decision_records,
    "turns": turn_records,
    "documents": _documents,
    "activity": exporting.activity_records,
    "vectors": exporting.vector_records,
}


@dataclass(frozen=True)
class Compared:
    """One part of two memories."""

    part: str
    number: int
    """Records in the source."""
    digest: str
    """The sum of the hashes of the source's records, in hexadecimal digits."""
    missing: tuple[str, ...] = ()
    """Lines of the first records that only the source has."""
    extra: tuple[str, ...] = ()
    """Lines of the first records that only the target has."""

    @property
    def is_equal(self) -> bool:
        """Tell whether both have the same."""
        return not self.missing and not self.extra


def compare(source: Home, target: Home, part: str) -> Compared:
    """Compare one part. Raises StoreError."""
    records = PARTS[part]
    number, digest = _sum(map(as_line, records(source)))
    if (number, digest) == _sum(map(as_line, records(target))):
        return Compared(part, number, digest)
    with Balance() as lines:
        lines.add(map(as_line, records(source)), 1)
        lines.add(map(as_line, records(target)), -1)
        missing = [line for line in lines.above() if not lines.takes(_without_secrets(target, line))]
        extra = (line for line in lines.below() if not _is_derived(target, line))
        return Compared(part, number, digest, tuple(missing[:TOLD]), tuple(islice(extra, TOLD)))


def _sum(lines: Iterable[str]) -> tuple[int, str]:
    number = total = 0
    for line in lines:
        number += 1
        total += int.from_bytes(hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest())
    return number, f"{total % (1 << 256):064x}"


def _without_secrets(target: Home, line: str) -> str:
    """Return a record as it had to arrive: what a person wrote into a file may hold a secret, the copy does not."""
    return as_line(redacted(target.redactor, json.loads(line))[0])


def _is_derived(target: Home, line: str) -> bool:
    """Tell whether the target made a record by itself: a state of its own history, a vector, the edge of a link."""
    record = json.loads(line)
    if record["type"] == "relation" and record["kind"] == RelationKind.RELATES_TO:
        source = target.storage.memories.get([record["source"]]).get(record["source"])
        return source is not None and "[[" in source.content
    return record["type"] in ("version", "vector")
