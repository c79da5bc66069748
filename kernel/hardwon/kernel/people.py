"""Who sits at this machine, as decisions and commits name them where nothing better is known."""

from __future__ import annotations

import getpass

UNKNOWN = "someone"
"""The name of whoever has no account: a container may run under a number that nobody gave a name."""


def account_name() -> str:
    """Return the name of the account that this process runs under, `someone` where it has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return UNKNOWN
