"""Which project a command means: the one it was told, else the one that the user stands in."""

from __future__ import annotations

from pathlib import Path

from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home


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
        raise UsageError("The home directory is no project; go to a project's folder, or give --project or --global.")
    return claim(home, identity)


def project_to_read(home: Home, project: str | None) -> str | None:
    """Return the key of the project that a question is asked in; None where there is none."""
    from hardwon.kernel.identity import identify
    from hardwon.kernel.use_cases.projects import load_projects

    if project is None:
        identity = identify(Path.cwd())
        project = identity.key if identity else None
    return load_projects(home).canonical(project)


def user_name() -> str:
    """Return who gives this command, as decisions name them."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "user"
