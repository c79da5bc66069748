"""Import of an archive: what an export wrote comes back with its ids, links and decisions, and only once.

What stands in the home already stays as it is there: an archive never overwrites a newer hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.proposal import LEFT_OUT, STOOD
from hardwon.kernel.query import Filter
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.forgotten import load_forgotten, save_forgotten, take_back, traces
from hardwon.kernel.use_cases.projects import load_projects, save_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision, Proposal
    from hardwon.kernel.records import Problem
    from hardwon.kernel.use_cases.archive import Archive


@dataclass(frozen=True)
class Restored:
    """What came of an archive."""

    taken: tuple[MemoryEntry, ...]
    known: int
    forgotten: int
    relations: int
    proposals: int
    decisions: int
    failed: tuple[Problem, ...]
    turns: int = 0
    """Blocks of the journal that were not here."""
    redacted: tuple[str, ...] = ()
    """The sorts of secrets that were left out of its memories."""


def restore(home: Home, archive: Archive, *, forgotten_too: bool = False, dry_run: bool = False) -> Restored:
    """Bring an archive into a home; what is there stays. `forgotten_too` takes back what was forgotten here."""
    forgotten = load_forgotten(home) if home.exists and not forgotten_too else set()
    wanted = [entry for entry in archive.memories if forgotten.isdisjoint(traces(entry))]
    left_out = {entry.id for entry in archive.memories} - {entry.id for entry in wanted}
    known = _known(home, wanted) if home.exists else {}
    cleaned = [redacted(home.redactor, entry) for entry in wanted if entry.id not in known]
    fresh = [entry for entry, _ in cleaned]
    secrets = tuple(sort for _, sorts in cleaned for sort in sorts)
    counts = (0, 0, 0)
    turns = 0
    if not dry_run:
        with home.storage.operation(f"Import an archive of {len(archive.memories)} memories"):
            home.storage.memories.put(fresh)
            names = known | {entry.id: entry.id for entry in fresh}
            counts = (
                _relate(home, archive, names),
                _propose(home, archive, names, left_out),
                _decide(home, archive, names),
            )
            turns = home.storage.journal.keep(archive.turns)
            _keep_lists(home, archive, wanted, forgotten_too=forgotten_too)
        _keep_activity(home, archive)
    return Restored(tuple(fresh), len(known), len(left_out), *counts, tuple(archive.failed), turns, secrets)


def _known(home: Home, entries: list[MemoryEntry]) -> dict[str, str]:
    """Return, for each memory that the home has, its id in the archive and its id here."""
    memories = home.storage.memories
    known = {id: id for id in memories.get([entry.id for entry in entries])}
    keys = tuple(entry.idempotency_key for entry in entries if entry.idempotency_key)
    standing = memories.scan(Filter(idempotency_keys=keys, statuses=None))
    by_key = {(each.scope.namespace, each.idempotency_key): each.id for each in standing}
    for entry in entries:
        here = by_key.get((entry.scope.namespace, entry.idempotency_key))
        if entry.idempotency_key and here:
            known.setdefault(entry.id, here)
    return known


def _relate(home: Home, archive: Archive, names: dict[str, str]) -> int:
    """Assert the edges whose ends are both here; return how many those are."""
    edges = [
        edge.model_copy(update={"source": names[edge.source], "target": names[edge.target]})
        for edge in archive.relations
        if edge.source in names and edge.target in names
    ]
    home.storage.memories.relate(edges)
    return len(edges)


def _propose(home: Home, archive: Archive, names: dict[str, str], left_out: set[str]) -> int:
    """Keep the proposals that are not here, of the memories as they are called here; return how many those are.

    The words of what was forgotten are left out.
    """
    known = {proposal.id for proposal in home.queue.all()}
    fresh = [proposal for proposal in archive.proposals if proposal.id not in known]
    for proposal in fresh:
        for id in left_out:
            proposal = proposal.without_words_of(id)
        home.queue.settle(_proposal_here(proposal, names))
    return len(fresh)


def _proposal_here(proposal: Proposal, names: dict[str, str]) -> Proposal:
    """Return a proposal whose lessons and rules have the ids by which this home knows them."""
    changes: dict[str, Any] = {
        field: tuple(each.model_copy(update={"id": names.get(each.id, each.id)}) for each in getattr(proposal, field))
        for field in ("instances", "against", "targets")
    }
    changes["parts"] = tuple(
        part.model_copy(update={"instances": tuple(names.get(id, id) for id in part.instances)})
        for part in proposal.parts
    )
    changes["metadata"] = dict(proposal.metadata)
    if proposal.left_out:
        changes["metadata"][LEFT_OUT] = [names.get(id, id) for id in proposal.left_out]
    if STOOD in proposal.metadata:
        changes["metadata"][STOOD] = _stood_here(proposal.metadata[STOOD], names)
    return proposal.model_copy(update=changes)


def _stood_here(stood: Mapping[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Return what an undo would put back, on the memories as they are called here."""
    return {
        name: {names.get(id, id): fields for id, fields in kept.items()}
        if isinstance(kept, Mapping)
        else [{**edge, **{end: names.get(edge[end], edge[end]) for end in ("source", "target")}} for edge in kept]
        for name, kept in stood.items()
    }


def _decide(home: Home, archive: Archive, names: dict[str, str]) -> int:
    """Keep the decisions that are not here, on the memories as they are called here; return how many those are."""
    known = {decision.id for decision in home.storage.ledger.decisions()}
    fresh = [decision for decision in archive.decisions if decision.id not in known]
    for decision in fresh:
        home.storage.ledger.decide(_decision_here(decision, names))
    return len(fresh)


def _decision_here(decision: Decision, names: dict[str, str]) -> Decision:
    """Return a decision whose rule and lessons have the ids by which this home knows them."""
    changes = {
        "rule": decision.rule and names.get(decision.rule, decision.rule),
        "revisions": {names.get(id, id): revision for id, revision in decision.revisions.items()},
        "targets": {names.get(id, id): revision for id, revision in decision.targets.items()},
        "groups": tuple(tuple(names.get(id, id) for id in group) for group in decision.groups),
    }
    return decision.model_copy(update=changes)


def _keep_lists(home: Home, archive: Archive, wanted: list[MemoryEntry], *, forgotten_too: bool) -> None:
    book = load_projects(home)
    aliases = {**archive.aliases, **book.aliases}
    if aliases != dict(book.aliases):
        save_projects(home, ProjectBook(aliases))
    if forgotten_too:
        take_back(home, wanted)
    before = load_forgotten(home)
    after = before | _not_alive(home, archive.forgotten - before)
    if after != before:
        save_forgotten(home, after)


def _not_alive(home: Home, found: set[str]) -> set[str]:
    """Return those traces that belong to no memory of this home."""
    if not found:
        return found
    everything = home.storage.memories.scan(Filter(statuses=None))
    return found.difference(trace for entry in everything for trace in traces(entry))


def _keep_activity(home: Home, archive: Archive) -> None:
    """Append what is not recorded yet, each as often as the archive has it."""
    recorded = Counter(each.model_dump_json() for each in home.storage.ledger.activity())
    missing = []
    for each in archive.activity:
        line = each.model_dump_json()
        if recorded[line]:
            recorded[line] -= 1
        else:
            missing.append(each)
    if missing:
        home.storage.ledger.append(missing)
