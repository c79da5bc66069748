"""Migration: everything arrives, the old store stays, a kill at any point is gone on from, and no write is lost."""

from __future__ import annotations

import contextlib
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import background
from hardwon.kernel.errors import Conflict, HardwonError, InvalidInput, StoreBusy, StoreError, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.migration_state import unfinished
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.hook_program import refresh_hook
from hardwon.kernel.use_cases.moving import migrating
from hardwon.kernel.use_cases.moving.copying import Copying
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.moving.migrating import migrate
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.testing.examples import MOMENT, memory, related_lessons
from hardwon.testing.full_home import fill

from .conftest import Stores


def exported(home: Home) -> list[str]:
    """Return everything that a home says of itself."""
    return list(archive_lines(home, [], vectors=True))


@pytest.fixture
def full(tmp_path: Path, stores: Stores) -> Path:
    """Return a home with one of everything in the first store."""
    with stores.open(tmp_path / "home") as home:
        fill(home)
    return tmp_path / "home"


def test_everything_arrives_and_the_old_store_stays(full: Path, stores: Stores) -> None:
    """Count by count and hash by hash, with the setting changed and progress told."""
    with stores.open(full) as home:
        before = exported(home)
        moved = migrate(home, "near")
    assert {part.part: part.number for part in moved.parts} == {
        "memories": 9,
        "links": 3,
        "proposals": 2,
        "decisions": 1,
        "turns": 2,
        "documents": 3,
        "activity": 3,
        "vectors": 1,
    }
    assert all(part.is_equal for part in moved.parts)
    assert moved.left == (full / "memory",)
    assert stores.console.progress["Copying: memories"] == (6, 6)
    with stores.open(full) as home:
        assert home.settings.store == "near"
        assert exported(home) == before
    (full / "config.toml").write_text("", encoding="utf-8")
    with stores.open(full) as home:  # the way back
        assert exported(home) == before


def test_there_and_on_and_back_again_is_equal(full: Path, stores: Stores) -> None:
    """From the first store over the others into the first, whose old data is set aside."""
    with stores.open(full) as home:
        before = exported(home)
    for store, afresh in (("near", False), ("far", False)):
        with stores.open(full) as home:
            migrate(home, store, afresh=afresh)
    with stores.open(full) as home, pytest.raises(Conflict, match="--afresh"):
        migrate(home, "files")
    stores.kept["files"] = type(stores.kept["files"])()
    stores.queues["files"] = type(stores.queues["files"])()
    with stores.open(full) as home:
        moved = migrate(home, "files", afresh=True)
    assert moved.aside is not None
    assert (moved.aside / "memory").is_dir()
    with stores.open(full) as home:
        assert home.settings.store == "files"
        assert exported(home) == before


STEPS = [*(("copy", name) for name in ("memories", "relations", "proposals", "decisions", "journal", "documents",
         "activity", "vectors")), *(("migrating", name) for name in ("write_state", "compare", "set_values",
         "refresh_hook"))]  # fmt: skip


@pytest.mark.parametrize("after", [True, False], ids=["after", "before"])
@pytest.mark.parametrize("time", [1, 2])
@pytest.mark.parametrize(("where", "step"), STEPS)
def test_a_kill_at_any_step_is_gone_on_from(
    full: Path, stores: Stores, monkeypatch: pytest.MonkeyPatch, where: str, step: str, time: int, after: bool
) -> None:
    """Until the switch the old store is in charge, then the new one; what was written between is there in the end."""
    place: Any = Copying if where == "copy" else migrating
    with stores.open(full) as home, monkeypatch.context() as patched:
        patched.setattr(place, step, killed(getattr(place, step), time, after=after))
        with contextlib.suppress(KeyboardInterrupt):
            migrate(home, "near")
    late = memory("written between")
    with stores.open(full) as home:
        home.storage.memories.put([late])
        changed, gone = lessons_without_links(home)
        home.storage.memories.update(changed, {"content": "changed between"})
        home.storage.memories.delete([gone])
        home.storage.ledger.append([Activity(kind="shown", at=MOMENT, memory=late.id)])
        before = exported(home)
    with stores.open(full) as home:
        if home.settings.store == "files":
            migrate(home, "near")
        else:
            try:
                migrate(home, "near")
            except UsageError as error:
                assert "in near already" in str(error)
    with stores.open(full) as home:
        assert home.settings.store == "near"
        assert exported(home) == before


def lessons_without_links(home: Home) -> tuple[str, str]:
    """Return the ids of two lessons that `fill` made."""
    ids = {each.content: each.id for each in home.storage.memories.scan(Filter())}
    _, second, _, fourth = related_lessons()
    return ids[second.content], ids[fourth.content]


