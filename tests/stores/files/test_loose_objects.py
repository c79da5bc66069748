"""Objects that hardwon writes itself are git's: of every change of folders, git finds what it should and no fault."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardwon.kernel.errors import StoreError
from hardwon.stores.files.git.loose_objects import write_object
from hardwon.stores.files.git.pack import MANY
from hardwon.stores.files.git.repository import Repository

from .conftest import git

NOW = datetime(2026, 11, 30, tzinfo=UTC)
NAMES = st.sampled_from(["a", "a.md", "a-b", "ab", "a0", "b", "é", "中.md"])
"""A folder `a` stands behind `a-b` and `a.md`, the file `a` before them."""
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
CHANGES = st.dictionaries(PATHS, st.none() | st.binary(max_size=30), min_size=1, max_size=6)


def applied(files: dict[str, bytes], changes: dict[str, bytes | None]) -> dict[str, bytes]:
    """Return files after changes, in which none is both a file and a folder."""
    result = {path: data for path, data in files.items() if path not in changes}
    return result | {path: data for path, data in changes.items() if data is not None}


def are_possible(files: dict[str, bytes]) -> bool:
    return not any(other.startswith(f"{path}/") for path in files for other in files)


@given(st.lists(CHANGES, min_size=1, max_size=5))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_finds_the_files_of_any_changes_and_no_fault(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[dict[str, bytes | None]]
) -> None:
    folder = tmp_path_factory.mktemp("repository")
    repository = Repository(folder)
    repository.create()
    files: dict[str, bytes] = {}
    for changes in rounds:
        after = applied(files, changes)
        if not are_possible(after):
            continue
        commit = repository.make_commit(repository.keep_all(changes), "Change\n", NOW)
        assert (commit is None) == (after == files and repository.head() is not None)
        if commit:
            repository.move_branch(commit)
        files = after
        found = repository.files(repository.head())
        assert {path: repository.content(name) for path, name in found.items()} == files
    if repository.head():
        assert git(folder, "fsck", "--strict", "--full", "--no-dangling") == ""
    repository.close()


def test_an_object_that_a_power_cut_left_empty_is_written_anew(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "memory")
    repository.create()
    name = repository.keep(b"words")
    place = tmp_path / "memory" / ".git" / "objects" / name[:2] / name[2:]
    place.write_bytes(b"")
    assert write_object(tmp_path / "memory" / ".git", "blob", b"words") == name
    assert repository.content(name) == b"words"
    repository.close()


def test_what_is_kept_again_counts_as_new_for_git_prune(tmp_path: Path) -> None:
    """`git gc` at work beside us takes away old objects that no commit refers to yet."""
    repository = Repository(tmp_path / "memory")
    repository.create()
    name = repository.keep(b"words")
    place = tmp_path / "memory" / ".git" / "objects" / name[:2] / name[2:]
    os.utime(place, (0, 0))
    repository.keep(b"words")
    assert git(tmp_path / "memory", "prune", "--expire=1.day.ago") == ""
    assert repository.content(name) == b"words"
    repository.close()


def test_what_a_kill_left_of_an_object_or_a_pack_is_taken_away_by_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = Repository(tmp_path / "memory")
    repository.create()
    seen: list[Path] = []

    def cut_off(aside: Path, _: Path) -> Path:
        seen.append(aside.rename(aside.with_name(f"{aside.name}-left")))
        raise OSError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", cut_off)
        with pytest.raises(StoreError):
            repository.keep(b"words")
        with pytest.raises(StoreError):
            repository.keep_all({f"{number}.md": b"%d" % number for number in range(MANY)})
    assert len(seen) == 2
    git(tmp_path / "memory", "prune", "--expire=now")
    assert not any(path.exists() for path in seen)
    repository.close()
