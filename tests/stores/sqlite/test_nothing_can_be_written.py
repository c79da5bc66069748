"""A home in a read-only folder or on a full disk answers every question, and tells every writer what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.sqlite.place import readable
from hardwon.testing.examples import MOMENT, memory

from ..unwritable import probe, tree
from .conftest import Open


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("killed", [False, True])
def test_a_home_that_cannot_be_written_answers_every_question(
    open_store: Open, home_path: Path, tmp_path: Path, *, full: bool, killed: bool
) -> None:
    """And tells every writer what to do; also where the log still holds what a killed process wrote."""
    storage = open_store()
    one, other = storage.memories.put(
        [memory("payment gateway: retry with the same key", topics=("pay.retry",)), memory("an older way to retry")]
    )
    edge = Relation(source=one.id, kind=RelationKind.SUPERSEDES, target=other.id, asserted_at=MOMENT)
    storage.memories.relate([edge])
    storage.documents.write("review-queue/a.md", "a proposal")
    if killed:
        for path in home_path.glob("memory.sqlite*"):
            if not path.name.endswith("-shm"):
                (tmp_path / path.name).write_bytes(path.read_bytes())
    storage.close()
    for path in tmp_path.glob("memory.sqlite*"):
        path.replace(home_path / path.name)
    before = tree(home_path)
    told = probe(home_path, [one.id, other.id], full=full)
    assert told["get"] == told["after"] == {one.id: one.content, other.id: other.content}
    assert one.id in told["search"]
    assert (told["scan"], told["topics"]) == (sorted([one.id, other.id]), ["pay.retry"])
    assert told["relations"] == told["traverse"] == [other.id]
    assert (told["document"], told["names"]) == ("a proposal", ["review-queue/a.md"])
    assert any("can only be read" in each for each in told["problems"])
    for name, said in told["writes"].items():
        assert said is not None, name
        assert any(word in said for word in ("permit", "room")), (name, said)
    after = tree(home_path)
    assert {name: after[name] for name in before if not name.endswith("-shm")} == {
        name: held for name, held in before.items() if not name.endswith("-shm")
    }


def test_when_there_is_room_again_the_same_open_store_writes(
    open_store: Open, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long-lived process that met a full disk goes on as soon as it can."""
    [entry] = open_store().memories.put([memory("payment gateway: retry")])
    with monkeypatch.context() as patched:
        patched.setattr("hardwon.stores.sqlite.storage.find_place", readable)
        storage = open_store()
    assert storage.problems()
    assert list(storage.memories.scan(Filter())) == [entry]
    changed = storage.memories.update(entry.id, {"content": "payment gateway: retry once"})
    assert list(storage.memories.scan(Filter())) == [changed]
    assert storage.problems() == []
