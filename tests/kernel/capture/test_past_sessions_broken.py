"""What is broken among past sessions, or cuts an import off, stops no other and is tried again."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import NotFound, PluginError, StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases import sessions
from hardwon.kernel.use_cases.sessions import import_sessions
from hardwon.testing.fakes import FakeExtractor, FakeHarness

from .conftest import HARNESS, contents


def test_what_cannot_be_read_stops_no_other(
    home: Home, past: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A torn row, an unreadable file and an adapter's own mistake are told; such a file is tried again next time."""
    past("s-1", "user: Remember: One.")
    torn = past("s-2", "user: Remember: Two.")
    torn.write_text("{ torn\n" + torn.read_text("utf-8"), encoding="utf-8")
    past("bad", "user: Remember: Three.")
    read = FakeHarness.read

    def breaks(self: FakeHarness, path: Path) -> Any:
        if path.name == "bad.jsonl":
            raise ZeroDivisionError("its own mistake")
        return read(self, path)

    with monkeypatch.context() as patch:
        patch.setattr(FakeHarness, "read", breaks)
        result = import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "Two."]
    assert len(result.problems) == 2
    import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "Three.", "Two."]


def test_a_mistake_of_the_extractor_stops_no_other_session(
    home: Home, past: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """That session is told, and taken next time."""
    past("s-1", "user: Remember: One.")
    past("s-2", "user: Remember: Two.")
    extract = FakeExtractor.extract

    def breaks(self: FakeExtractor, turns: Any, *, ended: bool) -> Any:
        if turns[0].session == "s-1":
            raise ZeroDivisionError("its own mistake")
        return extract(self, turns, ended=ended)

    with monkeypatch.context() as patch:
        patch.setattr(FakeExtractor, "extract", breaks)
        result = import_sessions(home, HARNESS)
    assert contents(home) == ["Two."]
    assert "its own mistake" in result.problems[0].what
    import_sessions(home, HARNESS)
    assert contents(home) == ["One.", "Two."]


def test_an_import_that_is_cut_off_goes_on_where_it_was(
    home: Home, past: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stood is not read again, what had not stood is; the log tells of both."""
    monkeypatch.setattr(sessions, "BATCH", 1)
    for name in ("s-1", "s-2", "s-3"):
        past(name, f"user: Remember: {name}.")
    take, calls = sessions._Run._take, []

    def fails_second(self: Any, batch: Any) -> Any:
        calls.append(batch)
        if len(calls) == 2:
            raise StoreError("The disk is full; make room.")
        return take(self, batch)

    with monkeypatch.context() as patch:
        patch.setattr(sessions._Run, "_take", fails_second)
        with pytest.raises(StoreError):
            import_sessions(home, HARNESS)
    assert contents(home) == ["s-1."]
    again = import_sessions(home, HARNESS)
    assert (again.unchanged, again.files) == (1, 2)
    assert contents(home) == ["s-1.", "s-2.", "s-3."]


def test_a_device_is_left_out(home: Home, past: Callable[..., Path]) -> None:
    """Nobody knows whether it ever ends."""
    result = import_sessions(home, HARNESS, [Path(os.devnull), past("s-1", "user: Remember: One.")])
    assert contents(home) == ["One."]
    assert ["is no file" in problem.what for problem in result.problems] == [True]


def test_an_unknown_harness_and_a_missing_file_are_refused(home: Home, tmp_path: Path) -> None:
    with pytest.raises(PluginError):
        import_sessions(home, "nobody")
    with pytest.raises(NotFound):
        import_sessions(home, HARNESS, [tmp_path / "none.jsonl"])
