"""FilesDocuments: named texts beside the memories, in the same history."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput, NotFound, UnreadableFile
from hardwon.kernel.text import clean
from hardwon.stores.files import decision_files, front_door, journal_files
from hardwon.stores.files.notes.layout import ARCHIVE, DIGEST, HISTORY, RULES, checked_name
from hardwon.stores.files.taking_in import deletions

if TYPE_CHECKING:
    from hardwon.stores.files.opened import Opened


class FilesDocuments:
    """Reads and writes documents below memory/."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._workspace = opened.workspace

    def read(self, name: str) -> str | None:
        """Return a document's text; None when there is none. Raises InvalidInput, UnreadableFile."""
        data = self._workspace.content(checked_name(name))
        if data is None:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise UnreadableFile(name, "it is not UTF-8; save it as UTF-8", line) from None

    def write(self, name: str, text: str, *, durable: bool = False) -> None:
        """Write a document whole or not at all; `durable`: it survives a power cut once that is acknowledged.

        Raises InvalidInput, StoreError, Conflict.
        """
        checked_name(name)
        with self._opened.operation(f"Write {name}"):
            self._workspace.write(name, clean(text).encode("utf-8"), durable=durable)

    def move(self, name: str, to: str) -> None:
        """Rename a document, replacing what stands there. Raises NotFound, InvalidInput."""
        checked_name(name)
        checked_name(to)
        with self._opened.operation(f"Move {name} to {to}"):
            data = self._workspace.content(name)
            if data is None:
                raise NotFound(f"There is no document {name}; list what there is first.")
            if name != to:
                self._workspace.write(to, data, durable=True)
                self._workspace.remove(name)

    def names(self, prefix: str) -> list[str]:
        """Return the names that start with `prefix`, sorted."""
        self._opened.fresh()
        sql = "SELECT path FROM files WHERE size IS NOT NULL AND substr(path, 1, ?) = ?"
        rows = self._opened.healed(lambda: self._workspace.index.rows(sql, (len(prefix), prefix)))
        found = {row["path"] for row in rows}
        if self._workspace.changes is not None:
            planned = self._workspace.changes.contents
            found -= {path for path, data in planned.items() if data is None}
            found |= {path for path, data in planned.items() if data is not None and path.startswith(prefix)}
        return sorted(path for path in found if _is_document(path))


_OF_OTHER_DOORS = (DIGEST, RULES, ARCHIVE, HISTORY, decision_files.FOLDER, journal_files.FOLDER)


def _is_document(path: str) -> bool:
    if path.partition("/")[0] in _OF_OTHER_DOORS or path in (front_door.FILE, deletions.FILE):
        return False
    try:
        return bool(checked_name(path))
    except InvalidInput:
        return False
