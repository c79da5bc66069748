"""The home, opened by the first call and kept open: a client asks many times.

The store looks at its files by itself. Settings are read again when their file changes, and then the home is opened
anew; what other calls still use stays open until the end.
"""

from __future__ import annotations

import threading
from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.settings import FILE_NAME


class OpenHome:
    """Gives the home to calls on several threads."""

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        self._homes: list[Home] = []
        self._settings: tuple[int, int] | None = None

    def get(self, *, create: bool = False) -> Home:
        """Return the open home. Raises NotFound where there is none and none may be made."""
        with self._lock:
            settings = self._settings_now()
            if not self._homes or settings != self._settings:
                self._homes.append(Home(self._path, named_by="the MCP server's --home"))
                self._settings = settings
            home = self._homes[-1]
            if create:
                home.create()
            home.require()
            # Opened here, under the lock: two threads would open two of each.
            _ = home.storage, home.queue
            return home

    def close(self) -> None:
        """Close what was opened."""
        with self._lock:
            while self._homes:
                self._homes.pop().close()

    def _settings_now(self) -> tuple[int, int] | None:
        try:
            found = (self._path / FILE_NAME).stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size