def killed(function: Callable[..., Any], time: int, *, after: bool) -> Callable[..., Any]:
    """Return a function that ends the process at its `time`th call, before or after its work."""
    calls = 0

    def call(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == time and not after:
            raise KeyboardInterrupt
        result = function(*arguments, **named)
        if calls == time:
            raise KeyboardInterrupt
        return result

    return call


def test_what_another_process_writes_meanwhile_is_moved_or_refused(
    full: Path, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the switch it arrives, after it the writer is told; what was acknowledged is in the new store."""
    other = stores.open(full)
    acknowledged: list[str] = []

    def writes(function: Callable[..., Any]) -> Callable[..., Any]:
        calls = 0

        def call(*arguments: Any, **named: Any) -> Any:
            nonlocal calls
            calls += 1
            result = function(*arguments, **named)
            if calls > 1:  # the lock is held, and no other process could write
                return result
            entry = memory("from another process")
            try:
                other.storage.memories.put([entry])
                other.storage.ledger.append([Activity(kind="shown", at=MOMENT, memory=entry.id)])
            except Conflict as error:
                assert "has moved" in str(error)
            else:
                acknowledged.append(entry.id)
            return result

        return call

    monkeypatch.setattr(Copying, "memories", writes(Copying.memories))
    monkeypatch.setattr(Copying, "vectors", writes(Copying.vectors))
    monkeypatch.setattr(migrating, "refresh_hook", writes(refresh_hook))
    with stores.open(full) as home:
        migrate(home, "near")
    assert len(acknowledged) == 2
    with stores.open(full) as home:
        assert home.storage.memories.get(acknowledged).keys() == set(acknowledged)
        shown = [each.memory for each in home.storage.ledger.activity("shown")]
        assert set(acknowledged) <= set(shown)


def test_links_of_what_is_written_meanwhile_come_with_it(
    full: Path, stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memories and the link between them, of another process, after the memories were walked."""
    other = stores.open(full)
    one, two = memory("written meanwhile"), memory("written meanwhile, too")
    edge = Relation(source=one.id, kind=RelationKind.RELATES_TO, target=two.id, asserted_at=MOMENT)
    copied = Copying.memories

    def written_behind(copying: Copying, advance: Callable[[int], None]) -> None:
        copied(copying, advance)
        if not other.storage.memories.get([one.id]):
            other.storage.memories.put([one, two])
            other.storage.memories.relate([edge])

    monkeypatch.setattr(Copying, "memories", written_behind)
    with stores.open(full) as home:
        migrate(home, "near")
    with stores.open(full) as home:
        assert edge in home.storage.memories.relations(one.id)


def test_a_target_with_another_memory_is_refused_untouched(full: Path, stores: Stores) -> None:
    """It is not the half-done work of this migration."""
    (full / "near.db").touch()
    stores.kept["near"].entries["x"] = memory("another's")
    with stores.open(full) as home, pytest.raises(Conflict, match="another memory"):
        migrate(home, "near")
    assert list(stores.kept["near"].entries) == ["x"]
    with stores.open(full) as home:
        assert home.settings.store == "files"


@pytest.mark.parametrize("afresh", [False, True])
def test_where_the_old_store_is_away_nothing_is_left(
    full: Path, stores: Stores, afresh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a note of a migration, nor a place of the new store, nor anything set aside."""

    def away(_home: Home) -> None:
        raise StoreError("The old store is away.")

    (full / "near.db").touch()
    before = sorted(full.rglob("*"))
    opener = stores._opener
    monkeypatch.setattr(stores, "_opener", lambda name: away if name == "files" else opener(name))
    with stores.open(full) as home, pytest.raises(StoreError, match="is away"):
        migrate(home, "near", afresh=afresh)
    assert sorted(each for each in full.rglob("*") if each.name != LOCK_FILE) == before


def test_what_is_not_equal_is_not_switched(full: Path, stores: Stores, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what differs."""
    monkeypatch.setattr(Copying, "decisions", lambda self: None)
    with stores.open(full) as home:
        with pytest.raises(StoreError, match="decisions are not the same"):
            migrate(home, "near")
        assert tomllib.loads((full / "config.toml").read_text() if (full / "config.toml").exists() else "") == {}


def test_a_run_of_consolidate_is_not_disturbed(full: Path, stores: Stores) -> None:
    """Nor does one begin meanwhile."""
    with background.alone(full / LOCK_FILE) as free, stores.open(full) as home:
        assert free
        with pytest.raises(StoreBusy):
            migrate(home, "near")


@pytest.mark.parametrize(
    ("to", "address", "error"),
    [
        ("files", "", UsageError),
        ("nowhere", "", HardwonError),
        ("far", "postgresql://me:secret@host/db", UsageError),
    ],
)
def test_what_cannot_be_meant_is_refused(full: Path, stores: Stores, to: str, address: str, error: type) -> None:
    """The same store, one that nobody offers, a password that would stand in a file."""
    with stores.open(full) as home, pytest.raises(error):
        migrate(home, to, address)


def test_settings_that_cannot_be_edited_are_told_before_the_work(full: Path, stores: Stores) -> None:
    """Not after hours of it."""
    (full / "config.toml").write_text('"store" = "files"\n', encoding="utf-8")
    with stores.open(full) as home, pytest.raises(InvalidInput, match="yourself"):
        migrate(home, "near")
    assert not stores.kept["near"].entries


def test_a_half_moved_memory_is_not_taken_for_a_whole_one(full: Path, stores: Stores) -> None:
    """A person changed the setting by hand while a migration was cut off."""
    with stores.open(full) as home, pytest.MonkeyPatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(Copying, "relations", killed(Copying.relations, 1, after=False))
        migrate(home, "near")
    (full / "config.toml").write_text('store = "near"\n', encoding="utf-8")
    with stores.open(full) as home:
        with pytest.raises(Conflict, match="in part"):
            migrate(home, "near")
        with pytest.raises(Conflict, match="in part"):
            home.storage  # noqa: B018 - no command opens it
        assert "repeat `hardwon migrate --to near`" in unfinished(full)
    (full / "config.toml").write_text("", encoding="utf-8")
    with stores.open(full) as home:
        migrate(home, "near")
    assert unfinished(full) == ""
