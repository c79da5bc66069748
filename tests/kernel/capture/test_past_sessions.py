"""Past sessions come in once, however often and in whatever files they lie."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.journal import Standing
from hardwon.kernel.memory import Status
from hardwon.kernel.query import Filter
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.kernel.use_cases import sessions
from hardwon.kernel.use_cases.capture import capture
from hardwon.kernel.use_cases.operations import operations
from hardwon.kernel.use_cases.read_sessions import FILE
from hardwon.kernel.use_cases.sessions import import_sessions, merged
from hardwon.testing.fakes import FakeHarness, FixedClock, RecordingConsole

from .conftest import HARNESS, Begin, aged, contents

LONG = "The nightly build is red since the runner image moved; find out which package is missing and why it is."


def test_all_sessions_of_a_harness_are_taken(home: Home, past: Callable[..., Path]) -> None:
    """With what was found in them, what was kept, and why the rest was not; progress is shown."""
    past("s-1", "user: Remember: One.", "agent: Root cause: Two.")
    past("s-2", "user: Refuse: Three.", "agent: Done.", "user: Remember: one")
    result = import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "Two."]
    learned = result.learned
    assert (result.files, result.sessions, learned.turns.total(), learned.extracts) == (2, 2, 3, 4)
    assert (len(learned.kept), learned.known) == (2, 1)
    assert dict(learned.refused) == {"It holds for this task alone.": 1}
    assert isinstance(home.console, RecordingConsole)
    assert home.console.progress == {"Reading sessions of fake": (2, 2)}


def test_it_is_one_change_of_the_history(home: Home, past: Callable[..., Path]) -> None:
    """And one operation of the log, by which it is taken back."""
    for name in ("s-1", "s-2"):
        past(name, f"user: Remember: {name}.")
    result = import_sessions(home, HARNESS)
    assert home.storage.kept.history == [f"Import sessions of fake ({result.id})"]  # type: ignore[attr-defined]
    (done,) = operations(home)
    assert (done.kind, done.id, done.counts["kept"], len(done.memories)) == ("import", result.id, 2, 2)


def test_a_second_import_reads_nothing_again(home: Home, past: Callable[..., Path]) -> None:
    past("s-1", "user: Remember: One.")
    import_sessions(home, HARNESS)
    again = import_sessions(home, HARNESS)
    assert (again.files, again.unchanged, again.learned.turns.total()) == (0, 1, 0)


def test_what_was_read_is_known_without_the_list_too(home: Home, past: Callable[..., Path]) -> None:
    """The list saves time and nothing else."""
    past("s-1", "user: Remember: One.", "agent: Done.")
    import_sessions(home, HARNESS)
    (home.path / FILE).write_text("{ damaged", encoding="utf-8")
    again = import_sessions(home, HARNESS)
    assert (again.files, again.learned.turns[Standing.KNOWN], len(again.learned.kept)) == (1, 1, 0)
    assert len(home.storage.journal.of_session("s-1")) == 1


def test_a_session_that_went_on_is_read_again(home: Home, past: Callable[..., Path]) -> None:
    past("s-1", "user: Remember: One.")
    import_sessions(home, HARNESS)
    with (home.path.parent / "harness" / "s-1.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "later", "session": "s-1", "by": "user", "text": "Remember: Two."}\n')
    again = import_sessions(home, HARNESS)
    assert dict(+again.learned.turns) == {"known": 1, "new": 1}
    assert contents(home) == ["One.", "Two."]


def test_a_session_under_way_is_not_judged_yet(home: Home, past: Callable[..., Path], clock: FixedClock) -> None:
    """What the agent claims is held back, and the file is read again once the session is over."""
    path = past("s-1", "user: Remember: One.", "agent: Root cause: Two.")
    os.utime(path, (clock.now().timestamp(), clock.now().timestamp()))
    import_sessions(home, HARNESS)
    assert contents(home) == ["One."]
    aged(path, home)
    import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "Two."]


@pytest.mark.parametrize("batch", [1, 2_000])
def test_copies_and_forks_teach_nothing_twice(
    home: Home, past: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """A copied file, and a session that begins with the turns of another under ids of its own."""
    monkeypatch.setattr(sessions, "BATCH", batch)
    first = past("s-1", f"user: {LONG}\nRemember: One.", "agent: The package yaml is missing.")
    shutil.copy2(first, tmp_path / "harness" / "copy.jsonl")
    past("s-2", f"user: {LONG}\nRemember: One.", "agent: The package yaml is missing.", "user: Remember: Two.")
    result = import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "Two."]
    assert {each.session: each.turns for each in home.storage.journal.sessions()} == {"s-1": 1, "s-2": 1}
    assert result.learned.turns[Standing.ELSEWHERE] == 1


@pytest.mark.parametrize("order", list(permutations(("s-1", "s-2", "s-3"))))
def test_the_order_of_the_files_does_not_matter(home: Home, past: Callable[..., Path], order: tuple[str, ...]) -> None:
    """Forks of one session teach the same, and the same session has the turn that they share."""
    shared = (f"user: {LONG}\nRemember: One.", "agent: Root cause: The lock file lacks the package yaml.")
    past("s-1", *shared)
    past("s-2", *shared, "user: Remember: Two.")
    past("s-3", *shared, "user: Remember: Three.")
    for number, name in enumerate(order):
        os.utime(home.path.parent / "harness" / f"{name}.jsonl", (number, number))
    import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "The lock file lacks the package yaml.", "Three.", "Two."]
    assert {each.session: each.turns for each in home.storage.journal.sessions()} == {"s-1": 1, "s-2": 1, "s-3": 1}


@pytest.mark.parametrize("batch", [1, 2_000])
def test_a_session_may_lie_in_several_files_and_a_file_hold_several(
    home: Home, past: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """Each is looked at as a whole: a claim is seen with what the other file says of it."""
    monkeypatch.setattr(sessions, "BATCH", batch)
    one = past("s-1", "user: Remember: One.", "agent: Done.")
    two = past("s-2", "user: Remember: Two.", "agent: Done.")
    rows = (one.read_text("utf-8") + two.read_text("utf-8")).splitlines(keepends=True)
    one.unlink()
    two.unlink()
    for name, some in (("a", rows[:3]), ("b", rows[3:])):
        path = tmp_path / "harness" / f"{name}.jsonl"
        path.write_text("".join(some), encoding="utf-8")
        aged(path, home)
    import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "Two."]
    assert sorted(each.session for each in home.storage.journal.sessions()) == ["s-1", "s-2"]


def test_parts_of_a_turn_in_two_files_are_one_turn() -> None:
    """With every message that any file has, in the order of time."""
    at = datetime(2026, 5, 4, tzinfo=UTC)
    said = [Message(str(number), Speaker.USER, str(number), at) for number in range(3)]
    early = Turn("fake", "s", "early", (said[0],), at)
    late = Turn("fake", "s", "late", (said[0], said[1]), at + timedelta(hours=1))
    more = Turn("fake", "s", "late", (said[1], said[2]), at + timedelta(hours=1))
    found = merged([late, early, more])
    assert [turn.id for turn in found] == ["early", "late"]
    assert found[1].messages == tuple(said)


def test_a_dry_run_says_the_same_and_changes_nothing(home: Home, past: Callable[..., Path], tmp_path: Path) -> None:
    """Copies included."""
    first = past("s-1", "user: Remember: One.", "agent: Root cause: Two.")
    shutil.copy2(first, tmp_path / "harness" / "copy.jsonl")
    dry = import_sessions(home, HARNESS, dry_run=True)
    assert contents(home) == []
    assert home.storage.journal.sessions() == []
    assert operations(home) == []
    assert not (home.path / FILE).exists()
    wet = import_sessions(home, HARNESS)
    assert dry.learned.counts() == wet.learned.counts()


def test_only_the_given_files_and_what_was_said_since(
    home: Home, past: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was read in part is read again when more of it is wanted."""
    past("s-1", "user: Remember: One.")
    days = [datetime(2026, 5, day, tzinfo=UTC) for day in (1, 2, 3)]
    turns = [
        Turn("fake", "s-2", f"t-{at.day}", (Message(f"m-{at.day}", Speaker.USER, f"Remember: Day {at.day}.", at),), at)
        for at in days
    ]
    path = past("s-2", "user: anything")
    monkeypatch.setattr(FakeHarness, "read", lambda _self, _path: iter(turns))
    import_sessions(home, HARNESS, [path], since=days[1], project="shop")
    assert contents(home) == ["Day 2.", "Day 3."]
    assert import_sessions(home, HARNESS, [path], since=days[1], project="shop").unchanged == 1
    import_sessions(home, HARNESS, [path], project="shop")
    assert contents(home) == ["Day 1.", "Day 2.", "Day 3."]
    assert import_sessions(home, HARNESS, [tmp_path / "harness"], since=days[2]).files == 1


