"""A person who runs `consolidate` is told all that it did, also where no proposal hangs on it."""

from __future__ import annotations

from pathlib import Path

from hardwon.generalizer.actions import consolidate
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock


def test_what_memories_are_to_others_is_told_and_where_it_is_asked(tmp_path: Path) -> None:
    with Home(tmp_path / "home", clock=FixedClock(MOMENT)) as home:
        home.create()
        (home.path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        assert "evidence" not in consolidate(home).text
        texts = (
            "We indent with tabs",
            "We indent with spaces",
            "Never log access tokens",
            "Access tokens must not be logged",
        )
        home.storage.memories.put([memory(text, "shop", kind=Kind.PREFERENCE) for text in texts])
        told = consolidate(home)
        assert told.data["unchanged"]
        assert "evidence for these: 1 memory." in told.text
        assert "Cannot hold beside others: 1 memory; `hardwon review list`" in told.text
        assert "Cannot hold" not in consolidate(home).text
