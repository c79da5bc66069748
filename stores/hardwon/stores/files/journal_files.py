"""Where the journal lies: `daily/2026-11-29.md`, a further file of the day where one is full.

A day is one of UTC. A file that reached 200 kB is full, since every turn writes the whole file: the day goes on in
`2026-11-29-2.md`. Once `daily/` holds 500 files, new days lie in a folder of their month, `daily/2026-11/`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hardwon.stores.files.notes.journal_blocks import head_of_day
from hardwon.stores.files.notes.layout import FULL_FOLDER

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace

FOLDER = "daily"
FULL_FILE = 200_000
"""Bytes."""


def is_journal(path: str) -> bool:
    """Tell whether a file at this path below memory/ is one of the journal."""
    return path.startswith(f"{FOLDER}/") and path.lower().endswith(".md")


class DayFiles:
    """The days' files as one operation goes on with them; `finish` plans what was added."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._contents: dict[str, bytes] = {}
        self._open: dict[str, str] = {}

    def append(self, at: datetime, block: bytes) -> str:
        """Add a block to the file of its day; return the file's path."""
        path = self._path(f"{at.astimezone(UTC):%Y-%m-%d}")
        content = self._contents[path]
        self._contents[path] = content + (b"" if content.endswith(b"\n") else b"\n") + block
        return path

    def finish(self) -> None:
        """Plan to write what was added. Raises InvalidInput for a file that is too large to be kept."""
        for path, content in self._contents.items():
            if content != self._workspace.content(path):
                self._workspace.write(path, content)

    def _path(self, day: str) -> str:
        """Return the file of a day that has room, and have its content at hand."""
        path = self._open.get(day) or self._last(day)
        number = 1
        while len(self._content(path, day)) >= FULL_FILE:
            number += 1
            path = f"{self._folder(day)}/{day}-{number}.md"
        self._open[day] = path
        return path

    def _last(self, day: str) -> str:
        """Return the first file of a day: where it is, else where it goes."""
        places = (f"{FOLDER}/{day}.md", f"{FOLDER}/{day[:7]}/{day}.md")
        return next(filter(self._workspace.exists, places), f"{self._folder(day)}/{day}.md")

    def _folder(self, day: str) -> str:
        counts = self._workspace.planned.folder_counts
        if FOLDER not in counts:
            sql = "SELECT count(*) FROM files WHERE folder = ? AND size IS NOT NULL"
            counts[FOLDER] = self._workspace.index.rows(sql, (FOLDER,))[0][0]
        return FOLDER if counts[FOLDER] < FULL_FOLDER else f"{FOLDER}/{day[:7]}"

    def _content(self, path: str, day: str) -> bytes:
        if path not in self._contents:
            self._workspace.before_touching(path)
            found = self._workspace.content(path)
            if found is None and path.count("/") == 1:
                self._workspace.planned.folder_counts[FOLDER] += 1
            self._contents[path] = head_of_day(day) if found is None else found
        return self._contents[path]
