"""Whether an agent may decide about rules: the user says so in their settings, and nobody else."""

from __future__ import annotations

import os

FILE_NAME = "config.toml"


def may_decide(home: str) -> bool:
    """Tell whether `[plugins.mcp] decide = true` stands in the home's settings now.

    Read by itself, and only if it can matter, since it is asked while a client waits for the list of tools. Settings
    that cannot be read allow nothing; the first call says what is wrong with them.
    """
    try:
        with open(os.path.join(home, FILE_NAME), "rb") as file:  # noqa: PTH118, PTH123 - pathlib costs the start 5 ms
            content = file.read()
    except OSError:
        return False
    if b"decide" not in content:
        return False
    import tomllib

    try:
        mcp = tomllib.loads(content.decode("utf-8-sig")).get("plugins", {}).get("mcp", {})
        return mcp.get("decide") is True
    except (ValueError, AttributeError):
        return False
