"""Names that one system takes for one and another for two: never made by us, told where a person made them."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.query import Filter
from hardwon.stores.files.taking_in.spelling import colliding, folded
from hardwon.testing.examples import memory

from .conftest import Open, file_of, git

ALL = Filter(statuses=None)
COMPOSED, APART = unicodedata.normalize("NFC", "café"), unicodedata.normalize("NFD", "café")


def every_path(folder: Path) -> list[str]:
    """Return every file and folder of the memory."""
    found = [str(path.relative_to(folder)) for path in folder.rglob("*")]
    return [path for path in found if not path.startswith(".git")]


TOPICS = ("API", "api", "Api", "ＡＰＩ", COMPOSED, APART, "straße", "STRASSE", "i", "İ", "ſ", "s")


def test_no_two_names_that_we_choose_collide(open_store: Open, memory_folder: Path) -> None:
    """Kept at once and one after the other, two topics or projects share a folder or are apart on every system."""
    entries = [
        memory("Same title.", project, topics=(topic,))
        for topic in TOPICS
        for project in ("Shop", "shop", "SHOP", None)
    ]
    storage = open_store()
    storage.memories.put(entries[::2])
    for entry in entries[1::6]:
        storage.memories.put([entry])
    assert colliding(every_path(memory_folder)) == []
    kept = {entry.id: entry for entry in open_store().memories.scan(ALL)}
    assert all(kept[entry.id].topics == entry.topics for entry in (*entries[::2], *entries[1::6]))


def test_a_new_folder_goes_by_the_spelling_of_one_that_is_there(open_store: Open, memory_folder: Path) -> None:
    """A person made `Api/` for a topic; the next memory of `api` lies there, under its own topic."""
    storage = open_store()
    [first] = storage.memories.put([memory("First.", "shop", topics=("api.auth",))])
    (memory_folder / "digest" / "shop" / "api").rename(memory_folder / "digest" / "shop" / "Api")
    storage = open_store()
    [second] = storage.memories.put([memory("Second.", "shop", topics=("api.limits",))])
    assert {path.name for path in (memory_folder / "digest" / "shop").iterdir()} == {"Api"}
    assert file_of(memory_folder, second).parent.name == "limits"
    assert storage.memories.get([second.id])[second.id].topics == ("api.limits",)
    assert colliding(every_path(memory_folder)) == []
    assert storage.memories.get([first.id])[first.id].content == "First."


def test_a_file_that_moves_gets_another_name_where_its_own_is_taken_but_for_case(
    open_store: Open, memory_folder: Path
) -> None:
    storage = open_store()
    one, other = storage.memories.put([memory("One.", "shop", topics=("a",)), memory("Other.", "shop", topics=("b",))])
    file_of(memory_folder, one).rename(memory_folder / "digest" / "shop" / "a" / "Note.md")
    file_of(memory_folder, other).rename(memory_folder / "digest" / "shop" / "b" / "note.md")
    storage = open_store()
    storage.memories.update(one.id, {"topics": ("b",)})
    assert colliding(every_path(memory_folder)) == []
    assert {entry.content for entry in storage.memories.scan(ALL)} == {"One.", "Other."}


@pytest.mark.parametrize("names", [("Note.md", "note.md"), (f"{COMPOSED}.md", f"{APART}.md")])
def test_a_tree_that_holds_both_loses_neither_and_is_told(
    open_store: Open, memory_folder: Path, names: tuple[str, str]
) -> None:
    folder = memory_folder / "digest" / "shop"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(f"Text of {name}.\n", encoding="utf-8")
    if len(list(folder.iterdir())) == 1:
        pytest.skip("this file system takes both names for one")
    storage = open_store()
    storage.memories.put([memory("Another.", "shop")])
    assert {f"Text of {name}." for name in names} <= {entry.content for entry in storage.memories.scan(ALL)}
    [told] = [each.what for each in storage.problems()]
    assert "rename one of them" in told
    assert len(list(folder.iterdir())) == 3


class Decomposed:
    """An entry of a folder on a file system that lists every name decomposed, and answers to both."""

    def __init__(self, entry: os.DirEntry[str]) -> None:
        self._entry = entry
        self.name = unicodedata.normalize("NFD", entry.name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._entry, name)


class Listing:
    """What `os.scandir` gives there."""

    def __init__(self, entries: Any) -> None:
        self._entries = entries

    def __enter__(self) -> Any:
        return (Decomposed(entry) for entry in self._entries.__enter__())

    def __exit__(self, *error: object) -> None:
        self._entries.__exit__(*error)


def test_a_file_system_that_decomposes_names_shows_no_file_as_moved(
    open_store: Open, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is committed as the person's, who did nothing."""
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: Listing(scan(path)))
    storage = open_store()
    [entry] = storage.memories.put([memory("Le café est fermé.", "shop", topics=("café",))])
    storage = open_store()
    storage.memories.put([memory("Another.", "shop", topics=("café",))])
    assert storage.memories.get([entry.id]) == {entry.id: entry}
    assert "by hand" not in git(memory_folder, "log", "--format=%s")
    assert storage.problems() == []


def test_folding_takes_for_one_what_some_system_does() -> None:
    assert folded("README") == folded("ReadMe")
    assert folded(COMPOSED) == folded(APART.upper())
    assert folded("note") != folded("notes")
