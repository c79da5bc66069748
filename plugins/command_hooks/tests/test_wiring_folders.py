"""The folders that wiring made go with it, and no others; what names a file goes before the file."""

from __future__ import annotations

from pathlib import Path

from hardwon_command_hooks.wired_files import OwnFile
from hardwon_command_hooks.wiring import Wiring


def wiring(folder: Path) -> Wiring:
    skills = folder / "skills"
    return Wiring("some", [OwnFile(skills / "a" / "SKILL.md", "a"), OwnFile(skills / "b.md", "b")])


def test_folders_that_were_made_are_removed(tmp_path: Path) -> None:
    """Also those between, and also when the second wiring had nothing left to make."""
    settings, home = tmp_path / "settings", tmp_path / "home"
    wiring(settings).install(home)
    (settings / "skills" / "b.md").unlink()
    wiring(settings).install(home)
    wiring(settings).uninstall(home)

    assert not settings.exists()


def test_folders_of_the_user_stay(tmp_path: Path) -> None:
    """Those that were there before, though empty, and those that somebody keeps something in."""
    settings, home = tmp_path / "settings", tmp_path / "home"
    settings.mkdir()
    wiring(settings).install(home)
    (settings / "skills" / "mine.md").write_text("mine", encoding="utf-8")
    wiring(settings).uninstall(home)

    assert [path.name for path in settings.rglob("*")] == ["skills", "mine.md"]
    (settings / "skills" / "mine.md").unlink()
    wiring(settings).install(home)
    wiring(settings).uninstall(home)
    assert list(settings.iterdir()) == [settings / "skills"]


def test_what_was_wired_first_is_taken_out_last(tmp_path: Path) -> None:
    """A file that names another must not stand alone if the work is broken off."""
    settings, home = tmp_path / "settings", tmp_path / "home"
    written = wiring(settings).install(home)
    removed = wiring(settings).uninstall(home)

    assert [line.split()[1] for line in removed] == [line.split()[1] for line in reversed(written)]
