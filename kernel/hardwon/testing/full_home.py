"""A home with one of everything, for tests of what has to carry all of it: archives, backups, other stores."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Status
from hardwon.kernel.ports import Noted
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.records import Activity
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.embedding import to_bytes
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

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def fill(home: Home) -> None:
    """Put memories of every status, links that stand and that do not, proposals, decisions and all else into a home."""
    _fill_memories(home)
    _fill_queue(home)
    storage = home.storage
    storage.ledger.decide(complete_decision())
    shown = Activity(kind="shown", at=MOMENT, details={"score": 0.5})
    storage.ledger.append([shown, shown, Activity(kind="embed", at=MOMENT)])
    storage.journal.write([entry(turn("t-1")), entry(turn("t-2", "s-2"), taken_by="import-1")])
    storage.journal.retract(MOMENT, session="s-2")
    storage.documents.write("notes/of-mine.md", "My own words: 我自己的话。\n")
    save_projects(home, ProjectBook({"acme/shop": "shop"}))
    storage.vectors.keep("model@1", {"key": to_bytes([0.6, 0.8])})


def _fill_memories(home: Home) -> None:
    memories = home.storage.memories
    lessons, complete = related_lessons(), complete_memory()
    old = memory("an old truth", "shop", status=Status.ARCHIVED)
    gone = memory("a wrong idea", "shop", idempotency_key="import:gone")
    memories.put([complete, *lessons, old, gone])
    edge = Relation(source=lessons[0].id, kind=RelationKind.SUPERSEDES, target=old.id, asserted_at=MOMENT, note="新")
    undone = Relation(source=old.id, kind=RelationKind.CONTRADICTS, target=lessons[2].id, asserted_at=MOMENT)
    near = Relation(source=lessons[1].id, kind=RelationKind.RELATES_TO, target=lessons[2].id, asserted_at=MOMENT)
    memories.relate([edge, undone, near])
    memories.unrelate([undone], MOMENT + timedelta(days=1))
    for words in ("an old truth, corrected", "an old truth"):
        memories.update(old.id, {"content": words})
    memories.update(complete.id, {"importance": 1.0})
    forget(home, gone)


def _fill_queue(home: Home) -> None:
    """Put one proposal that waits and one that was rejected into the queue, with a note where it has notes."""
    home.queue.add([complete_proposal()])
    rejected = complete_proposal(state=ProposalState.REJECTED)
    home.queue.add([rejected])
    if isinstance(home.queue, Noted):
        home.queue.annotate(rejected, "Not now.\n\nAsk in June.")
