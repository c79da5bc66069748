"""What a user can do with the store as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.stores.actions import reindex
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeStorage


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.create()
    (home.path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    return home


def test_reindex_says_how_many_memories_there_are_and_what_is_wrong(home: Home) -> None:
    with home:
        home.storage.memories.put([memory("One."), memory("Two.", status="archived")])
        report = reindex(home)
        assert (report.data, report.failed) == ({"memories": 2, "problems": []}, False)
        (home.path / "memory" / "rules").mkdir()
        (home.path / "memory" / "rules" / "broken.md").write_bytes(b"\0")
        report = reindex(home)
    assert report.failed
    assert report.data["memories"] == 2
    assert "broken.md:1" in report.data["problems"][0]["where"]
    assert "broken.md:1" in report.text


def test_a_store_without_an_index_needs_none_built(home: Home) -> None:
    """That is told, and is no failure: a script that runs it over every home goes on."""
    home.__dict__["storage"] = FakeStorage()
    report = reindex(home)
    assert "nothing needs to be done" in report.text
    assert (report.data, report.failed) == ({"memories": 0, "problems": []}, False)
