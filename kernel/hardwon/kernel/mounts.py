"""Mounted folders: Markdown trees that the user already has, and for whom hardwon may read them.

Which ones they are is the user's decision about this machine, so they stand in `mounts.json` beside the settings, and
not in the memory. Standard library alone: the hook program reads the list too.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput, NewerFormat

if TYPE_CHECKING:
    from pathlib import Path

FILE = "mounts.json"
FORMAT_VERSION = 1
FOLDER = "mounts"
"""Where in the home what is derived from mounted folders is kept."""
VIA = "mount"
"""Via what a passage of a mounted note is shown."""
PREFIX = "mount-"
"""How the id of a passage begins."""


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted folder."""

    path: str
    """Absolute, without links in it."""
    projects: tuple[str, ...] = ()
    """In which projects it is shown, by key; empty: everywhere."""
    namespace: str = "default"

    def project_for(self, visible: Sequence[str | None] | None) -> tuple[bool, str | None]:
        """Tell whether a reader who sees these projects (None: all) may see it, and as part of which project."""
        if not self.projects:
            return visible is None or None in visible, None
        shared = [name for name in self.projects if visible is None or name in visible]
        return bool(shared), shared[0] if shared else None


def load_mounts(home: str | Path) -> list[Mount]:
    """Return the mounted folders of a home, by path; none where nothing was ever mounted.

    Raises InvalidInput for a list that is broken, NewerFormat for one that a newer hardwon wrote.
    """
    where = f"{home}/{FILE}"
    try:
        with open(where, encoding="utf-8") as file:  # noqa: PTH123 - the hook program has no time to import pathlib
            plain = json.loads(file.read())
        version = plain["version"]
        if version <= FORMAT_VERSION:
            return [_mount(each) for each in plain["mounts"]]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InvalidInput(f"{where} cannot be read ({error.strerror}); permit it, then repeat.") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInput(f"{where} is no list of mounted folders; remove it and mount them again.") from None
    raise NewerFormat(f"{where} has format {version} and this hardwon knows {FORMAT_VERSION}; upgrade hardwon.")


def _mount(plain: dict[str, object]) -> Mount:
    """Return a mounted folder from its JSON. Raises KeyError, TypeError."""
    path, projects, namespace = plain["path"], plain["projects"], plain["namespace"]
    if not (isinstance(path, str) and isinstance(projects, list) and isinstance(namespace, str)):
        raise TypeError
    return Mount(path, tuple(str(project) for project in projects), namespace)


def save_mounts(home: Path, mounts: Iterable[Mount]) -> None:
    """Write the list of mounted folders. Raises OSError."""
    from hardwon.kernel.whole_file import write_whole

    ordered = sorted(mounts, key=lambda each: each.path)
    told = [{"path": each.path, "projects": list(each.projects), "namespace": each.namespace} for each in ordered]
    plain = json.dumps({"version": FORMAT_VERSION, "mounts": told}, ensure_ascii=False, indent=1)
    write_whole(home / FILE, f"{plain}\n".encode(), durable=True)
