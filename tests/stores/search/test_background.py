"""A real process embeds in the background: it outlives its starter, survives being killed, and ends itself."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import background
from hardwon.kernel.background import OFF_VARIABLE, is_held
from hardwon.kernel.home import Home
from hardwon.kernel.registry import registry
from hardwon.kernel.use_cases.embedding import LOCK_FILE, embedding_progress
from hardwon.kernel.use_cases.embedding_process import start_embedding
from hardwon.testing.examples import memory

PLUGIN = """
import time
from hardwon.kernel.hookspecs import hookimpl
from hardwon.testing.fakes import FakeEmbedder

class Slow(FakeEmbedder):
    def embed(self, texts, role):
        time.sleep(0.01 * len(texts))
        return super().embed(texts, role)

@hookimpl
def register_embedders(register):
    register("slow", lambda settings: Slow())
"""


@pytest.fixture
def home(tmp_path: Path, install_plugin: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """Open a home of the files store whose embedder comes from a plugin outside of the repository."""
    install_plugin(tmp_path / "plugins", "slow-embedder", {"slow": "slow_embedder"}, {"slow_embedder": PLUGIN})
    monkeypatch.syspath_prepend(str(tmp_path / "plugins"))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "plugins"))
    monkeypatch.setenv("HARDWON_LOAD_PLUGINS", "slow")
    monkeypatch.delenv(OFF_VARIABLE, raising=False)
    registry.cache_clear()
    with Home(tmp_path / "home") as home:
        home.create()
        (home.path / "config.toml").write_text('embedder = "slow"\n', encoding="utf-8")
        yield home
        wait(lambda: not is_held(home.path / LOCK_FILE))
    registry.cache_clear()


def wait(done: Callable[[], bool]) -> None:
    """Wait until it is so, at most half a minute."""
    end = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_it_embeds_and_ends_itself(home: Home) -> None:
    home.storage.memories.put([memory(f"Memory number {number}.") for number in range(10)])
    assert start_embedding(home)
    wait(lambda: embedding_progress(home)["embedded"] == 10)
    wait(lambda: not is_held(home.path / LOCK_FILE))


def test_killed_half_way_the_next_one_goes_on(home: Home) -> None:
    """What was embedded until then is kept, and the lock is free."""
    home.storage.memories.put([memory(f"Memory number {number}.") for number in range(200)])
    start_embedding(home)
    wait(lambda: embedding_progress(home)["embedded"] >= 32)
    os.kill(background._started[-1], signal.SIGKILL)
    wait(lambda: not is_held(home.path / LOCK_FILE))
    kept = embedding_progress(home)["embedded"]
    assert 32 <= kept < 200
    assert start_embedding(home)
    wait(lambda: embedding_progress(home)["embedded"] == 200)
