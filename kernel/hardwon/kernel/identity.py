"""Which project a folder belongs to: the same answer in every clone and worktree, never from a basename alone.

A `.hardwon.toml` may name it; else the normalised git remote does, else the repository that its worktrees share, else
the folder itself. Unless one of these names it, a folder that holds unrelated things is no project: the home directory,
the folder for temporary files, the root and what lies directly in it. Git's files are read, git itself is never run: a
hook or a slow disk of the user's repository must not matter here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.kernel.git_config import common_directory, remote_urls
from hardwon.kernel.home import PROJECT_FILE, project_file
from hardwon.kernel.remotes import normalised_remote

PREFERRED_REMOTES = ("origin", "upstream")
TEMPORARY = ("/tmp", "/var/tmp")  # noqa: S108 - compared with, never written to
"""Beside the folder that $TMPDIR names."""


@dataclass(frozen=True)
class ProjectIdentity:
    """A project's key, what gave it, and the folder that it begins at."""

    key: str
    named_by: str
    """`.hardwon.toml`, `git remote`, `git directory` or `folder`."""
    root: Path
    other_names: tuple[str, ...] = ()
    """What the project was called before it had this name: memories may still carry it. Further remotes are not among
    them, since a template's remote stands in many projects."""


def identify(folder: Path) -> ProjectIdentity | None:
    """Return the project of a folder; None where there is none. Raises InvalidInput for a broken .hardwon.toml."""
    folder = folder.resolve()
    marked = _project_file(folder)
    if marked is None:
        return _unmarked(folder)
    root, content = marked
    name, package = content.get("name"), content.get("package")
    outer = None if name else _around(root) if package else _unmarked(folder)
    if name:
        base = ProjectIdentity(str(name), PROJECT_FILE, root, _names_before_file(root))
    elif outer is not None:
        base = outer
    else:
        return None
    if not package:
        return base
    others = tuple(f"{other}/{package}" for other in base.other_names)
    return ProjectIdentity(f"{base.key}/{package}", base.named_by, root, others)


def _project_file(folder: Path) -> tuple[Path, Mapping[str, Any]] | None:
    """Return the nearest .hardwon.toml that names something, by its folder; one that only sets a home is none."""
    start = folder
    while (found := project_file(start)) is not None:
        path, content = found
        if content.get("name") or content.get("package"):
            return path.parent, content
        if path.parent == path.parent.parent:
            return None
        start = path.parent.parent
    return None


def _around(root: Path) -> ProjectIdentity | None:
    """Return the project that a package's folder lies in."""
    marked = _project_file(root.parent)
    repository = _repository(root)
    inside = marked is not None and (repository is None or marked[0].is_relative_to(repository[0]))
    return identify(root.parent) if inside else _unmarked(root)


def _names_before_file(root: Path) -> tuple[str, ...]:
    """Return the names of what begins at `root` too; a part of a repository has none of the repository's."""
    plain = _unmarked(root)
    return (plain.key, *plain.other_names) if plain is not None and plain.root == root else ()


def _unmarked(folder: Path) -> ProjectIdentity | None:
    """Return what git, or else the folder itself, says."""
    repository = _repository(folder)
    if repository is None:
        return None if _is_no_project(folder) else ProjectIdentity(str(folder), "folder", folder)
    root, common = repository
    shared = str(common.parent if common.name == ".git" else common)
    remote = next(_remotes(root, common), None)
    if remote:
        return ProjectIdentity(remote, "git remote", root, (shared,))
    return ProjectIdentity(shared, "git directory", root)


def _repository(folder: Path) -> tuple[Path, Path] | None:
    """Return the work tree that a folder lies in, and the git directory that its worktrees share."""
    home = _home_directory()
    for root in (folder, *folder.parents):
        if root == home:
            return None
        common = common_directory(root / ".git")
        if common is not None:
            return root, common
    return None


def _remotes(root: Path, common: Path) -> Iterator[str]:
    """Walk the names that the remotes give, the preferred ones first."""
    urls = remote_urls(common / "config")
    for remote in sorted(urls, key=lambda each: _rank(each, list(urls))):
        name = normalised_remote(urls[remote], root)
        if name:
            yield name


def _rank(remote: str, in_file: list[str]) -> int:
    if remote in PREFERRED_REMOTES:
        return PREFERRED_REMOTES.index(remote)
    return len(PREFERRED_REMOTES) + in_file.index(remote)


def _is_no_project(folder: Path) -> bool:
    """Tell whether a folder holds many things that have nothing in common."""
    temporary = {Path(path).resolve() for path in (*TEMPORARY, os.environ.get("TMPDIR")) if path}
    return folder == _home_directory() or len(folder.parts) <= 2 or folder in temporary


def _home_directory() -> Path | None:
    try:
        return Path.home().resolve()
    except (RuntimeError, OSError):
        return None
