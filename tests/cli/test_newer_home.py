"""A home that a newer hardwon wrote is refused by every command, and not one byte of it changes."""

from __future__ import annotations

import hashlib
import shlex
from pathlib import Path

import pytest

from hardwon.cli.application import build_application
from hardwon.kernel.home import Home
from hardwon.kernel.registry import LIMIT_VARIABLE, registry
from hardwon.testing.examples import memory

WITHOUT_A_MEMORY = frozenset({"demo", "plugins", "concepts", "evaluate"})
"""Commands that open no home but their own, or none."""


def fingerprint(home: Path) -> dict[str, tuple[int, str]]:
    """Return what is in a folder, and when each was changed."""
    return {
        str(path.relative_to(home)): (
            path.stat().st_mtime_ns,
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
        )
        for path in sorted(home.rglob("*"))
    }


@pytest.fixture(scope="module")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home with a memory that says of itself that it is newer."""
    path = tmp_path_factory.mktemp("newer") / "home"
    with Home(path) as home:
        home.create()
        home.storage.memories.put([memory("Kept by a newer version.")])
    (path / "version").write_text("2\n", encoding="ascii")
    return path


def commands() -> list[str]:
    """Return the commands of the box; that they are asked for before any test runs leaves nothing loaded behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LIMIT_VARIABLE, "")
        return sorted(registry.__wrapped__().all("actions").keys() - WITHOUT_A_MEMORY)


@pytest.mark.parametrize("name", commands())
def test_a_newer_home_is_refused_untouched(
    newer: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Whatever the command, as its example has it; it says to upgrade."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "LESSONS.md").write_text("# Lessons\n", encoding="utf-8")
    (tmp_path / "lessons.jsonl").touch()
    (tmp_path / "docs").mkdir()
    before = fingerprint(newer)
    words = [*shlex.split(registry().all("actions")[name].example), "--home", str(newer)]
    application, _ = build_application(registry(), words)
    with pytest.raises(SystemExit) as ended:
        application(words, prog_name="hardwon")
    told = capsys.readouterr()
    assert fingerprint(newer) == before
    assert ended.value.code == 1, told.out
    assert "upgrade hardwon" in told.err.replace("\n", " "), told.err
