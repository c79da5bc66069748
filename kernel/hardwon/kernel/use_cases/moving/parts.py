"""The parts of an archive that speak of memories, kept as this home calls those: edges, proposals, decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.batches import batches
from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.ports import Noted
from hardwon.kernel.proposal import LEFT_OUT, STOOD
from hardwon.kernel.records import Problem

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.journal import Known
    from hardwon.kernel.proposal import Decision, Proposal
    from hardwon.kernel.records import Activity
    from hardwon.kernel.relation import Relation
    from hardwon.kernel.use_cases.moving.restored import Restored
    from hardwon.kernel.use_cases.moving.scratch import Scratch

Names = Mapping[str, str | None]
_AT_ONCE = 500


class Parts:
    """Keeps the parts of one archive; what is here stays as it is."""

    def __init__(self, home: Home, scratch: Scratch, result: Restored) -> None:
        self._home = home
        self._storage = home.storage
        self._scratch = scratch
        self._result = result
        self._proposals: set[str] | None = None
        self._decisions: set[str] | None = None

    def keep(self, type: str, values: Sequence[Any]) -> None:
        """Keep values of one type, in the caller's operation."""
        keeps: Mapping[str, Callable[[Any], None]] = {
            "relation": self._relate,
            "proposal": self._propose,
            "decision": self._decide,
            "turn": self._journal,
            "document": self._write,
            "vector": self._embed,
        }
        keeps[type](values)

    def _relate(self, edges: Sequence[Relation]) -> None:
        """Assert the edges whose ends are both here, the retracted ones as retracted."""
        names = self._scratch.names(end for edge in edges for end in (edge.source, edge.target))
        named = [
            edge.model_copy(update={"source": names.get(edge.source, edge.source), "target": target})
            for edge in edges
            if names.get(edge.source, edge.source) and (target := names.get(edge.target, edge.target))
        ]
        try:
            self._storage.memories.relate(named)
        except NotFound:
            here = self._storage.memories.get([end for edge in named for end in (edge.source, edge.target)])
            named = [edge for edge in named if edge.source in here and edge.target in here]
            self._storage.memories.relate(named)
        self._result.relations += len(named)

    def _propose(self, given: Sequence[tuple[Proposal, str]]) -> None:
        """Keep the proposals that are not here; the words of what was forgotten are left out."""
        if self._proposals is None:
            self._proposals = {proposal.id for proposal in self._home.queue.all()}
        for proposal, notes in given:
            if proposal.id in self._proposals:
                continue
            try:
                self._settle(proposal, notes)
            except InvalidInput as error:
                self._result.failed.append(Problem(where=f"proposal {proposal.id}", what=str(error)))
            else:
                self._proposals.add(proposal.id)
                self._result.proposals += 1

    def _settle(self, proposal: Proposal, notes: str) -> None:
        """Keep one proposal. Raises InvalidInput for an id that cannot name it."""
        names = self._scratch.names(_mentioned(proposal))
        for id, here in names.items():
            proposal = proposal if here else proposal.without_words_of(id)
        here_called = _proposal_here(proposal, {id: here for id, here in names.items() if here})
        queue = self._home.queue
        if notes and isinstance(queue, Noted):
            queue.annotate(here_called, notes)
        else:
            queue.settle(here_called)

    def _decide(self, given: Sequence[Decision]) -> None:
        """Keep the decisions that are not here, on the memories as they are called here."""
        if self._decisions is None:
            self._decisions = {decision.id for decision in self._storage.ledger.decisions()}
        for decision in given:
            if decision.id not in self._decisions:
                names = self._scratch.names(_decided_on(decision))
                here_called = _decision_here(decision, {id: here for id, here in names.items() if here})
                self._storage.ledger.decide(here_called)
                self._decisions.add(decision.id)
                self._result.decisions += 1

    def _journal(self, blocks: Sequence[Known]) -> None:
        self._result.turns += self._storage.journal.keep(blocks)

    def _write(self, documents: Sequence[tuple[str, str]]) -> None:
        """Write the documents that are not here."""
        for name, text in documents:
            try:
                if self._storage.documents.read(name) is None:
                    self._storage.documents.write(name, text, durable=True)
                    self._result.documents += 1
            except InvalidInput as error:
                self._result.failed.append(Problem(where=name, what=str(error)))

    def _embed(self, vectors: Sequence[tuple[str, str, bytes]]) -> None:
        by_space: dict[str, dict[str, bytes]] = {}
        for space, key, vector in vectors:
            by_space.setdefault(space, {})[key] = vector
        for space, given in by_space.items():
            here = self._storage.vectors.fetch(space, list(given))
            fresh = {key: vector for key, vector in given.items() if key not in here}
            self._storage.vectors.keep(space, fresh)
            self._result.vectors += len(fresh)

    def keep_activity(self, records: Iterable[Activity]) -> None:
        """Append what is not recorded yet, each as often as it is given."""
        self._scratch.count_lines(each.model_dump_json() for each in self._storage.ledger.activity())
        for some in batches(records, _AT_ONCE):
            fresh = [each for each in some if not self._scratch.take_line(each.model_dump_json())]
            if fresh:
                self._storage.ledger.append(fresh)
                self._result.activity += len(fresh)


def _mentioned(proposal: Proposal) -> set[str]:
    """Return the ids of the memories that a proposal speaks of."""
    ids = {each.id for name in ("instances", "against", "targets") for each in getattr(proposal, name)}
    ids |= {id for part in proposal.parts for id in part.instances}
    ids |= set(proposal.left_out)
    for kept in dict(proposal.metadata.get(STOOD) or {}).values():
        ids |= set(kept) if isinstance(kept, Mapping) else {edge[end] for edge in kept for end in ("source", "target")}
    return ids


def _proposal_here(proposal: Proposal, names: Mapping[str, str]) -> Proposal:
    """Return a proposal whose lessons and rules have the ids by which this home knows them."""
    if not names:
        return proposal
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


def _stood_here(stood: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return what an undo would put back, on the memories as they are called here."""
    return {
        name: {names.get(id, id): fields for id, fields in kept.items()}
        if isinstance(kept, Mapping)
        else [{**edge, **{end: names.get(edge[end], edge[end]) for end in ("source", "target")}} for edge in kept]
        for name, kept in stood.items()
    }


def _decided_on(decision: Decision) -> set[str]:
    """Return the ids of the memories that a decision speaks of."""
    ids = {*decision.revisions, *decision.targets, *(id for group in decision.groups for id in group)}
    return ids | ({decision.rule} if decision.rule else set())


def _decision_here(decision: Decision, names: Mapping[str, str]) -> Decision:
    """Return a decision whose rule and lessons have the ids by which this home knows them."""
    changes = {
        "rule": decision.rule and names.get(decision.rule, decision.rule),
        "revisions": {names.get(id, id): revision for id, revision in decision.revisions.items()},
        "targets": {names.get(id, id): revision for id, revision in decision.targets.items()},
        "groups": tuple(tuple(names.get(id, id) for id in group) for group in decision.groups),
    }
    return decision.model_copy(update=changes)
