"""The error that says that the server cannot be reached at all, apart from the driver, which need not be installed."""

from __future__ import annotations

from hardwon.kernel.errors import StoreError


class ServerAway(StoreError):
    """Nothing could be asked: no such host, no server, no answer, or it takes no connections now."""
