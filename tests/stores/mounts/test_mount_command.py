"""`hardwon mount`: who may see a folder is said when it is mounted, and everything about it is told."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import InvalidInput, NotFound, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.mounts import Mount, load_mounts
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.use_cases.doctor import examine
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.stores.mounts.actions import mount

from .conftest import NOTE, Vault


def repository(folder: Path, remote: str) -> Path:
    """Make a folder a git repository with a remote, as far as hardwon reads it."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n', encoding="utf-8")
    return folder


def test_a_folder_of_a_repository_is_its_projects(vault: Vault) -> None:
    docs = repository(vault.folder / "shop", "https://example.org/acme/shop.git") / "docs"
    docs.mkdir()
    (docs / "pay.md").write_text(NOTE, encoding="utf-8")
    report = mount(vault.home, str(docs))
    assert [each.projects for each in load_mounts(vault.home.path)] == [("example.org/acme/shop",)]
    assert report.data["mounts"][0]["notes"] == 1
    assert vault.found(project="example.org/acme/shop") == ["pay.md"]
    assert vault.found(project="example.org/acme/blog") == []


def test_a_folder_outside_of_any_repository_needs_to_be_told_for_whom(vault: Vault) -> None:
    with pytest.raises(UsageError, match="--global"):
        mount(vault.home, str(vault.folder))
    with pytest.raises(UsageError, match="not both"):
        mount(vault.home, str(vault.folder), project=("shop",), global_=True)
    assert load_mounts(vault.home.path) == []


def test_a_project_goes_by_its_key_and_may_be_changed_by_mounting_again(vault: Vault) -> None:
    save_projects(vault.home, ProjectBook({"shop": "acme/shop"}))
    mount(vault.home, str(vault.folder), project=("shop", "blog"))
    assert load_mounts(vault.home.path) == [Mount(str(vault.folder), ("acme/shop", "blog"))]
    mount(vault.home, str(vault.folder), global_=True)
    assert load_mounts(vault.home.path) == [Mount(str(vault.folder))]


def test_listing_brings_the_index_up_to_date_and_tells_what_is_passed_over(vault: Vault) -> None:
    mount(vault.home, str(vault.folder), global_=True)
    vault.write("a.md", NOTE)
    vault.write("b.md", b"\xff\xfe")
    report = mount(vault.home)
    assert report.data["mounts"][0]["notes"] == 1
    assert report.data["mounts"][0]["passed_over"] == {"b.md": "no text in UTF-8"}
    assert "passed over, no text in UTF-8: b.md" in report.text
    assert not report.failed


def test_a_removed_folder_is_forgotten_with_its_index_and_stays_as_it_is(vault: Vault) -> None:
    """Also one that is no longer there."""
    note = vault.write("a.md", NOTE)
    mount(vault.home, str(vault.folder), global_=True)
    assert vault.found() == ["a.md"]
    note.unlink()
    vault.folder.rmdir()
    mount(vault.home, str(vault.folder), remove=True)
    assert load_mounts(vault.home.path) == []
    assert list((vault.home.path / "mounts").iterdir()) == []
    with pytest.raises(NotFound, match="is not mounted"):
        mount(vault.home, str(vault.folder), remove=True)


def test_what_cannot_be_mounted_is_refused_and_the_list_stays(vault: Vault) -> None:
    """The memory itself, a folder inside of a mounted one or around it, what is no folder."""
    (vault.folder / "inner").mkdir()
    mount(vault.home, str(vault.folder / "inner"), global_=True)
    before = load_mounts(vault.home.path)
    for path, said in (
        (vault.home.path, "belongs to the memory"),
        (Path.home(), "holds all that is yours"),
        (Path("/"), "holds all that is yours"),
        (vault.folder, "overlaps"),
        (vault.folder / "nowhere", "no folder that can be reached"),
    ):
        with pytest.raises(InvalidInput, match=said):
            mount(vault.home, str(path), global_=True)
    with pytest.raises(UsageError, match="Name the folder"):
        mount(vault.home, remove=True)
    assert load_mounts(vault.home.path) == before


def test_a_folder_that_is_away_is_a_problem_of_doctor_and_of_the_list(vault: Vault, tmp_path: Path) -> None:
    vault.write("a.md", NOTE)
    mount(vault.home, str(vault.folder), global_=True)
    vault.folder.rename(tmp_path / "away")
    report = mount(vault.home)
    assert report.failed
    assert report.data["mounts"][0]["away"]
    [check] = [check for check in examine(vault.home) if check.name == "every mounted folder can be read"]
    assert [problem.where for problem in check.problems] == [str(vault.folder)]


def test_a_passage_is_no_memory_to_be_changed(vault: Vault) -> None:
    vault.write("a.md", NOTE)
    vault.mount()
    [hit] = vault.ask().hits
    with pytest.raises(NotFound, match="mounted note"):
        find_memory(vault.home, hit.entry.id)


def test_the_command_line_shows_a_mounted_note_with_its_file(
    program: Callable[..., subprocess.CompletedProcess[str]], answer: Callable[..., Any], tmp_path: Path
) -> None:
    """The whole way, over the store of the box: mount, recall as text and as JSON, remove."""
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "pay.md").write_text(NOTE, encoding="utf-8")
    program("init")
    assert answer("mount", notes, "--global")["mounts"][0]["notes"] == 1
    told = program("recall", "the payment gateway times out, how do I retry?").stdout
    assert "a mounted note" in told
    assert str(notes / "pay.md") in told.replace("\n", "")
    [hit] = answer("recall", "the payment gateway times out, how do I retry?")["hits"]
    assert (hit["via"], hit["path"], hit["line"]) == ("mount", str(notes / "pay.md"), 1)
    assert answer("mount", notes, "--remove") == {"removed": str(notes)}
    assert answer("mount") == {"mounts": []}


RACER = """
import sys
from pathlib import Path
from hardwon.kernel.home import Home
from hardwon.stores.mounts.actions import mount

with Home(Path(sys.argv[1])) as home:
    mount(home, sys.argv[2], global_=True)
"""


def test_two_processes_that_mount_at_once_lose_nothing(tmp_path: Path) -> None:
    with Home(tmp_path / "home") as home:
        home.create()
    folders = [tmp_path / f"notes-{number}" for number in range(2)]
    for folder in folders:
        folder.mkdir()
        (folder / "a.md").write_text(NOTE, encoding="utf-8")
    command = [sys.executable, "-c", RACER, str(tmp_path / "home")]
    racing = [subprocess.Popen([*command, str(folder)]) for folder in folders]
    assert [each.wait(60) for each in racing] == [0, 0]
    assert [each.path for each in load_mounts(tmp_path / "home")] == sorted(map(str, folders))
