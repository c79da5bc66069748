"""What agents may do beside what they always may: the user says so in their settings, and nobody else."""

from __future__ import annotations

import os
import stat

FILE_NAME = "config.toml"


def may_decide(home: str) -> bool:
    """Tell whether agents may pass on the user's decisions about rules: `[plugins.mcp] decide = true`."""
    return _allows(home, "decide")


def may_draft(home: str) -> bool:
    """Tell whether agents may read lessons of all projects to word what they have in common: `draft = true` there."""
    return _allows(home, "draft")


def _allows(home: str, what: str) -> bool:
    """Tell whether a permission stands in the home's settings now.

    Read by itself, and only if it can matter, since it is asked while a client waits for the list of tools. Settings
    that cannot be read allow nothing; the first call says what is wrong with them.
    """
    try:
        content = _read(os.path.join(home, FILE_NAME))  # noqa: PTH118 - pathlib costs the start 5 ms
    except OSError:
        return False
    if what.encode() not in content:
        return False
    import tomllib

    try:
        mcp = tomllib.loads(content.decode("utf-8-sig")).get("plugins", {}).get("mcp", {})
        return mcp.get(what) is True
    except (ValueError, AttributeError):
        return False


def _read(path: str) -> bytes:
    """Return the bytes of a file; of a pipe, whose end may never come, none. Without the kernel, as the start is."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
