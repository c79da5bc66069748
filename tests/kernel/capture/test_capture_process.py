"""The process in the background: what goes wrong in it is told in the ledger, since nobody sees what it prints."""

from __future__ import annotations

from typing import NoReturn

import pytest

from hardwon.kernel import background
from hardwon.kernel.errors import StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases import capture_process
from hardwon.kernel.use_cases.sessions import import_sessions

from .conftest import HARNESS, Begin, activity, contents, left


@pytest.mark.parametrize(
    ("error", "told"),
    [(StoreError("The disk is full; make room."), "The disk is full; make room."), (KeyError("x"), "KeyError: 'x'")],
)
def test_whatever_goes_wrong_is_noted_and_nothing_is_lost(
    home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise error

    teaching = session()
    teaching.says("user: Remember: Pin it.")
    teaching.stops()
    with monkeypatch.context() as broken:
        broken.setattr(capture_process, "capture", fail)
        capture_process.serve(home)
    assert [each.details for each in activity(home)] == [{"error": told}]
    assert len(left(home)) == 1
    capture_process.serve(home)
    assert contents(home) == ["Pin it."]
    assert left(home) == []


@pytest.mark.parametrize(("dry_run", "waits", "started"), [(False, True, 1), (False, False, 0), (True, True, 0)])
def test_what_hooks_left_to_a_long_import_is_taken_after_it(
    home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch, dry_run: bool, waits: bool, started: int
) -> None:
    """While it holds the lock, a hook starts no worker; nobody should have to wait for the next turn."""
    starts: list[object] = []
    monkeypatch.delenv(background.OFF_VARIABLE, raising=False)
    monkeypatch.setattr(background, "start", lambda *given: starts.append(given))
    teaching = session()
    teaching.says("user: Remember: Pin it.")
    if waits:
        teaching.stops()
    import_sessions(home, HARNESS, dry_run=dry_run)
    assert starts == [(capture_process.__name__, home.path)] * started
