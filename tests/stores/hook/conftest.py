"""A home with the hook program in it; of the files store, unless a test file names another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import MemoryEntry, Times
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Scope
from hardwon.testing.wired_home import WiredHome

SHOP, BLOG = "example.org/team/shop", "example.org/team/blog"
LEARNED = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Place:
    """An open home and an agent that works in the project SHOP."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        self.wired = WiredHome.of(home, folder)

    def keep(self, content: str, project: str | None = SHOP, **fields: Any) -> MemoryEntry:
        """Remember something."""
        entry = self.made(content, project, **fields)
        self.home.storage.memories.put([entry])
        return entry

    def made(self, content: str, project: str | None = SHOP, **fields: Any) -> MemoryEntry:
        """Return something to remember."""
        times = fields.pop("times", Times(asserted_at=LEARNED))
        scope = Scope(project=project, **fields.pop("scope", {}))
        return MemoryEntry(id=new_id(times.asserted_at), content=content, scope=scope, times=times, **fields)

    def link(self, source: MemoryEntry, kind: RelationKind, target: MemoryEntry) -> None:
        """Relate two memories."""
        edge = Relation(source=source.id, kind=kind, target=target.id, asserted_at=LEARNED + timedelta(days=1))
        self.home.storage.memories.relate([edge])

    def told(self, prompt: str, session: str = "s1", **fields: Any) -> str:
        """Return what a prompt is answered with."""
        return self.wired.said(self.wired.event("Prompt", prompt=prompt, session={"id": session}, **fields))

    def at_start(self, session: str = "s1", source: str = "startup") -> str:
        """Return what a session is told at its start."""
        return self.wired.said(self.wired.event("Start", source=source, session={"id": session}))

    def last_error(self) -> str:
        """Return what broke in the program last; empty where nothing did."""
        path = self.home.path / "hook" / "last-error"
        return path.read_text(encoding="utf-8") if path.exists() else ""


def repository(folder: Path, name: str) -> Path:
    """Make a folder a clone of a project of our team."""
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (git / "config").write_text(f'[remote "origin"]\n\turl = git@example.org:team/{name}.git\n', encoding="utf-8")
    return folder


@pytest.fixture
def store() -> str:
    """Return the name of the store of the home."""
    return "files"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: str) -> Iterator[Place]:
    """Return a home without an embedder, and an agent in a project."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    (tmp_path / "user").mkdir()
    with Home(tmp_path / "home") as home:
        home.create()
        (home.path / "config.toml").write_text(f'store = "{store}"\nembedder = "none"\n', encoding="utf-8")
        made = Place(home, repository(tmp_path / "shop", "shop"))
        yield made
        assert made.last_error() == ""
