"""Which transcripts were read already: `past-sessions.json` of the home, which may be removed at the price of time."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreError
from hardwon.kernel.regular_file import open_regular
from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

FILE = "past-sessions.json"
FORMAT_VERSION = 1


def file_mark(path: Path) -> tuple[int, str]:
    """Return the size and the hash of a file, by which it is known. Raises OSError."""
    with open_regular(path) as file:
        return path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest()


class ReadFiles:
    """The transcripts that were read, by their paths."""

    def __init__(self, home: Home) -> None:
        self._path = home.path / FILE
        self._files = _read(self._path)

    def has(self, path: Path, mark: tuple[int, str], since: datetime | None) -> bool:
        """Tell whether a file was read as it is now, as far back as is asked for."""
        known = self._files.get(str(path.absolute()))
        if known is None or (known.get("size"), known.get("hash")) != mark:
            return False
        known_since = known.get("since")
        return known_since is None or (since is not None and since.timestamp() >= known_since)

    def add(self, path: Path, mark: tuple[int, str], since: datetime | None, sessions: Collection[str]) -> None:
        """Note that a file was read, and which sessions it holds."""
        size, hash = mark
        self._files[str(path.absolute())] = {
            "size": size,
            "hash": hash,
            "since": since.timestamp() if since else None,
            "sessions": sorted(sessions),
        }

    def forget(self, sessions: Collection[str]) -> None:
        """Let the files of some sessions be read again."""
        self._files = {
            path: each for path, each in self._files.items() if not set(each.get("sessions") or ()) & set(sessions)
        }

    def save(self) -> None:
        """Write the list whole, for its owner alone, without files that are gone. Raises StoreError."""
        # Some harnesses export their sessions anew for each import: such files come and go.
        self._files = {path: each for path, each in self._files.items() if os.path.lexists(path)}
        text = json.dumps({"version": FORMAT_VERSION, "files": self._files}, ensure_ascii=True, indent=0)
        try:
            write_whole(self._path, text.encode("ascii"), durable=False)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be written ({error.strerror}); make room, then repeat.") from None


def _read(path: Path) -> dict[str, dict[str, Any]]:
    """Return the list; nothing where there is none, it is damaged, or a newer hardwon wrote it."""
    try:
        content = json.loads(path.read_bytes())
        files = content["files"] if content["version"] == FORMAT_VERSION else {}
        return {str(name): dict(each) for name, each in files.items()}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
