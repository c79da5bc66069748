"""Two names of one project never count as two projects, and taking an alias away undoes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.identity import ProjectIdentity
from hardwon.kernel.project_names import DOCUMENT, ProjectBook, book_of
from hardwon.kernel.use_cases.projects import (
    claim,
    known_projects,
    load_projects,
    save_projects,
    seen_from,
)
from hardwon.testing.examples import memory
from hardwon.testing.fakes import open_fake_home
from hardwon.testing.fakes.redactor import SECRET

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
names = texts.filter(lambda name: SECRET not in name)
"""Any name but one with a secret, which is redacted wherever it is written."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with open_fake_home(tmp_path) as home:
        yield home


def test_an_alias_means_its_project_and_so_does_an_alias_of_it() -> None:
    book = ProjectBook({"old": "new", "older": "old"})
    assert {book.canonical(name) for name in ("older", "old", "new")} == {"new"}
    assert book.names("old") == ("new", "old", "older")
    assert book.canonical("other") == "other"
    assert book.canonical(None) is None


def test_a_package_follows_its_project() -> None:
    assert ProjectBook({"old": "new"}).canonical("old/api") == "new/api"


@given(st.dictionaries(names, names, max_size=6), names)
def test_every_name_has_a_key_even_where_a_person_wrote_a_circle(aliases: dict[str, str], name: str) -> None:
    assert ProjectBook(aliases).canonical(name)


def test_a_circle_is_refused() -> None:
    book = ProjectBook({}).with_alias("b", "a")
    with pytest.raises(InvalidInput, match="already a name of"):
        book.with_alias("a", "b")


@given(st.dictionaries(names, names, max_size=5))
def test_any_name_is_written_and_read_again(tmp_path_factory: pytest.TempPathFactory, aliases: dict[str, str]) -> None:
    with open_fake_home(tmp_path_factory.mktemp("home")) as home:
        save_projects(home, ProjectBook(aliases))
        assert load_projects(home).aliases == aliases


def test_a_list_that_a_person_broke_is_named(home: Home) -> None:
    home.storage.documents.write(DOCUMENT, "[aliases]\nold = \n")
    with pytest.raises(InvalidInput, match=r"projects\.toml.*mend"):
        load_projects(home)


def test_projects_are_counted_under_their_key(home: Home) -> None:
    home.storage.memories.put([memory("1", "old"), memory("2", "new"), memory("3", "other"), memory("4")])
    assert known_projects(home, ProjectBook({"old": "new"})) == {"new": 2, "other": 1}


def test_resolving_changes_no_memory(home: Home) -> None:
    [entry] = home.storage.memories.put([memory("x", "old")])
    [resolved] = ProjectBook({"old": "new"}).resolved([entry])
    assert (resolved.scope.project, resolved.id) == ("new", entry.id)
    assert home.storage.memories.get([entry.id])[entry.id].scope.project == "old"


def test_a_reader_finds_what_a_project_knew_before_it_got_a_remote(home: Home) -> None:
    """Before anything is written in it, and without writing anything."""
    folder, remote = "a/folder", "host.example/team/shop"
    identity = ProjectIdentity(remote, "git remote", folder, (folder, "never used"))
    home.storage.memories.put([memory("x", folder)])
    assert seen_from(home, identity).names(remote) == (remote, folder)
    assert load_projects(home).aliases == {}


def test_a_project_that_got_a_remote_keeps_its_memories(home: Home) -> None:
    """What it was called before becomes an alias, if memories carry that name, and only once."""
    folder, remote = "a/folder", "host.example/team/shop"
    identity = ProjectIdentity(remote, "git remote", folder, (folder, "never used"))
    home.storage.memories.put([memory("x", folder)])
    assert claim(home, identity) == remote
    assert load_projects(home).aliases == {folder: remote}
    assert claim(home, identity) == remote
    assert known_projects(home, load_projects(home)) == {remote: 1}


@pytest.mark.parametrize("text", ["aliases = 5", "aliases = []", "aliases = [", f"aliases = {5_000 * '['}"])
def test_a_list_of_names_that_a_person_broke_is_told(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"projects\.toml"):
        book_of(text)
