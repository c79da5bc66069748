"""What editors and sync tools lay beside a note, told by its name: files not finished, and copies in conflict.

The rules are those of the tools' own documentation (Syncthing, Dropbox, Nextcloud, Seafile, Obsidian Sync, iCloud
Drive; vim, Emacs, Office). A copy whose name tells nothing (`note 2.md`, `note (1).md`) is known by the id that it has
in common with its original.
"""

from __future__ import annotations

import re

LEFTOVER_ENDINGS = (
    "~", ".tmp", ".swp", ".swo", ".swx", ".part", ".partial", ".crdownload", ".bak", ".orig", ".icloud", ".!sync",
)  # fmt: skip
"""How the names of files end that editors and sync tools leave behind, or have not finished."""
LEFTOVER_BEGINNINGS = (".#", "~$", ".~", "~syncthing~", ".syncthing.", "._")
"""How those of others begin."""
IN_CONFLICT = "a sync tool named it as a copy in conflict; take over what you want of it, then remove or rename it"
_CONFLICT = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}(?:-\w+)?(?=\.|\Z)"
    r"|\((?:[^()]*[\s\u2019's]+)?(?:conflicted copy|sfconflict|case conflict)\b[^()]*\)"
    r"|\([^()]*(?:冲突副本|冲突的副本|衝突複本|衝突副本)[^()]*\)"
    r"|_conflict-\d{8}-\d{6}(?=\.|\Z)",
    re.IGNORECASE,
)


def is_unfinished(name: str) -> bool:
    """Tell whether a file is an editor's or a sync tool's own: a backup, a lock, a part, a placeholder."""
    lower = name.lower()
    is_autosave = len(name) > 2 and name[0] == name[-1] == "#"
    return is_autosave or lower.endswith(LEFTOVER_ENDINGS) or lower.startswith(LEFTOVER_BEGINNINGS)


def placeholder_of(path: str) -> str:
    """Return where iCloud Drive notes a file whose content it keeps elsewhere until it is opened."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name}.icloud"


def is_conflict_copy(name: str) -> bool:
    """Tell whether a sync tool named a file as the copy that lost against another device's."""
    return _CONFLICT.search(name) is not None
