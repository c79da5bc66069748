"""The home is found in a stated order, made for its owner alone, and left untouched by an older hardwon."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput, NewerFormat, NotFound, Unavailable
from hardwon.kernel.home import FORMAT_VERSION, VARIABLE, VERSION_FILE, Home, locate_home, platform_home
from hardwon.kernel.project_file import PROJECT_FILE
from hardwon.testing.fakes import FakeStorage, RecordingConsole, open_fake_home


@pytest.fixture
def nested(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder deep in a project whose file names a home; every other way to name one is open too."""
    monkeypatch.delenv(VARIABLE, raising=False)
    (tmp_path / PROJECT_FILE).write_text('home = "named/by-file"\n', encoding="utf-8")
    folder = tmp_path / "src" / "deep"
    folder.mkdir(parents=True)
    return folder


def test_the_option_wins(nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "variable"))
    assert locate_home(str(tmp_path / "option"), nested) == (tmp_path / "option", "--home")


def test_then_the_variable(nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "variable"))
    assert locate_home(None, nested) == (tmp_path / "variable", f"${VARIABLE}")


def test_then_the_nearest_project_file(nested: Path, tmp_path: Path) -> None:
    """What it names is meant from where the file lies; a nearer file hides one further up."""
    assert locate_home(None, nested) == (tmp_path / "named" / "by-file", str(tmp_path / PROJECT_FILE))
    (nested / PROJECT_FILE).write_text('home = "nearer"\n', encoding="utf-8")
    assert locate_home(None, nested)[0] == nested / "nearer"


def test_then_the_platform(nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a project file is there and names no home."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / PROJECT_FILE).write_text('project = "shop"\n', encoding="utf-8")
    assert locate_home(None, nested) == (platform_home(), "the platform's data folder")


def test_an_empty_variable_names_nothing(nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert locate_home(None, nested)[0] == tmp_path / "named" / "by-file"


def test_a_relative_data_folder_is_ignored(nested: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the specification of XDG has it: a memory must not depend on where one stands."""
    (tmp_path / PROJECT_FILE).unlink()
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.setenv("XDG_DATA_HOME", "relative/data")
    assert locate_home(start=nested)[0].is_relative_to(tmp_path / "user")


def test_where_nobody_knows_the_home_directory_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, nested: Path) -> None:
    """As in a container under a number that no user has, and for a user who is not there."""
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setenv("XDG_DATA_HOME", "")
    (nested.parent.parent / PROJECT_FILE).unlink()
    with pytest.raises(InvalidInput, match="full path"):
        locate_home(start=nested)
    with pytest.raises(InvalidInput, match="~nobody-here"):
        locate_home("~nobody-here/memory")


def test_an_empty_home_is_not_taken_for_the_usual_one(nested: Path) -> None:
    """A script whose variable is empty must not write into somebody's own memory."""
    with pytest.raises(InvalidInput, match="--home names no folder"):
        locate_home("", nested)
    assert locate_home("/memory")[0] == Path("/memory")


def test_a_broken_project_file_is_named(nested: Path, tmp_path: Path) -> None:
    (tmp_path / PROJECT_FILE).write_text("home = \n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=PROJECT_FILE):
        locate_home(None, nested)


def test_a_home_is_its_owners_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "a" / "home")
    assert not home.exists
    home.create()
    assert home.exists
    assert stat.S_IMODE((tmp_path / "a" / "home").stat().st_mode) == 0o700


def test_creating_again_changes_nothing(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.create()
    (tmp_path / "kept").write_text("x", encoding="utf-8")
    home.create()
    assert (tmp_path / "kept").read_text(encoding="utf-8") == "x"


def test_a_home_that_is_being_made_is_never_seen_half_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its version is there whole or not at all: another process may look, and this one may be killed, at any moment.

    The file is on disk before it has its name, and so is the name before anything else is done.
    """
    seen: list[str | None] = []
    version = tmp_path / "home" / VERSION_FILE

    def look(descriptor: int) -> None:
        seen.append(version.read_text(encoding="ascii") if version.exists() else None)

    monkeypatch.setattr(os, "fsync", look)
    Home(tmp_path / "home").create()
    assert seen == [None, f"{FORMAT_VERSION}\n"]
    assert [path.name for path in (tmp_path / "home").iterdir()] == [VERSION_FILE]


def test_reading_never_makes_a_home(tmp_path: Path) -> None:
    home = Home(tmp_path / "none", named_by="--home")
    with pytest.raises(NotFound, match=r"named by --home.*hardwon init"):
        _ = home.storage
    assert not (tmp_path / "none").exists()


def test_a_newer_format_is_refused_and_untouched(tmp_path: Path) -> None:
    (tmp_path / VERSION_FILE).write_text(f"{FORMAT_VERSION + 1}\n", encoding="ascii")
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    home = Home(tmp_path)
    for act in (home.create, home.require, lambda: home.storage):
        with pytest.raises(NewerFormat, match="upgrade hardwon"):
            act()
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("content", [b"", b"one", b"\xff\xfe1"])
def test_a_broken_version_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / VERSION_FILE).write_bytes(content)
    with pytest.raises(InvalidInput, match=VERSION_FILE):
        Home(tmp_path).require()


def test_a_home_opens_each_part_once_and_closes_what_it_opened(tmp_path: Path) -> None:
    storage = FakeStorage()
    with open_fake_home(tmp_path, storage=storage) as home:
        assert home.storage is home.storage
        assert home.queue is home.queue
        assert home.storage.problems() == storage.problems()
        assert not storage.closed
    assert storage.closed
    home.close()


def test_a_home_that_opened_nothing_closes(tmp_path: Path) -> None:
    storage = FakeStorage()
    with open_fake_home(tmp_path, storage=storage):
        pass
    assert not storage.closed


def test_without_an_embedder_the_setting_says_so_or_the_machine_does(tmp_path: Path) -> None:
    with open_fake_home(tmp_path, embedder=None) as home, pytest.raises(Unavailable):
        _ = home.embedder
    (tmp_path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    with open_fake_home(tmp_path) as home:
        assert home.embedder is None


def test_nobody_is_there_unless_somebody_is(tmp_path: Path) -> None:
    """A home without a console asks nobody and takes no for the answer."""
    silent = Home(tmp_path).console
    silent.say("anything")
    with silent.track("work", 3) as advance:
        advance(3)
    assert not silent.confirm("Really?")
    console = RecordingConsole(answer=True)
    assert Home(tmp_path, console=console).console.confirm("Really?")
    assert console.asked == ["Really?"]
