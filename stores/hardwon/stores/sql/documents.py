"""SqlDocuments: named texts beside the memories, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.text import clean

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database

_WRITE = (
    "INSERT INTO documents (name, text, changed) VALUES (?, ?, ?) "
    "ON CONFLICT (name) DO UPDATE SET text = excluded.text, changed = excluded.changed"
)


class SqlDocuments:
    """Reads and writes named texts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self, name: str) -> str | None:
        """Return a document's text; None when there is none."""
        rows = self._database.rows("SELECT text FROM documents WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def write(self, name: str, text: str, *, durable: bool = False) -> None:
        """Write a document whole or not at all; `durable`: it survives a power cut. Raises InvalidInput, StoreError."""
        name = _inside(name)
        with self._database.operation(f"Write {name}"):
            self._database.run(_WRITE, (name, clean(text), self._database.change))
            if durable:
                self._database.make_durable()

    def move(self, name: str, to: str) -> None:
        """Rename a document, replacing what stands there. Raises NotFound, InvalidInput."""
        name, to = _inside(name), _inside(to)
        with self._database.operation(f"Move {name} to {to}"):
            text = self.read(name)
            if text is None:
                raise NotFound(f"There is no document {name}; list what there is first.")
            if name != to:
                self._database.run("DELETE FROM documents WHERE name = ?", (name,))
                self._database.run(_WRITE, (to, text, self._database.change))
            self._database.make_durable()

    def names(self, prefix: str) -> list[str]:
        """Return the names that start with `prefix`, sorted."""
        sql = "SELECT name FROM documents WHERE substr(name, 1, ?) = ? ORDER BY name"
        return [str(name) for (name,) in self._database.rows(sql, (len(prefix), prefix))]


def _inside(name: str) -> str:
    """Return a name as it is kept. Raises InvalidInput for one that would lead outside of a folder."""
    name = clean(name)
    if not name or name.startswith("/") or ".." in name.split("/"):
        raise InvalidInput(f"“{name[:60]}” leads out of the memory; name a document inside it.")
    return name
