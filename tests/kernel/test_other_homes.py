"""A memory elsewhere is told of, where none is found and where one begins: never an empty one in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import NotFound
from hardwon.kernel.home import Home
from hardwon.testing.fakes import RecordingConsole


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the home directory of a user with none of our variables."""
    for name in ("XDG_DATA_HOME", "HARDWON_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("variable", "place"),
    [
        ("HOME", ".local/share/hardwon"),
        ("HOME", "Library/Application Support/hardwon"),
        ("XDG_DATA_HOME", "hardwon"),
        ("HARDWON_HOME", ""),
    ],
)
def test_another_memory_is_told_of(user: Path, monkeypatch: pytest.MonkeyPatch, variable: str, place: str) -> None:
    """Where it usually lies, or where a variable says."""
    folder = user if variable == "HOME" else user / "elsewhere"
    monkeypatch.setenv(variable, str(folder))
    old = folder / place
    Home(old, named_by="--home").create()
    console = RecordingConsole()
    new = Home(user / "new", named_by="the platform's data folder", console=console)
    with pytest.raises(NotFound, match="There is a memory at"):
        new.require()
    new.create()
    (said,) = console.said
    assert str(old) in said


def test_a_first_memory_begins_without_a_word(user: Path) -> None:
    """And one that is there already, or was named on purpose, too."""
    console = RecordingConsole()
    home = Home(user / ".local" / "share" / "hardwon", named_by="the platform's data folder", console=console)
    home.create()
    home.create()
    Home(user / "on purpose", named_by="--home", console=console).create()
    assert console.said == []
