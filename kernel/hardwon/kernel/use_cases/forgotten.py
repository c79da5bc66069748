"""What the user forgot on purpose: fingerprints only, so that no import brings it back and nothing of it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.plain_words import plain_words

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

DOCUMENT = "forgotten.jsonl"


def traces(entry: MemoryEntry) -> tuple[str, ...]:
    """Return the fingerprints by which a memory is known again: of its id, and of what an import would know it by."""
    names = (entry.id, f"key:{entry.idempotency_key}" if entry.idempotency_key else None)
    return tuple(fingerprint("forgotten", name) for name in names if name)


def words_trace(entry: MemoryEntry) -> str:
    """Return the fingerprint by which a session that says the same in the same project is known."""
    return fingerprint("forgotten", f"words:{entry.scope.project or ''}:{plain_words(entry.content)}")


def load_forgotten(home: Home) -> set[str]:
    """Return the fingerprints of everything forgotten; a line that a person broke is passed over."""
    found: set[str] = set()
    for line in (home.storage.documents.read(DOCUMENT) or "").splitlines():
        try:
            content = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(content, dict) and isinstance(content.get("trace"), str):
            found.add(content["trace"])
    return found


def save_forgotten(home: Home, found: Iterable[str]) -> None:
    """Write the list, a line each in a fixed order, so that two machines' lists merge."""
    lines = "".join(json.dumps({"trace": each}) + "\n" for each in sorted(found))
    home.storage.documents.write(DOCUMENT, lines, durable=True)


def take_back(home: Home, entries: Iterable[MemoryEntry]) -> None:
    """Strike memories from the list: the user wants them after all."""
    before = load_forgotten(home)
    after = before.difference(trace for entry in entries for trace in (*traces(entry), words_trace(entry)))
    if after != before:
        save_forgotten(home, after)
