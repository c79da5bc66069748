"""hardwon writes nothing into the user's folders, wherever a session stands: not beside code, never inside .git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

PLACES = (".", ".git", ".git/refs", "node_modules/left-pad", ".venv/lib", "vendor/part", "bare.git", "locked")


def git(folder: Path, *arguments: str) -> str:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@acme.dev", "-c", "protocol.file.allow=always")
    command = ["git", *person, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """Return a repository with all that a session may stand in: a submodule, a bare repository, a locked folder."""
    part, folder = tmp_path / "part", tmp_path / "user" / "work"
    for path in (part, folder):
        path.mkdir(parents=True)
        git(path, "init", "-q")
        (path / "LESSONS.md").write_text("# Lessons\n\n## Pin the runner\n\nCI broke, so we pinned it.\n", "utf-8")
        git(path, "add", ".")
        git(path, "commit", "-qm", "Begin")
    git(folder, "submodule", "--quiet", "add", str(part), "vendor/part")
    git(folder, "init", "-q", "--bare", "bare.git")
    for name in ("node_modules/left-pad", ".venv/lib", "locked"):
        (folder / name).mkdir(parents=True)
        (folder / name / "README.md").write_text("Somebody else's.\n", encoding="utf-8")
    git(folder, "add", "-f", ".")
    git(folder, "commit", "-qm", "Everything")
    (folder / "locked").chmod(0o500)
    yield folder
    (folder / "locked").chmod(0o700)


def everything(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("place", PLACES)
def test_a_session_leaves_the_folders_as_they_were(
    program: Callable[..., Any], environment: dict[str, str], project: Path, place: str
) -> None:
    folder = project / place
    before = everything(project)
    if place != ".":  # to embed takes seconds, and is the same wherever a session stands
        program("init", cwd=folder)
        Path(environment["HARDWON_HOME"], "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    for arguments in (
        ("remember", "Write beside the old file and rename.", "--global"),
        ("recall", "write a file"),
        ("import", project / "LESSONS.md", "--project", "work"),
        ("consolidate",),
        ("status",),
        ("doctor",),
    ):
        done = program(*arguments, cwd=folder)
        assert done.returncode == 0, done.stderr
    assert everything(project) == before
    assert git(project, "status", "--short", "--ignored") == ""
    assert "error" not in git(project, "fsck")
