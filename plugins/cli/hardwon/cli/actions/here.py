"""Which project a command means: the one it was told, else the one that the user stands in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.project_names import ProjectBook


def project_to_write(home: Home, project: str | None, *, everywhere: bool, folder: Path | None = None) -> str | None:
    """Return the key of the project that a new memory belongs to; None for everywhere.

    Raises UsageError where no project can be told.
    """
    from hardwon.kernel.identity import identify
    from hardwon.kernel.use_cases.projects import claim, load_projects

    if everywhere:
        if project:
            raise UsageError("A memory holds in one project or everywhere; give --project or --global, not both.")
        return None
    if project:
        return load_projects(home).canonical(project)
    identity = identify(folder or Path.cwd())
    if identity is None:
        raise UsageError(
            "This folder is no project, being the home directory, a temporary folder or one at the root; "
            "go to a project's folder, or give --project or --global."
        )
    return claim(home, identity)


def project_to_read(home: Home, project: str | None) -> tuple[str | None, ProjectBook]:
    """Return the key of the project that a question is asked in, None where there is none, and all projects' names."""
    from hardwon.kernel.identity import identify
    from hardwon.kernel.use_cases.projects import seen_from

    identity = identify(Path.cwd())
    book = seen_from(home, identity)
    if project is None:
        project = identity.key if identity else None
    return book.canonical(project), book
