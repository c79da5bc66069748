"""What the packages in a folder call themselves in their manifests: names that a principle must not speak of.

Read as far as needed, and only what is plainly there: a manifest that cannot be read names nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from hardwon.kernel.regular_file import read_regular_text

LONGEST_MANIFEST = 200_000
"""Bytes: what is longer is no manifest that a person wrote."""
_TABLES = {"pyproject.toml": ("project", "tool.poetry"), "Cargo.toml": ("package",)}
_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)


def package_names(folder: Path) -> tuple[str, ...]:
    """Return the names in the manifests directly in a folder, each once."""
    found = [_of_toml(_text(folder / name), tables) for name, tables in _TABLES.items()]
    found += [_of_json(_text(folder / "package.json")), _of_go(_text(folder / "go.mod"))]
    return tuple(dict.fromkeys(name for name in found if name))


def _text(path: Path) -> str:
    try:
        return read_regular_text(path) if path.stat().st_size <= LONGEST_MANIFEST else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _of_toml(text: str, tables: tuple[str, ...]) -> str:
    try:
        parsed: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return ""
    return next((name for table in tables if (name := _name_at(parsed, table.split(".")))), "")


def _name_at(value: Any, path: list[str]) -> str:
    for key in [*path, "name"]:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _of_json(text: str) -> str:
    try:
        return _name_at(json.loads(text or "{}"), [])
    except (json.JSONDecodeError, RecursionError):
        return ""


def _of_go(text: str) -> str:
    found = _MODULE.search(text)
    return found[1] if found else ""
