"""Embedding in the background happens once at a time, leaves nothing out, and can be turned off."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hardwon.kernel import background
from hardwon.kernel.background import OFF_VARIABLE, is_held
from hardwon.kernel.errors import Unavailable
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Role
from hardwon.kernel.use_cases import embedding_process
from hardwon.kernel.use_cases.embedding import LOCK_FILE, embedding_progress
from hardwon.kernel.use_cases.embedding_process import WANTED_FILE, embed_in_background, start_embedding
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeEmbedder, open_fake_home


@pytest.fixture
def held(tmp_path: Path) -> Iterator[None]:
    """Be the process that embeds for this home."""
    descriptor = os.open(tmp_path / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield
    os.close(descriptor)


@pytest.fixture
def spawned(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the command lines that would have been started."""
    commands: list[list[str]] = []

    def spawn(_program: str, command: list[str], _environment: object, **_options: object) -> int:
        commands.append(command)
        return os.getpid()

    monkeypatch.setattr(os, "posix_spawn", spawn)
    monkeypatch.setattr(background, "_started", [])
    monkeypatch.delenv(OFF_VARIABLE, raising=False)
    return commands


def want(home: Home) -> None:
    (home.path / WANTED_FILE).touch()


def test_it_embeds_all_and_tells_the_ledger(tmp_path: Path) -> None:
    with open_fake_home(tmp_path) as home:
        home.storage.memories.put([memory("One."), memory("Two.")])
        want(home)
        embed_in_background(home)
        assert embedding_progress(home) == {"embedded": 2, "total": 2, "space": "fake-1", "running": False}
        [record] = home.storage.ledger.activity("embed")
        assert record.details == {"embedded": 2}


def test_what_is_written_meanwhile_is_embedded_too(tmp_path: Path) -> None:
    """The writer finds the process at work and only leaves its note."""

    class Interrupted(FakeEmbedder):
        """A memory is written while the first is being embedded."""

        def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
            if "Second." not in late:
                late.append("Second.")
                home.storage.memories.put([memory("Second.")])
                want(home)
            return super().embed(texts, role)

    late: list[str] = []
    with open_fake_home(tmp_path, embedder=Interrupted()) as home:
        home.storage.memories.put([memory("First.")])
        want(home)
        embed_in_background(home)
        assert embedding_progress(home)["embedded"] == 2


def test_there_are_never_two(tmp_path: Path, held: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_process, "PAUSE", 0.0)
    embedder = FakeEmbedder()
    with open_fake_home(tmp_path, embedder=embedder) as home:
        home.storage.memories.put([memory("One.")])
        want(home)
        embed_in_background(home)
        assert embedder.embedded == []
        assert is_held(tmp_path / LOCK_FILE)
        assert (tmp_path / WANTED_FILE).exists()


def test_a_failure_is_recorded_and_not_repeated_for_ever(tmp_path: Path) -> None:
    """The next write tries again."""

    class Failing(FakeEmbedder):
        def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
            self.embedded.append("asked")
            raise Unavailable("The provider is away; try again later.")

    embedder = Failing()
    with open_fake_home(tmp_path, embedder=embedder) as home:
        home.storage.memories.put([memory("One.")])
        want(home)
        embed_in_background(home)
        [record] = home.storage.ledger.activity("embed")
    assert record.details == {"error": "The provider is away; try again later."}
    assert embedder.embedded == ["asked"]


def test_a_process_is_started_apart_from_this_one(tmp_path: Path, spawned: list[list[str]]) -> None:
    with open_fake_home(tmp_path) as home:
        assert start_embedding(home)
    [command] = spawned
    assert command[-1] == str(tmp_path)
    assert "-P" in command


def test_none_is_started_while_one_is_at_work(tmp_path: Path, spawned: list[list[str]], held: None) -> None:
    with open_fake_home(tmp_path) as home:
        assert not start_embedding(home)
    assert spawned == []
    assert (tmp_path / WANTED_FILE).exists()


def test_a_machine_that_starts_no_more_processes_is_no_error(
    tmp_path: Path, spawned: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written stands; the note on disk lets the next writer try again."""

    def refuse(*_: object, **__: object) -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "posix_spawn", refuse)
    with open_fake_home(tmp_path) as home:
        assert not start_embedding(home)
    assert (tmp_path / WANTED_FILE).exists()


def test_it_can_be_turned_off(tmp_path: Path, spawned: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OFF_VARIABLE, "1")
    with open_fake_home(tmp_path) as home:
        assert not start_embedding(home)
    assert spawned == []


def test_nothing_is_started_where_no_embedder_is_wanted(tmp_path: Path, spawned: list[list[str]]) -> None:
    (tmp_path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    with open_fake_home(tmp_path) as home:
        assert not start_embedding(home)
    assert spawned == []


def test_progress_is_told_where_nothing_can_embed(tmp_path: Path) -> None:
    with open_fake_home(tmp_path, embedder=None) as home:
        home.storage.memories.put([memory("One.")])
        progress = embedding_progress(home)
    assert (progress["embedded"], progress["total"], progress["space"]) == (0, 1, None)
    assert progress["reason"] == "There is no embedder here; search by words alone."
