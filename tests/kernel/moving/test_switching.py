"""Between the old home and the restored one is no moment without any; where there is, the old one is found."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from hardwon.kernel.errors import NotFound, StoreError
from hardwon.kernel.exchange import exchange
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.moving import bringing_back
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


def fail_after(
    patch: pytest.MonkeyPatch, allowed: int, error: BaseException, *, lasting: bool = False, ending: bool = False
) -> None:
    """Let one rename of a folder fail, or all from then on; `ending` ends the process there as a kill does."""
    rename, calls = os.rename, 0

    def limited(source: Path, target: Path) -> None:
        nonlocal calls
        if Path(source).is_dir():
            calls += 1
            if calls == allowed + 1 or (lasting and calls > allowed):
                if ending:
                    os._exit(1)
                raise error
        rename(source, target)

    patch.setattr(os, "rename", limited)


@pytest.fixture
def cannot_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system be one that cannot exchange two folders in one step."""

    def refuse(_one: Path, _other: Path) -> None:
        raise OSError(errno.ENOTSUP, "Not supported")

    monkeypatch.setattr(bringing_back, "exchange", refuse)


ALONE = 2
"""Renames that find out that two folders cannot be exchanged: there and back."""


@pytest.mark.parametrize("allowed", range(5))
def test_a_kill_at_any_rename_leaves_a_home(stores: Stores, place: Path, allowed: int) -> None:
    """The old one or the new one, and nothing of the old one is lost."""
    (place.parent / "one").mkdir()
    try:
        exchange(place.parent / "one", place)
    except OSError:
        pytest.skip("this system cannot exchange two folders")
    exchange(place.parent / "one", place)
    child = os.fork()
    if child == 0:
        try:
            with pytest.MonkeyPatch.context() as patch:
                fail_after(patch, allowed, Killed(), ending=True)
                restore(stores, place)
        finally:
            os._exit(0)  # whatever happens, no second process goes on with the tests
    os.waitpid(child, 0)
    Home(place).require()
    assert len(list(place.parent.glob("home*/mine.txt"))) == 1


def test_what_cannot_be_exchanged_is_told_apart(tmp_path: Path) -> None:
    """That one is not there is no matter of the system."""
    (tmp_path / "one").mkdir()
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "one", tmp_path / "other")


def test_an_exchange_that_fails_leaves_the_home_as_it_was(
    stores: Stores, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_one: Path, _other: Path) -> None:
        raise OSError(5, "Input/output error")

    before = sorted(place.parent.iterdir())
    monkeypatch.setattr(bringing_back, "exchange", fail)
    with pytest.raises(StoreError, match=r"Input.*nothing was changed"):
        restore(stores, place)
    assert sorted(place.parent.iterdir()) == before


@pytest.mark.usefixtures("cannot_exchange")
@pytest.mark.parametrize("allowed", [0, ALONE, ALONE + 1])
def test_a_rename_that_fails_leaves_the_home_as_it_was(
    stores: Stores, place: Path, allowed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(place.parent.iterdir())
    with monkeypatch.context() as patch, pytest.raises(StoreError, match=r"No space.*nothing was changed"):
        fail_after(patch, allowed, OSError(28, "No space left on device"))
        restore(stores, place)
    assert (place / "mine.txt").read_text(encoding="utf-8") == "here before"
    assert sorted(place.parent.iterdir()) == before


@pytest.mark.usefixtures("cannot_exchange")
def test_where_not_even_that_succeeds_the_old_one_is_named(
    stores: Stores, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, pytest.raises(StoreError, match="lies whole at") as raised:
        fail_after(patch, ALONE + 1, OSError(5, "Input/output error"), lasting=True)
        restore(stores, place)
    [aside] = place.parent.glob("home.before-restore-*")
    assert str(aside) in str(raised.value)
    assert (aside / "mine.txt").exists()


@pytest.mark.usefixtures("cannot_exchange")
def test_after_a_kill_between_the_two_whoever_finds_no_memory_is_told_of_the_old_one(
    stores: Stores, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On reading, and where a new one begins; a folder of that name that is no home is not told of."""
    with monkeypatch.context() as patch, pytest.raises(Killed):
        fail_after(patch, ALONE + 1, Killed())
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
