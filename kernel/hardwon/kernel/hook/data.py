"""What `setup` wrote for the hook program: `hook/data.json` (docs/reference/hook-program.md)."""

from __future__ import annotations

import os
from typing import Any

from hardwon.kernel.hook.json_values import first_value
from hardwon.kernel.regular_file import read_regular_text

FILE = "hook/data.json"
FORMAT_VERSION = 1
CONFIG = "config.toml"


def read_data(home: str) -> dict[str, Any] | None:
    """Return it; None where it is missing, damaged or of a newer format."""
    try:
        with open(f"{home}/{FILE}", "rb") as file:
            data, _ = first_value(file.read().decode("utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) and data.get("format") == FORMAT_VERSION else None


def stamp_of(path: str) -> dict[str, int] | None:
    """Return what tells one version of a file from another; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return {"mtime_ns": found.st_mtime_ns, "size": found.st_size}


def changed_settings(home: str, data: dict[str, Any]) -> dict[str, Any] | None:
    """Return `config.toml` where it is not the one that the data were written from; None while it is.

    Raises ValueError, OSError where it cannot be read.
    """
    path = f"{home}/{CONFIG}"
    if stamp_of(path) == data["config"]:
        return None
    import tomllib

    try:
        settings = tomllib.loads(read_regular_text(path))
    except FileNotFoundError:
        return {}
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    if not _is_usable(settings):
        raise ValueError("a setting is of another kind")
    return settings


def _is_usable(settings: dict[str, Any]) -> bool:
    """Tell whether what the hook program takes of the settings has the form that it needs."""
    tables = [settings.get(name, {}) for name in ("projects", "harnesses", "recall")]
    if not all(isinstance(table, dict) for table in tables):
        return False
    projects, harnesses, recall = tables
    are_tables = all(isinstance(each, dict) for each in (*projects.values(), *harnesses.values()))
    return are_tables and all(type(recall.get(name, 0)) is int for name in ("limit", "budget"))
