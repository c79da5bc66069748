"""FakeDocuments: named texts in a dictionary."""

from __future__ import annotations

from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.text import clean
from hardwon.testing.fakes.kept import Kept


class FakeDocuments:
    """Keeps named texts."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def read(self, name: str) -> str | None:
        """Return a document's text; None when there is none."""
        return self._kept.documents.get(name)

    def write(self, name: str, text: str, *, durable: bool = False) -> None:
        """Write a document. Raises InvalidInput for a name that leads outside."""
        self._inside(name)
        with self._kept.lock:
            self._kept.documents[name] = clean(text)

    def move(self, name: str, to: str) -> None:
        """Rename a document, replacing what stands there. Raises NotFound, InvalidInput."""
        self._inside(to)
        with self._kept.lock:
            if name not in self._kept.documents:
                raise NotFound(f"There is no document {name}; list what there is first.")
            self._kept.documents[to] = self._kept.documents.pop(name)

    def names(self, prefix: str) -> list[str]:
        """Return the names that start with `prefix`, sorted."""
        with self._kept.lock:
            return sorted(name for name in self._kept.documents if name.startswith(prefix))

    def _inside(self, name: str) -> None:
        if not name or name.startswith("/") or ".." in name.split("/"):
            raise InvalidInput(f"“{name[:60]}” leads out of the memory; name a document inside it.")
