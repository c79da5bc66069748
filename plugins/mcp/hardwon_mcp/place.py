"""Where the client works: its own folders where it tells them, else the folder that this process was started in.

A session of one project never sees what another learned, so this is asked of the client and never of the model.
"""

from __future__ import annotations

import os
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hardwon_mcp.caller import Caller

    Ask = Callable[[str, float], dict[str, Any] | None]

PATIENCE = 3.0
"""Seconds that a client has to say its folders."""


class NeedsRoots(Exception):
    """The client has to repeat its request with its folders."""


class Place:
    """The folder that decides which project a session is in."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._folder: str | None = None
        self._lock = threading.Lock()
        try:
            self._started_in = os.getcwd()  # noqa: PTH109 - pathlib costs the start 5 ms
        except OSError:  # it was deleted
            self._started_in = "/"

    def forget(self) -> None:
        """Ask again: the client opened or closed a folder."""
        self._folder = None

    def folder(self, caller: Caller, answers: Any = None) -> str:
        """Return the absolute folder.

        Raises NeedsRoots where the client has to be asked and may only be asked by an answer.
        """
        if not caller.has_roots:
            return self._started_in
        with self._lock:  # of calls at once only the first one asks
            if self._folder is None:
                self._folder = self._chosen(self._listed(caller, answers))
            return self._folder

    def _listed(self, caller: Caller, answers: Any) -> list[str]:
        """Return the client's folders; none where it does not say."""
        if not caller.stateless:
            told = self._ask("roots/list", PATIENCE)
        elif isinstance(answers, dict):
            told = answers.get("roots")
        else:
            raise NeedsRoots
        roots = told.get("roots") if isinstance(told, dict) else None
        uris = [root.get("uri") for root in roots if isinstance(root, dict)] if isinstance(roots, list) else []
        return [path for uri in uris if isinstance(uri, str) and (path := _path(uri))]

    def _chosen(self, folders: list[str]) -> str:
        """Return the folder that this process stands in, else the client's first one."""
        for folder in folders:
            if self._started_in == folder or self._started_in.startswith(folder.rstrip("/") + "/"):
                return self._started_in
        return folders[0] if folders else self._started_in


def _path(uri: str) -> str | None:
    """Return the path of a file URI on this machine; None for any other."""
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    path = unquote(parts.path)
    return path if path.startswith("/") and "\x00" not in path else None
