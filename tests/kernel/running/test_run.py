"""A run is the only one over all processes, and is told of however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from hardwon.kernel.errors import StoreBusy, StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.running.due import LOCK_FILE
from hardwon.kernel.use_cases.running.holder import Holder, current_holder, failures_before, last_holder, note
from hardwon.kernel.use_cases.running.records import Outcome, runs
from hardwon.kernel.use_cases.running.run import run, run_if_due
from hardwon.testing.fakes import FixedClock

from .conftest import Breaking, Holding


def test_what_a_run_read_and_proposed_is_kept(home: Home) -> None:
    run(home, "command")
    [told] = runs(home)
    assert (told.outcome, told.by, told.counted, told.found_nothing) == (Outcome.DONE, "command", True, False)
    assert {name: told.counts[name] for name in ("lessons", "projects", "added")} == {
        "lessons": 4,
        "projects": 4,
        "added": 1,
    }


def test_a_run_that_found_nothing_is_one_and_says_so(home: Home) -> None:
    run(home, "command")
    run(home, "serve")
    assert [each.found_nothing for each in runs(home)] == [False, True]
    assert all(each.counted for each in runs(home))


def test_a_run_that_failed_is_none_and_says_why(home: Home, generalizer: Breaking) -> None:
    generalizer.error = StoreError("The disk is full; make room.")
    with pytest.raises(StoreError, match="The disk is full"):
        run(home, "session")
    generalizer.error = KeyError("x")
    with pytest.raises(KeyError):
        run(home, "session")
    assert [(each.counted, each.error) for each in runs(home)] == [
        (False, "The disk is full; make room."),
        (False, "KeyError: 'x'"),
    ]
    assert failures_before(home.path / LOCK_FILE) == 2
    generalizer.error = None
    run(home, "session")
    assert failures_before(home.path / LOCK_FILE) == 0


def test_a_run_that_was_stopped_is_no_failure(home: Home, generalizer: Breaking) -> None:
    """Ctrl-C, or a process that is told to end: the next run goes on, without a rest."""
    generalizer.error = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        run(home, "command")
    assert [each.outcome for each in runs(home)] == [Outcome.STOPPED]
    assert failures_before(home.path / LOCK_FILE) == 0


def test_what_the_model_took_meanwhile_is_summed(home: Home, clock: FixedClock) -> None:
    def call(tokens: int, dollars: float) -> Activity:
        details = {"tokens_in": tokens, "tokens_out": 10, "dollars": dollars}
        return Activity(kind="model", at=clock.now(), details=details)

    home.storage.ledger.append([call(1000, 0.5)])
    clock.advance(minutes=5)
    home.storage.ledger.append([call(100, 0.01), call(200, 0.02)])
    run(home, "command")
    [told] = runs(home)
    assert (told.spent.calls, told.spent.tokens, told.spent.dollars) == (2, 320, 0.03)


def test_two_are_never_at_it(home: Home, holding: Holding) -> None:
    """The second one says who is at it since when, and does nothing."""
    other = holding(home.path / LOCK_FILE)
    with pytest.raises(StoreBusy, match=rf"after a session \(process {other.pid}\) is at it since 20"):
        run(home, "command", patience=0.2)
    assert run_if_due(home, "serve") is None
    assert runs(home) == []


def test_a_person_is_told_that_another_is_waited_for(home: Home, holding: Holding) -> None:
    other = holding(home.path / LOCK_FILE)
    other.terminate()
    other.communicate()
    run(home, "command", patience=10)
    assert len(runs(home)) == 1


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_one_that_was_killed_blocks_nobody(home: Home, holding: Holding, how: signal.Signals) -> None:
    other = holding(home.path / LOCK_FILE)
    other.send_signal(how)
    other.communicate()
    assert current_holder(home.path / LOCK_FILE) is None
    run(home, "command")
    assert len(runs(home)) == 1


def test_a_process_with_the_same_number_is_not_taken_for_it(home: Home) -> None:
    """The note of one that was killed names a number that the system gave to another process since."""
    stranger = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    try:
        note(home.path / LOCK_FILE, Holder("serve", stranger.pid, home.clock.now()))
        assert current_holder(home.path / LOCK_FILE) is None
        began = time.monotonic()
        run(home, "command", patience=30)
        assert time.monotonic() - began < 30
    finally:
        stranger.communicate()


@pytest.mark.parametrize(
    "content", [b"", b"999", b"null", b"[]", b"{\xff", b'{"format": 1}', b'{"format": 9}', b"[" * 99999, b"\0" * 4096]
)
def test_a_note_that_nobody_can_read_hinders_nobody(home: Home, content: bytes) -> None:
    (home.path / LOCK_FILE).write_bytes(content)
    assert last_holder(home.path / LOCK_FILE) is None
    run(home, "command")
    found = last_holder(home.path / LOCK_FILE)
    assert found is not None
    assert (found.pid, found.ended, found.failures) == (os.getpid(), True, 0)


def test_a_program_that_a_run_started_does_not_keep_the_lock(home: Home, generalizer: Breaking) -> None:
    """A model's program that outlives the run, such as one that hangs."""
    children: list[subprocess.Popen[bytes]] = []
    propose = generalizer.propose

    def start(*given, **named):
        children.append(subprocess.Popen(["sleep", "60"]))
        return propose(*given, **named)

    generalizer.propose = start  # type: ignore[method-assign]
    run(home, "command")
    try:
        run(home, "command")
    finally:
        for child in children:
            child.kill()
            child.wait()
    assert len(runs(home)) == 2


def test_records_of_other_versions_are_read_as_far_as_they_go(home: Home, clock: FixedClock) -> None:
    """Those of before are runs; nonsense is passed over."""
    details = [{"lessons": 4, "added": 1}, {"began": "yesterday"}, {"outcome": "perhaps"}, {"seconds": [1]}]
    home.storage.ledger.append([Activity(kind="consolidate", at=clock.now(), details=each) for each in details])
    [told] = runs(home)
    assert (told.counted, told.began, told.counts["added"]) == (True, clock.now(), 1)
