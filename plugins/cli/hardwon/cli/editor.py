"""The user's editor, for texts that they want to change."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from hardwon.kernel.errors import HardwonError, Unavailable

FALLBACK = "vi"


def edit_file(path: Path) -> None:
    """Open a file in $VISUAL or $EDITOR and wait. Raises Unavailable, HardwonError when the editor fails."""
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or FALLBACK)
    try:
        done = subprocess.run([*command, str(path)], check=False)  # noqa: S603 - the user's own choice
    except OSError as error:
        raise Unavailable(f"The editor {command[0]} cannot run ({error.strerror}); set EDITOR to yours.") from None
    if done.returncode:
        raise HardwonError(f"The editor ended with {done.returncode}; look at {path} before you go on.")


def edited(text: str) -> str:
    """Return a text as the user left it in their editor. Raises Unavailable, HardwonError."""
    with tempfile.TemporaryDirectory(prefix="hardwon-") as folder:
        path = Path(folder) / "text.md"
        path.write_text(text, encoding="utf-8")
        edit_file(path)
        try:
            return path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise HardwonError("The editor saved no UTF-8 text, so nothing was changed; save it as UTF-8.") from None
