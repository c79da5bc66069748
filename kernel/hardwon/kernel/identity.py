"""Which project a folder belongs to: the same answer in every clone and worktree, never from a basename alone.

A `.hardwon.toml` may name it; else the normalised git remote does, else the repository that its worktrees share, else
the folder itself. Unless one of these names it, a folder that holds unrelated things is no project: the home directory,
the folder for temporary files, the root and what lies directly in it. Git's files are read, git itself is never run: a
hook or a slow disk of the user's repository must not matter here. Strings alone, since the hook program asks too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hardwon.kernel.git_config import common_directory, remote_urls
from hardwon.kernel.project_file import PROJECT_FILE, at_and_above, nearest_project_file
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
    root: str
    other_names: tuple[str, ...] = ()
    """What the project was called before it had this name: memories may still carry it. Further remotes are not among
    them, since a template's remote stands in many projects."""


def identify(folder: str | os.PathLike[str]) -> ProjectIdentity | None:
    """Return the project of a folder; None where there is none. Raises InvalidInput for a broken .hardwon.toml."""
    folder = os.path.realpath(folder)
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


def _project_file(folder: str) -> tuple[str, Mapping[str, Any]] | None:
    """Return the nearest .hardwon.toml that names something, by its folder; one that only sets a home is none."""
    start = folder
    while (found := nearest_project_file(start)) is not None:
        path, content = found
        at = os.path.dirname(path)
        if content.get("name") or content.get("package"):
            return at, content
        start = os.path.dirname(at)
        if at == start:
            return None
    return None


def _around(root: str) -> ProjectIdentity | None:
    """Return the project that a package's folder lies in."""
    above = os.path.dirname(root)
    marked = _project_file(above)
    repository = _repository(root)
    inside = marked is not None and (repository is None or _lies_in(marked[0], repository[0]))
    return identify(above) if inside else _unmarked(root)


def _lies_in(folder: str, outer: str) -> bool:
    return folder == outer or folder.startswith(outer.rstrip("/") + "/")


def _names_before_file(root: str) -> tuple[str, ...]:
    """Return the names of what begins at `root` too; a part of a repository has none of the repository's."""
    plain = _unmarked(root)
    return (plain.key, *plain.other_names) if plain is not None and plain.root == root else ()


def _unmarked(folder: str) -> ProjectIdentity | None:
    """Return what git, or else the folder itself, says."""
    repository = _repository(folder)
    if repository is None:
        return None if _is_no_project(folder) else ProjectIdentity(folder, "folder", folder)
    root, common = repository
    shared = os.path.dirname(common) if os.path.basename(common) == ".git" else common
    remote = next(_remotes(root, common), None)
    if remote:
        return ProjectIdentity(remote, "git remote", root, (shared,))
    return ProjectIdentity(shared, "git directory", root)


def _repository(folder: str) -> tuple[str, str] | None:
    """Return the work tree that a folder lies in, and the git directory that its worktrees share."""
    home = _home_directory()
    for root in at_and_above(folder):
        if root == home:
            return None
        common = common_directory(os.path.join(root, ".git"))
        if common is not None:
            return root, common
    return None


def _remotes(root: str, common: str) -> Iterator[str]:
    """Walk the names that the remotes give, the preferred ones first."""
    urls = remote_urls(os.path.join(common, "config"))
    for remote in sorted(urls, key=lambda each: _rank(each, list(urls))):
        name = normalised_remote(urls[remote], root)
        if name:
            yield name


def _rank(remote: str, in_file: list[str]) -> int:
    if remote in PREFERRED_REMOTES:
        return PREFERRED_REMOTES.index(remote)
    return len(PREFERRED_REMOTES) + in_file.index(remote)


def _is_no_project(folder: str) -> bool:
    """Tell whether a folder holds many things that have nothing in common."""
    temporary = {os.path.realpath(path) for path in (*TEMPORARY, os.environ.get("TMPDIR")) if path}
    return folder == _home_directory() or folder.count("/") <= 1 or folder in temporary


def _home_directory() -> str | None:
    home = os.path.expanduser("~")
    return os.path.realpath(home) if os.path.isabs(home) else None
