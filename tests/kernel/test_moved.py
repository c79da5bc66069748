"""What happens to a process that has the old store open while the memory moves, and to a setting changed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.kernel.moved import watched_storage
from hardwon.kernel.ports import Filed, KeepsProposals, Storage
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.registry import Registry
from hardwon.testing.conformance.journal import entry, turn
from hardwon.testing.examples import MOMENT, complete_decision, memory
from hardwon.testing.fakes import FakeRedactor, FakeStorage, FixedClock


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    """Return a storage of a home whose settings name it."""
    return watched_storage(FakeStorage(), tmp_path, "files")


def move(home: Path, store: str) -> None:
    """Let the settings name a store."""
    (home / "config.toml").write_text(f'store = "{store}"\n', encoding="utf-8")


WRITES: dict[str, Any] = {
    "a memory": lambda storage: storage.memories.put([memory("x")]),
    "a decision": lambda storage: storage.ledger.decide(complete_decision()),
    "activity": lambda storage: storage.ledger.append([Activity(kind="shown", at=MOMENT)]),
    "a document": lambda storage: storage.documents.write("a.md", "x"),
    "a turn": lambda storage: storage.journal.write([entry(turn("t-1"))]),
    "a vector": lambda storage: storage.vectors.keep("space", {"key": b"1234"}),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES.keys())
def test_nothing_is_acknowledged_that_the_new_store_does_not_have(tmp_path: Path, storage: Storage, write: Any) -> None:
    """Whoever writes to the old store is told so, again and again, and may read."""
    write(storage)
    move(tmp_path, "sqlite")
    for _ in range(2):
        with pytest.raises(Conflict, match="has moved from files to sqlite"):
            write(storage)
    assert list(storage.memories.scan(Filter())) is not None


def test_an_operation_that_waited_for_the_lock_leaves_nothing(tmp_path: Path, storage: Storage) -> None:
    """It looks before it begins, under the lock that the move held."""
    move(tmp_path, "sqlite")
    with pytest.raises(Conflict), storage.operation("Late"):
        pytest.fail("it began")


def test_other_settings_and_a_broken_file_stop_nothing(tmp_path: Path, storage: Storage) -> None:
    """Only another store is a move; a file that is being edited may be broken for a while."""
    for text in ('store = "files"\nlanguage = "zh"\n', "store = ", ""):
        (tmp_path / "config.toml").write_text(text, encoding="utf-8")
        storage.documents.write("a.md", text)


def test_the_new_store_is_written_to_before_and_after_the_switch(tmp_path: Path) -> None:
    """The move itself opens it while the settings still name the old one."""
    move(tmp_path, "files")
    target = watched_storage(FakeStorage(), tmp_path, "sqlite")
    target.documents.write("a.md", "before")
    move(tmp_path, "sqlite")
    target.documents.write("a.md", "after")


def test_what_a_store_offers_beyond_the_port_is_offered_still() -> None:
    """And what it does not offer is not."""
    storage = watched_storage(FakeStorage(), Path("/nowhere"), "fake")
    assert isinstance(storage, KeepsProposals) == isinstance(FakeStorage(), KeepsProposals)
    assert not isinstance(storage, Filed)


def opened(path: Path, kept: FakeStorage) -> Home:
    """Return a home with a store that keeps a file in it and one that keeps nothing there."""
    registry = Registry()
    for name in ("near", "far"):
        registry.offer("stores", name, lambda _home: kept, "test")
    registry.offer("store_places", "files", ("memory",), "test")
    registry.offer("store_places", "near", ("near.db",), "test")
    registry.offer("redactors", "detect-secrets", lambda _settings: FakeRedactor(), "test")
    home = Home(path, registry=registry, clock=FixedClock())
    home.create()
    return home


@pytest.mark.parametrize("store", ["near", "far"])
def test_no_empty_memory_begins_in_silence_beside_a_full_one(tmp_path: Path, store: str) -> None:
    """Whether a setting was changed by hand or a default with a version: it says where the memory is."""
    (tmp_path / "memory").mkdir()
    move(tmp_path, store)
    with pytest.raises(Conflict, match=rf"lies in files; .*hardwon migrate --to {store}"):
        opened(tmp_path, FakeStorage()).storage  # noqa: B018
    assert not (tmp_path / "near.db").exists()


def test_going_back_to_what_lies_there_is_a_setting(tmp_path: Path) -> None:
    """Both hold something: the settings decide."""
    (tmp_path / "memory").mkdir()
    (tmp_path / "near.db").touch()
    move(tmp_path, "near")
    assert opened(tmp_path, FakeStorage()).storage is not None


def test_a_store_elsewhere_that_holds_something_is_opened(tmp_path: Path) -> None:
    """The memory moved there, and the old one still lies in the home."""
    (tmp_path / "memory").mkdir()
    move(tmp_path, "far")
    kept = FakeStorage()
    kept.memories.put([memory("x")])
    assert opened(tmp_path, kept).storage is not None
