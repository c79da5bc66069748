"""What is asked of a provider goes to the address that the user named, or nowhere.

An answer may send its caller on to another address (HTTP 301 to 308), and the package httpx then sends there whatever
was asked. litellm makes clients of httpx that follow, in several places, and has no setting against it.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

_REFUSED: ContextVar[bool] = ContextVar("redirects_refused", default=False)
_MARK = "heeds_without_redirects"


@contextlib.contextmanager
def without_redirects() -> Iterator[None]:
    """Let no client of httpx follow a redirect that is used meanwhile by this thread: its answer is the one given."""
    client = importlib.import_module("httpx").Client
    if not hasattr(client.send, _MARK):
        client.send = _heeding(client.send)
    token = _REFUSED.set(True)
    try:
        yield
    finally:
        _REFUSED.reset(token)


def _heeding(send: Any) -> Any:
    """Return the method `send` of httpx.Client, as it is but for threads that refuse redirects."""

    @functools.wraps(send)
    def sent(*arguments: Any, **options: Any) -> Any:
        if _REFUSED.get():
            options["follow_redirects"] = False
        return send(*arguments, **options)

    setattr(sent, _MARK, True)
    return sent
