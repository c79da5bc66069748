"""Reads one mounted note as it may be shown: without secrets, nothing hidden in it, cut into passages."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.injection import harmless
from hardwon.kernel.memory import Kind, MemoryEntry, Times
from hardwon.kernel.memory import Source as Provenance
from hardwon.kernel.mounts import PREFIX
from hardwon.kernel.redacting.values import redacted
from hardwon.stores.files.notes.frontmatter import parse
from hardwon.stores.mounts.passages import ABOVE, passages
from hardwon.stores.mounts.walking import LARGEST, UNREADABLE, Stat

if TYPE_CHECKING:
    from hardwon.kernel.ports import Redactor

NO_TEXT = "no text in UTF-8"
MOST_PASSAGES = 400
"""Of one note."""
_BEFORE = timedelta(seconds=2)
"""So long ago a note was written at least: who asks finds it, also where the clock of its disk runs ahead."""


@dataclass(frozen=True, slots=True)
class Note:
    """A note that was read: its passages, or why there are none."""

    passages: list[MemoryEntry]
    why: str | None = None


def read_note(root: str, path: str, stat: Stat, redactor: Redactor, now: datetime) -> Note:
    """Return a note below `root`; `stat` is how it stood when it was met."""
    where = f"{root}/{path}"
    try:
        descriptor = os.open(where, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        return Note([], f"{UNREADABLE} ({error.strerror})")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Note([], NO_TEXT)
    if "\0" in text:
        return Note([], NO_TEXT)
    body, tags, first = _body(data, path, text.replace("\r\n", "\n").replace("\r", "\n"))
    clean, tags = redacted(redactor, (body, tags))[0]
    asserted = min(datetime.fromtimestamp(stat.mtime_ns / 1e9, UTC), now - _BEFORE)
    told = harmless(path).replace("\n", " ")
    found = []
    for number, passage in enumerate(passages(harmless(clean), first)[:MOST_PASSAGES]):
        content = f"{ABOVE.join((told, *passage.headings))}\n\n{passage.text}"
        source = Provenance(said_by="import", file=where, line=passage.line)
        id = f"{PREFIX}{fingerprint(root, path, str(number), length=12)}"
        times = Times(asserted_at=asserted)
        found.append(MemoryEntry(id=id, kind=Kind.CONTEXT, content=content, tags=tags, source=source, times=times))
    return Note(found)


def _body(data: bytes, path: str, text: str) -> tuple[str, tuple[str, ...], int]:
    """Return a note's text without its front matter, its tags, and the line on which that text begins."""
    try:
        file = parse(data, path)
        tags = file.values().get("tags") or ()
    except UnreadableFile:
        return text, (), 1
    body = file.body
    named = [tags] if isinstance(tags, str) else tags if isinstance(tags, list) else []
    return body, tuple(harmless(str(each)) for each in named if each), text.count("\n") - body.count("\n") + 1
