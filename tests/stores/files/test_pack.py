"""Many contents become one pack that git itself finds nothing wrong with."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardwon.stores.files.git.pack import MANY, write_pack
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import memory

from .conftest import git


@given(
    st.lists(st.binary(max_size=400) | st.builds(lambda n: b"x" * n, st.integers(0, 70_000)), min_size=1, max_size=9)
)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_reads_what_was_packed(tmp_path_factory: pytest.TempPathFactory, contents: list[bytes]) -> None:
    folder = tmp_path_factory.mktemp("repository")
    git(folder, "init", "-q")
    names = write_pack(folder / ".git", contents)
    [pack] = (folder / ".git" / "objects" / "pack").glob("*.pack")
    git(folder, "verify-pack", str(pack))
    for name, data in zip(names, contents, strict=True):
        assert git(folder, "cat-file", "-s", name) == f"{len(data)}\n"


def test_an_import_is_one_pack_and_whole(storage: FilesStorage, memory_folder: Path) -> None:
    storage.memories.put([memory(f"Lesson {number}.", "shop") for number in range(MANY + 1)])
    assert len(list((memory_folder / ".git" / "objects" / "pack").glob("*.pack"))) == 1
    assert git(memory_folder, "fsck", "--strict", "--full") == ""
    assert git(memory_folder, "status", "--short") == ""