def test_what_is_off_is_not_imported_either(
    home: Home, past: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.path / "config.toml").write_text('[projects."example.org/shop"]\ncapture = false\n', encoding="utf-8")
    read = FakeHarness.read

    def with_folder(self: FakeHarness, path: Path) -> Any:
        for turn in read(self, path):
            folder = tmp_path / "code" / ("shop" if path.stem == "s-1" else "maps")
            yield replace(turn, folder=folder) if isinstance(turn, Turn) else turn

    monkeypatch.setattr(FakeHarness, "read", with_folder)
    past("s-1", "user: Remember: One.")
    past("s-2", "user: Remember: Two.", of="maps")
    result = import_sessions(home, HARNESS)
    assert contents(home) == ["Two."]
    assert result.learned.turns["off"] == 1
    assert [each.session for each in home.storage.journal.sessions()] == ["s-2"]


def test_what_a_session_told_live_is_known(home: Home, session: Begin) -> None:
    """And what an import took, the session tells no second time."""
    live = session()
    live.says("user: Remember: One.", "agent: Done.")
    live.stops()
    capture(home, settle=True)
    aged(live.transcript, home)
    assert import_sessions(home, HARNESS).learned.turns[Standing.KNOWN] == 1
    live.says("user: Remember: Two.")
    aged(live.transcript, home)
    import_sessions(home, HARNESS)
    live.stops()
    assert capture(home).learned.turns[Standing.KNOWN] == 2
    assert contents(home) == ["One.", "Two."]


def test_a_project_that_is_given_holds_for_all(home: Home, past: Callable[..., Path]) -> None:
    past("s-1", "user: Remember: One.")
    import_sessions(home, HARNESS, project="mine")
    assert [entry.scope.project for entry in home.storage.memories.scan(Filter())] == ["mine"]
    assert [entry.status for entry in home.storage.memories.scan(Filter())] == [Status.ACTIVE]
