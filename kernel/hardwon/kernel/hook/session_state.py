"""What a session was shown already, so that nothing is said twice in it: a line an id, in a small file a session."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

FOLDER = "hook/sessions"
LONGEST_UNUSED = 14 * 86_400.0
"""Seconds after which a session's file is removed."""
_LONGEST_NAME = 60


class SessionState:
    """One session's file. Without an id of the session nothing is kept."""

    def __init__(self, home: str, harness: str, session: str | None) -> None:
        self._folder = f"{home}/{FOLDER}"
        # In hexadecimal figures any id is a name of a file; of a very long one, both ends tell it from others.
        name = (session or "").encode("utf-8", "replace").hex()
        if len(name) > 2 * _LONGEST_NAME:
            name = f"{name[:_LONGEST_NAME]}~{name[-_LONGEST_NAME:]}"
        self._path = f"{self._folder}/{harness}-{name}" if name else None

    def shown(self) -> set[str]:
        """Return the ids of the memories that were shown."""
        if self._path is None:
            return set()
        try:
            with open(self._path, encoding="ascii") as file:
                return set(file.read().split())
        except (OSError, ValueError):
            return set()

    def add(self, ids: Iterable[str]) -> None:
        """Keep that these were shown. Raises OSError where that is not possible."""
        lines = "".join(f"{id}\n" for id in ids)
        if self._path is None or not lines:
            return
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, lines.encode("ascii", "replace"))
        os.close(descriptor)

    def forget(self) -> None:
        """Begin anew: the agent's context was cleared or compacted, what was shown is no longer in it."""
        if self._path is not None and os.path.exists(self._path):
            os.unlink(self._path)

    def prune(self) -> None:
        """Remove what sessions left that nobody came back to."""
        oldest = time.time() - LONGEST_UNUSED
        try:
            entries = list(os.scandir(self._folder))
        except OSError:
            return
        for entry in entries:
            try:
                if entry.stat().st_mtime < oldest:
                    os.unlink(entry.path)
            except OSError:  # another start removed it
                continue
