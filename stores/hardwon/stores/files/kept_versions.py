"""Former states that came from another store: a line each in `memory/history/<id>.jsonl`, since git did not see them.

Those that were replaced here stand in the git history and are read from there (`history`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import ValidationError

from hardwon.kernel.cleaning import cleaned_version
from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.version import Version
from hardwon.stores.files.indexing.existing import require
from hardwon.stores.files.notes.layout import HISTORY, id_in_name

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace

FORMAT_VERSION = 1


def path_of_versions(id: str) -> str:
    """Return the file of a memory's kept versions, below memory/."""
    return f"{HISTORY}/{id_in_name(id)}.jsonl"


def is_of_versions(path: str) -> bool:
    """Tell whether a file at this path below memory/ holds kept versions."""
    return path.startswith(f"{HISTORY}/")


def read_versions(data: bytes, path: str) -> list[Version]:
    """Return the versions of a file. Raises UnreadableFile at the first line that is none."""
    found = []
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            plain = json.loads(line)
            if plain.pop("version") > FORMAT_VERSION:
                raise UnreadableFile(path, "its format is newer than this hardwon; upgrade hardwon", number)
            found.append(Version.model_validate(plain))
        except (ValueError, ValidationError, KeyError, TypeError, AttributeError, RecursionError):
            raise UnreadableFile(path, "this line is no version of a memory; mend or remove it", number) from None
    return found


def kept_versions(workspace: Workspace, ids: Sequence[str] | None) -> list[Version]:
    """Return what is kept of these memories, or of all; a file that cannot be read is `doctor`'s to tell of."""
    known = "SELECT path FROM files WHERE substr(path, 1, ?) = ? AND size IS NOT NULL"
    start = f"{HISTORY}/"
    planned = [path for path in (workspace.changes.contents if workspace.changes else ()) if is_of_versions(path)]
    paths = {*(row["path"] for row in workspace.index.rows(known, (len(start), start))), *planned}
    found: list[Version] = []
    for path in sorted(paths if ids is None else paths.intersection(map(path_of_versions, ids))):
        with suppress(UnreadableFile):
            found += read_versions(workspace.content(path) or b"", path)
    return [each for each in found if ids is None or each.memory in ids]


def keep_versions(workspace: Workspace, versions: Sequence[Version], known: Iterable[Version]) -> None:
    """Plan to write those that are not known yet. Raises NotFound, UnreadableFile."""
    require(workspace.index, [each.memory for each in versions])
    keys = {each.key for each in known}
    fresh: dict[str, list[Version]] = {}
    for version in map(cleaned_version, versions):
        if version.key not in keys:
            keys.add(version.key)
            fresh.setdefault(path_of_versions(version.memory), []).append(version)
    for path, added in fresh.items():
        before = workspace.content(path) or b""
        read_versions(before, path)
        workspace.write(path, before + "".join(map(_line, added)).encode("utf-8"))


def _line(version: Version) -> str:
    plain = {"version": FORMAT_VERSION, **version.model_dump(mode="json", exclude_defaults=True)}
    return json.dumps(plain, ensure_ascii=False) + "\n"
