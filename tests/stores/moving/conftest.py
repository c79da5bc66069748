"""Homes with one of everything, in the stores of the box."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.embedding import to_bytes
from hardwon.kernel.use_cases.moving.exporting import archive_lines
from hardwon.kernel.use_cases.projects import save_projects
from hardwon.kernel.use_cases.remembering import forget
from hardwon.testing.conformance.journal import entry, turn
from hardwon.testing.examples import (
    MOMENT,
    complete_decision,
    complete_memory,
    complete_proposal,
    memory,
    related_lessons,
)


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
        _fill(home)
    return path


def _fill(home: Home) -> None:
    storage = home.storage
    lessons, complete = related_lessons(), complete_memory()
    old = memory("an old truth", "shop", status=Status.ARCHIVED)
    linking = memory(f"This is like [[{lessons[3].id}]].", "bank")
    gone = memory("a wrong idea", "shop", idempotency_key="import:gone")
    storage.memories.put([complete, *lessons, old, linking, gone])
    edge = Relation(source=lessons[0].id, kind=RelationKind.SUPERSEDES, target=old.id, asserted_at=MOMENT, note="新")
    undone = Relation(source=old.id, kind=RelationKind.CONTRADICTS, target=lessons[2].id, asserted_at=MOMENT)
    storage.memories.relate([edge, undone])
    storage.memories.unrelate([undone], MOMENT + timedelta(days=1))
    storage.memories.relate([undone.model_copy(update={"asserted_at": MOMENT + timedelta(days=2)})])
    for words in ("an old truth, corrected", "an old truth"):
        storage.memories.update(old.id, {"content": words})
    storage.memories.update(complete.id, {"importance": 1.0})
    storage.documents.write("notes/of-mine.md", "My own words: 我自己的话。\n")
    home.queue.add([complete_proposal()])
    settled = complete_proposal(state=ProposalState.REJECTED)
    home.queue.add([settled])
    home.queue.annotate(settled, "Not now.\n\nAsk in June.")  # type: ignore[attr-defined]
    storage.ledger.decide(complete_decision())
    shown = Activity(kind="shown", at=MOMENT, memory=old.id, details={"score": 0.5})
    storage.ledger.append([shown, shown, Activity(kind="embed", at=MOMENT)])
    save_projects(home, ProjectBook({"acme/shop": "shop"}))
    storage.journal.write([entry(turn("t-1")), entry(turn("t-2", "s-2"), taken_by="import-1")])
    storage.journal.retract(MOMENT, session="s-2")
    storage.vectors.keep("model@1", {"key": to_bytes([0.6, 0.8])})
    forget(home, gone)
