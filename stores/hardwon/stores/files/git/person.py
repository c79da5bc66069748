"""Who the person at this machine is to git: the name and address under which their edits are committed."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from hardwon.kernel.people import account_name
from hardwon.stores.files.git.repository import git


def person(folder: Path) -> tuple[str, str]:
    """Return the name and address that the user's git has; where it has none, those of the user's account."""
    found: dict[str, str] = {}
    for path in (folder / ".git" / "config", *_settings_of_user()):
        with contextlib.suppress(Exception):  # whatever is wrong with the user's settings is not ours to report here
            config = git().Config(str(path))
            for key in ("user.name", "user.email"):
                if key in config and key not in found:
                    found[key] = config[key].strip()
    account = account_name()
    return found.get("user.name") or account, found.get("user.email") or f"{account}@localhost"


def _settings_of_user() -> list[Path]:
    """Return where git looks for a user's settings; nothing where there is no home directory."""
    elsewhere = os.environ.get("XDG_CONFIG_HOME")
    with contextlib.suppress(RuntimeError):
        home = Path.home()
        return [home / ".gitconfig", Path(elsewhere or home / ".config") / "git" / "config"]
    return []
