"""Reads entry points straight from the installed distributions' metadata.

`importlib.metadata` does the same and costs some 30 to 45 ms at start, for importing an e-mail parser that a list of
entry points does not need (docs/decisions/0004). The file format is the packaging specification's `entry_points.txt`.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class EntryPoint:
    """One line of one distribution: `name = module:attribute`."""

    name: str
    module: str
    attribute: str
    distribution: str


def installed_entry_points(group: str) -> list[EntryPoint]:
    """Return the entry points of a group; of a distribution that is on the path twice, the first counts."""
    seen: set[str] = set()
    found: list[EntryPoint] = []
    for folder in sys.path:
        try:
            names = sorted(os.listdir(folder or "."))  # noqa: PTH208 - pathlib's import is what this module avoids
        except OSError:
            continue
        for name in names:
            distribution = name.partition("-")[0].replace("_", "-").lower()
            if not name.endswith((".dist-info", ".egg-info")) or distribution in seen:
                continue
            seen.add(distribution)
            found += _read(f"{folder or '.'}/{name}/entry_points.txt", group, distribution)
    return found


def _read(path: str, group: str, distribution: str) -> list[EntryPoint]:
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - as above
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return []
    found = []
    inside = False
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            inside = line == f"[{group}]"
        elif inside and line and not line.startswith(("#", ";")):
            name, _, target = (part.strip() for part in line.partition("="))
            module, _, attribute = target.partition("[")[0].strip().partition(":")
            found.append(EntryPoint(name, module.strip(), attribute.strip(), distribution))
    return found
