"""What the .hardwon.toml files of a repository say to the hook program: whether it is on here, and for which home."""

from __future__ import annotations

import os
from typing import Any

from hardwon.kernel.project_file import PROJECT_FILE, at_and_above
from hardwon.kernel.regular_file import read_regular

_KEYS = (b"capture", b"recall", b"home")


def repository_settings(folder: str) -> dict[str, Any]:
    """Return the content of the files at and above a folder, the nearest first; `home` of the nearest alone.

    Raises ValueError, OSError for a file that may say one of these and cannot be read, or says nonsense: what was meant
    to be off is never on.
    """
    found: dict[str, Any] = {}
    is_nearest = True
    for above in at_and_above(os.path.realpath(folder)):
        path = f"{above}/{PROJECT_FILE}"
        if not os.path.isfile(path):
            continue
        content = read_regular(path)
        if any(key in content for key in _KEYS):  # tomllib takes 15 ms
            said = _read(content)
            home = said.pop("home", None)
            if is_nearest and home:
                said["home"] = os.path.realpath(os.path.join(above, os.path.expanduser(str(home))))
            found = said | found
        is_nearest = False
    return found


def _read(content: bytes) -> dict[str, Any]:
    import tomllib

    try:
        said = tomllib.loads(content.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    for name in ("capture", "recall"):
        if not isinstance(said.get(name, True), bool):
            raise ValueError(f"{name} is true or false, without quotation marks")
    if not isinstance(said.get("home", ""), str):
        raise ValueError("home is a folder, in quotation marks")
    return said
