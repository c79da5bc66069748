"""A home in a read-only folder or on a full disk answers every question, and tells every writer what to do.

Each case runs in a process of its own, as an ordinary user: permissions do not stop root.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from ..unwritable import probe, tree
from .conftest import Open, file_of, index_of


@pytest.fixture
def ids(storage: FilesStorage) -> list[str]:
    """Return two linked memories of a home in which something of everything is kept."""
    one, other = storage.memories.put(
        [memory("payment gateway: retry with the same key", topics=("pay.retry",)), memory("an older way to retry")]
    )
    storage.memories.relate(
        [Relation(source=one.id, kind=RelationKind.SUPERSEDES, target=other.id, asserted_at=MOMENT)]
    )
    storage.documents.write("review-queue/a.md", "a proposal")
    storage.close()
    return [one.id, other.id]


def missing(home: Path) -> None:
    index_of(home).unlink()


def damaged(home: Path) -> None:
    index_of(home).write_bytes(b"no database at all " * 500)


def as_it_is(home: Path) -> None:
    """Leave the index as it is."""


@pytest.mark.parametrize(
    ("index", "full"),
    [(as_it_is, False), (as_it_is, True), (missing, False), (missing, True), (damaged, False)],
)
def test_every_question_is_answered_and_no_write_half_done(
    ids: list[str], home_path: Path, index: Callable[[Path], None], *, full: bool
) -> None:
    """Whatever state the index is in; each refusal is a sentence, and the home is the same to the byte afterwards."""
    index(home_path)
    before = tree(home_path / "memory")
    told = probe(home_path, ids, full=full)
    one, other = ids
    assert told["get"] == {one: "payment gateway: retry with the same key", other: "an older way to retry"}
    assert told["after"] == told["get"]
    assert one in told["search"]
    assert told["scan"] == sorted(ids)
    assert told["topics"] == ["pay.retry"]
    assert told["relations"] == [other]
    assert told["traverse"] == [other]
    assert (told["document"], told["names"]) == ("a proposal", ["review-queue/a.md"])
    assert any("Nothing can be written there" in each for each in told["problems"])
    for name, said in told["writes"].items():
        assert said is not None, name
        assert not said.startswith("OSError"), (name, said)
        assert any(word in said for word in ("permit", "make room")), (name, said)
    assert tree(home_path / "memory") == before


def test_an_edit_by_hand_is_seen_where_the_home_is_read_only(
    ids: list[str], home_path: Path, memory_folder: Path, open_store: Open
) -> None:
    """What was changed or deleted before the folder became read-only is not shown as it was."""
    [path] = memory_folder.rglob(f"*-{ids[0]}.md")
    path.write_text(path.read_text(encoding="utf-8").replace("the same key", "a new key"), encoding="utf-8")
    told = probe(home_path, ids, full=False)
    assert told["get"][ids[0]] == "payment gateway: retry with a new key"
    kept = open_store().memories.get(ids)
    assert kept[ids[0]].content == "payment gateway: retry with a new key"
    assert file_of(memory_folder, kept[ids[1]]).is_file()


def test_a_memory_that_may_not_be_looked_into_is_kept_as_it_was_known(
    ids: list[str], home_path: Path, memory_folder: Path, open_store: Open
) -> None:
    """As one whose disk is not mounted: it is answered from the index, which says so, and nothing is retired."""
    memory_folder.chmod(0)
    try:
        told = probe(home_path, ids, full=None)
    finally:
        memory_folder.chmod(0o700)
    assert set(told["get"]) == set(told["after"]) == set(ids)
    assert ids[0] in told["search"]
    assert any("not there" in each for each in told["problems"])
    for name in ("put", "update", "relate", "delete", "document", "reindex"):
        assert "mount it" in told["writes"][name]
    assert set(open_store().memories.get(ids)) == set(ids)
    assert open_store().problems() == []


def test_when_there_is_room_again_the_same_open_store_writes(
    storage: FilesStorage, home_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long-lived process that met a full disk goes on as soon as it can."""
    [entry] = storage.memories.put([memory("payment gateway: retry")])
    storage._opened.workspace.index.stand_in("no room")  # what a full disk leads to
    assert storage.memories.get([entry.id])[entry.id].content == "payment gateway: retry"
    assert any("no room" in each.what for each in storage.problems())
    changed = storage.memories.update(entry.id, {"content": "payment gateway: retry once"})
    assert storage.memories.get([entry.id])[entry.id] == changed
    assert storage.problems() == []
