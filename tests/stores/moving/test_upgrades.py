"""Homes of every former format (tests/data/homes, made by the code of then): rehearsed untouched, and opened whole."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.moving.rehearsing import rehearse
from hardwon.kernel.use_cases.projects import load_projects

HOMES = Path(__file__).parents[2] / "data" / "homes"
FORMATS = sorted(path.name.removesuffix(".tar.gz").removeprefix("index-") for path in HOMES.glob("index-*.tar.gz"))


@pytest.fixture(params=FORMATS)
def former(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a home as a former version left it."""
    path = tmp_path / "home"
    path.mkdir(mode=0o700)
    with tarfile.open(HOMES / f"index-{request.param}.tar.gz") as tar:
        tar.extractall(path, filter="data")
    return path


def looked_at(home: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return every file with its time and content."""
    return {
        str(path): (path.lstat().st_mtime_ns, path.lstat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in sorted(home.rglob("*"))
    }


def test_the_upgrade_is_rehearsed_and_nothing_touched(former: Path, request: pytest.FixtureRequest) -> None:
    """Counts before and after, the format that is found, and what cannot be read."""
    before = looked_at(former)
    with Home(former) as home:
        found = rehearse(home)
    assert looked_at(former) == before
    (format,) = found.formats.values()
    assert format in request.node.callspec.id
    assert found.before["memories in index.sqlite"] == 4
    assert found.before["files in digest/"] == 4
    assert {part: found.after[part] for part in ("memories", "links", "proposals", "decisions", "activity")} == {
        "memories": 5,  # one of them a former state
        "links": 2,
        "proposals": 1,
        "decisions": 1,
        "activity": 1,
    }
    (problem,) = found.problems
    assert problem.where.startswith(str(former / "memory" / "digest" / "shop" / "broken.md"))


def test_everything_of_a_former_home_is_there(former: Path) -> None:
    """What could not be read is byte for byte what it was."""
    broken = (former / "memory" / "digest" / "shop" / "broken.md").read_bytes()
    with Home(former) as home:
        entries = list(home.storage.memories.scan(Filter(statuses=None)))
        assert [entry.status for entry in entries] == [Status.ACTIVE] * 3 + [Status.ARCHIVED]
        assert entries[3].metadata == {"mine": [1, "two", None]}
        assert [edge.retracted_at is None for edge in home.storage.memories.edges()] == [True, False]
        assert [version.entry.importance for version in home.storage.memories.versions([entries[2].id])] == [0.5]
        assert [proposal.rule for proposal in home.queue.all()] == ["Write aside."]
        assert [decision.by for decision in home.storage.ledger.decisions()] == ["ada"]
        assert load_projects(home).aliases == {"acme/shop": "shop"}
        home.storage.memories.update(entries[0].id, {"importance": 1.0})
    assert (former / "memory" / "digest" / "shop" / "broken.md").read_bytes() == broken
