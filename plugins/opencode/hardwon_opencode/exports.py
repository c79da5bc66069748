"""Fetches past sessions out of OpenCode: it keeps them in a database, and `opencode export` writes one as a file.

`opencode session list` names the sessions of the current project alone, so the database is asked by `opencode db`.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import Unavailable

PROGRAM = "opencode"
_SESSIONS = "SELECT id, time_updated FROM session WHERE parent_id IS NULL ORDER BY time_updated"
"""Those of sub-agents have a parent; they are left out."""
_LIMIT = 120.0
"""Seconds that one call of OpenCode may take; it starts in 1 to 6."""


def exported_sessions(since: datetime | None, failed: dict[Path, str]) -> Iterator[Path]:
    """Export each session, oldest first, into a folder that goes when this process ends.

    One that OpenCode cannot export does not stop the others: its file is empty, and `failed` says why. Raises
    Unavailable where OpenCode cannot be asked at all.
    """
    if not _data_folder().is_dir():  # It was never used, and to be asked would make it.
        return
    program = shutil.which(PROGRAM)
    if program is None:
        raise Unavailable(
            f"OpenCode's sessions are in {_data_folder()}, which only it can read; put `{PROGRAM}` on the PATH."
        )
    with tempfile.TemporaryFile() as answer:
        _ask(program, ["db", "--format", "json", _SESSIONS], answer)
        sessions = _rows(answer)
    wanted = [(each["id"], _updated(each)) for each in sessions if since is None or _updated(each) >= since]
    if not wanted:
        return
    folder = Path(tempfile.mkdtemp(prefix="hardwon-opencode-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for id, updated in wanted:
        path = folder / f"{id}.json"
        with path.open("wb") as file:
            try:
                _ask(program, ["export", id], file)
            except Unavailable as error:
                failed[path] = str(error)
                file.truncate(0)
        os.utime(path, (updated.timestamp(), updated.timestamp()))  # As any transcript: when it was last written to.
        yield path


def _data_folder() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "opencode"


def _ask(program: str, arguments: list[str], answer: Any) -> None:
    """Run OpenCode without its plugins, its answer into a file: past 64 kB, a pipe may lose the end of it."""
    environment = {**os.environ, "HARDWON_HOOKS": "off", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
    command = [program, "--pure", *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - the user's own OpenCode
            command, env=environment, stdin=subprocess.DEVNULL, stdout=answer, stderr=subprocess.PIPE,
            timeout=_LIMIT, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"OpenCode could not be asked for its sessions ({error}); export them by hand.") from None
    if done.returncode:
        said = " ".join(done.stderr.decode("utf-8", "replace").split())[-200:]
        raise Unavailable(f"`opencode {' '.join(arguments[:1])}` failed ({said}); export the sessions by hand.")


def _rows(answer: Any) -> list[dict[str, Any]]:
    answer.seek(0)
    try:
        rows = json.loads(answer.read() or b"[]")
        return [row for row in rows if isinstance(row["id"], str)]
    except (ValueError, TypeError, KeyError) as error:
        raise Unavailable(f"OpenCode's list of sessions cannot be read ({error!r}); export them by hand.") from None


def _updated(session: dict[str, Any]) -> datetime:
    """Return when a session was last changed; OpenCode counts milliseconds since 1970."""
    changed = session.get("time_updated")
    return datetime.fromtimestamp(changed / 1000 if isinstance(changed, int | float) else 0, UTC)
