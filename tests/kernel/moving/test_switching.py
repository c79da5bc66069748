"""Between the old home and the restored one there is a moment without any: whatever ends it, the old one is found."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardwon.kernel.errors import NotFound, StoreError
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.moving.backing_up import back_up
from hardwon.kernel.use_cases.moving.bringing_back import bring_back
from hardwon.testing.fakes import RecordingConsole
from hardwon.testing.full_home import fill

from .conftest import Stores


class Killed(BaseException):
    """Ends the process as far as the code can tell."""


@pytest.fixture
def place(tmp_path: Path, stores: Stores) -> Path:
    """Return a home that holds something of its own, with a backup beside it."""
    path = tmp_path / "home"
    with stores.open(path) as home:
        fill(home)
        back_up(home, tmp_path / "memory.backup")
    (path / "mine.txt").write_text("here before", encoding="utf-8")
    fresh = Stores()
    stores.kept, stores.queues = fresh.kept, fresh.queues
    return path


def restore(stores: Stores, place: Path) -> None:
    with stores.open(place) as home:
        bring_back(home, place.parent / "memory.backup", replace=True)


def fail_after(patch: pytest.MonkeyPatch, allowed: int, error: BaseException, *, lasting: bool = False) -> None:
    """Let one rename of a folder fail, or all from then on."""
    rename, calls = os.rename, 0

    def limited(source: Path, target: Path) -> None:
        nonlocal calls
        if Path(source).is_dir():
            calls += 1
            if calls == allowed + 1 or (lasting and calls > allowed):
                raise error
        rename(source, target)

    patch.setattr(os, "rename", limited)


@pytest.mark.parametrize("allowed", [0, 1])
def test_a_rename_that_fails_leaves_the_home_as_it_was(
    stores: Stores, place: Path, allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(place.parent.iterdir())
    with monkeypatch.context() as patch, pytest.raises(StoreError, match=r"No space.*nothing was changed"):
        fail_after(patch, allowed, OSError(28, "No space left on device"))
        restore(stores, place)
    assert (place / "mine.txt").read_text(encoding="utf-8") == "here before"
    assert sorted(place.parent.iterdir()) == before


def test_where_not_even_that_succeeds_the_old_one_is_named(
    stores: Stores, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, pytest.raises(StoreError, match="lies whole at") as raised:
        fail_after(patch, 1, OSError(5, "Input/output error"), lasting=True)
        restore(stores, place)
    [aside] = place.parent.glob("home.before-restore-*")
    assert str(aside) in str(raised.value)
    assert (aside / "mine.txt").exists()


def test_after_a_kill_between_the_two_whoever_finds_no_memory_is_told_of_the_old_one(
    stores: Stores, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On reading, and where a new one begins; a folder of that name that is no home is not told of."""
    with monkeypatch.context() as patch, pytest.raises(Killed):
        fail_after(patch, 1, Killed())
        restore(stores, place)
    [aside] = place.parent.glob("home.before-restore-*")
    place.with_name("home.before-restore-9999").mkdir()
    console = RecordingConsole()
    home = Home(place, named_by="--home", console=console)
    with pytest.raises(NotFound, match="A restore set one aside") as raised:
        home.require()
    assert str(aside) in str(raised.value)
    home.create()
    assert str(aside) in console.said[0]
