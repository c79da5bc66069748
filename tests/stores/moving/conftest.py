"""Homes with one of everything, in the stores of the box."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.testing.examples import (
    memory,
)
from hardwon.testing.full_home import fill


def everything(path: Path) -> list[str]:
    """Return the archive of a home."""
    with Home(path) as home:
        problems: list[Problem] = []
        lines = list(archive_lines(home, problems, vectors=True))
        assert not problems
        return lines


@pytest.fixture
def files_home(tmp_path: Path) -> Path:
    """Return a home of files that holds one of everything."""
    path = tmp_path / "home"
    with Home(path) as home:
        home.create()
        (path / "config.toml").write_text('# no model is loaded\nembedder = "none"\n', encoding="utf-8")
        fill(home)
        undone = next(edge for edge in home.storage.memories.edges() if edge.retracted_at)
        again = {"asserted_at": undone.asserted_at + timedelta(days=9), "retracted_at": None}
        home.storage.memories.relate([undone.model_copy(update=again)])
        home.storage.memories.put([memory(f"This is like [[{undone.target}]].", "bank")])
    return path
