"""The branch of the code is known wherever one stands in a work tree, without running git."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hardwon.kernel.git_config import current_branch


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with a commit, made by git itself."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=trunk")
    git(folder, "commit", "--quiet", "--allow-empty", "--message=Begin")
    return folder


def git(folder: Path, *words: str) -> None:
    person = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Ada")
    person |= dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "ada@example.org")
    subprocess.run(["git", *words], cwd=folder, env=os.environ | person, check=True, capture_output=True)


def test_in_a_checkout_and_below(repository: Path) -> None:
    below = repository / "src" / "deep"
    below.mkdir(parents=True)
    assert current_branch(str(repository)) == current_branch(str(below)) == "trunk"
    git(repository, "checkout", "--quiet", "-b", "feature/größe")
    assert current_branch(str(below)) == "feature/größe"


def test_a_worktree_has_a_branch_of_its_own(repository: Path, tmp_path: Path) -> None:
    git(repository, "worktree", "add", "--quiet", "-b", "other", str(tmp_path / "elsewhere"))
    assert current_branch(str(tmp_path / "elsewhere")) == "other"
    assert current_branch(str(repository)) == "trunk"


def test_on_no_branch_there_is_none(repository: Path) -> None:
    git(repository, "checkout", "--quiet", "--detach")
    assert current_branch(str(repository)) is None


@pytest.mark.parametrize("content", [None, "", "nonsense", "gitdir: nowhere", "gitdir:"])
def test_what_is_no_repository_has_none(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / ".git").write_text(content, encoding="utf-8")
    assert current_branch(str(tmp_path)) is None
