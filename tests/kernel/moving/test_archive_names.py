"""What an archive says of a memory is meant of that memory, under whatever id this home knows it."""

from __future__ import annotations

from pathlib import Path

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Status
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.kernel.use_cases.review import accept, undo
from hardwon.testing.examples import (
    MOMENT,
    complete_decision,
    complete_memory,
    complete_proposal,
    instance,
)
from hardwon.testing.fakes import open_fake_home
from hardwon.testing.rule_changes import retire

from .conftest import added, export, values


def test_links_find_what_was_imported_here_under_another_id(home: Home, tmp_path: Path) -> None:
    """The same import was made on two machines."""
    archive = export(home, tmp_path / "a.jsonl")
    other = open_fake_home(tmp_path / "other")
    here = complete_memory().model_copy(update={"id": "0" * 18})
    other.storage.memories.put([here])
    there, target = find_memory(home, "ticket-17"), values(archive, "relation")[0].source
    edge = Relation(source=there.id, kind=RelationKind.RELATES_TO, target=target, asserted_at=MOMENT)
    restore(other, added(archive, ("relation", edge)))
    assert [edge.source for edge in other.storage.memories.relations(here.id)] == [here.id]


def test_proposals_and_decisions_find_what_was_imported_here_under_another_id(home: Home, tmp_path: Path) -> None:
    """Lessons for and against, the rule that was written, and the revisions that were decided on."""
    there = find_memory(home, "ticket-17")
    proposed = complete_proposal(id="k3m9q2x7ab", instances=(instance(there),), against=(instance(there),))
    decided = complete_decision("k3m9q2x7ab", rule=there.id, revisions={there.id: there.revision, "elsewhere": "r1"})
    archive = export(home, tmp_path / "a.jsonl")
    archive = added(archive, ("proposal", proposed), ("decision", decided))
    other = open_fake_home(tmp_path / "other")
    here = complete_memory().model_copy(update={"id": "0" * 18})
    other.storage.memories.put([here])

    restore(other, archive)

    proposal = other.queue.find("k3m9q2x7ab")
    assert [each.id for each in (*proposal.instances, *proposal.against)] == [here.id, here.id]
    (decision,) = other.storage.ledger.decisions("k3m9q2x7ab")
    assert decision.rule == here.id
    assert decision.revisions == {here.id: there.revision, "elsewhere": "r1"}


def test_what_was_restored_can_be_undone_though_its_rule_has_another_id_here(home: Home, tmp_path: Path) -> None:
    """What stood before a decision goes by the ids of the home that it is in."""
    change = retire(home)
    accept(home, change, by="ada")
    (rule_there,) = home.storage.memories.get([change.targets[0].id]).values()
    archive = export(home, tmp_path / "a.jsonl")
    other = open_fake_home(tmp_path / "other")
    (here,) = other.storage.memories.put([rule_there.model_copy(update={"id": "0" * 18})])

    restore(other, archive)
    undo(other, other.queue.find(change.id), by="ada")

    assert other.storage.memories.get([here.id])[here.id].status is Status.ACTIVE


def test_former_states_stay_with_a_memory_that_has_another_id_here(home: Home, tmp_path: Path) -> None:
    """Where it is the same in all else; where it went another way here, they were never believed here."""
    archive = export(home, tmp_path / "a.jsonl")
    there = find_memory(home, "ticket-17")
    for words, expected in ((there.content, 1), ("Something else.", 0)):
        other = open_fake_home(tmp_path / f"other-{expected}")
        other.storage.memories.put([there.model_copy(update={"id": "0" * 18, "content": words})])
        restore(other, archive)
        former = other.storage.memories.versions(["0" * 18])
        assert [(each.memory, each.entry.id) for each in former] == [("0" * 18, "0" * 18)] * expected


def test_two_memories_of_one_idempotency_key_in_an_archive_are_one(home: Home, tmp_path: Path) -> None:
    """Two homes' archives were joined; what speaks of either speaks of the one that is kept."""
    archive = export(home, tmp_path / "a.jsonl")
    there, source = find_memory(home, "ticket-17"), values(archive, "relation")[0].source
    twin = there.model_copy(update={"id": "z" * 18})
    edge = Relation(source=source, kind=RelationKind.RELATES_TO, target=twin.id, asserted_at=MOMENT)
    other = open_fake_home(tmp_path / "other")
    restore(other, added(archive, ("memory", twin), ("relation", edge)))
    assert source in {each.source for each in other.storage.memories.relations(there.id)}
