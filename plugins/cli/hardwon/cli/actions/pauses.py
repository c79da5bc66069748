"""The command that keeps hardwon out of a harness or a project, for a while or until it is told otherwise."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hardwon.kernel.actions import Report
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.pausing import Pause


def pause(
    home: Home,
    *,
    for_: Annotated[str | None, "how long, as in 30m, 2h or 1d; until `pause --off` if left out"] = None,
    harness: Annotated[str | None, "only in this coding agent"] = None,
    project: Annotated[str | None, "only in this project: a folder, as in ., or a project's name"] = None,
    off: Annotated[bool, "end the pauses, or that of the harness or project named"] = False,
) -> Report:
    """Neither capture sessions nor show memories, for a while."""
    from hardwon.kernel.use_cases.pausing import current_pauses, parse_duration, resume
    from hardwon.kernel.use_cases.pausing import pause as begin
    from hardwon.kernel.use_cases.setup import wanted_harnesses

    home.require()
    if off and for_:
        raise UsageError("--off ends a pause and --for begins one; give one of them.")
    if harness:
        wanted_harnesses(home, [harness])
    key = _project_key(home, project) if project else None
    if off:
        ended = resume(home, harness, key)
        said = "\n".join(f"No longer paused {_where(each)}." for each in ended) or "There was no such pause."
    else:
        said = f"Paused {pause_text(begin(home, None if for_ is None else parse_duration(for_), harness, key))}."
    return Report({"paused": [asdict(each) for each in current_pauses(home)]}, said)


def pause_text(pause: Pause) -> str:
    """Return where and how long a pause holds, as words behind “paused”."""
    if pause.until is None:
        return f"{_where(pause)}, until `hardwon pause --off`"
    return f"{_where(pause)}, until {datetime.fromtimestamp(pause.until, UTC).astimezone():%Y-%m-%d %H:%M}"


def _where(pause: Pause) -> str:
    project = f"project `{pause.project}`" if pause.project else "every project"
    return f"in {pause.harness or 'every coding agent'} and {project}"


def _project_key(home: Home, project: str) -> str:
    """Return the key of a project that is named by a folder or by one of its names. Raises UsageError."""
    from hardwon.kernel.identity import identify
    from hardwon.kernel.use_cases.projects import load_projects, seen_from

    folder = Path(project)
    if not folder.is_dir():
        if project.startswith((".", "~")):
            raise UsageError(f"There is no folder {project}; name a project's folder that exists, or a project.")
        return str(load_projects(home).canonical(project))
    identity = identify(folder.resolve())
    if identity is None:
        raise UsageError(f"The folder {folder} is no project; name a project's folder, or leave --project out.")
    return str(seen_from(home, identity).canonical(identity.key))
