"""Makes one home's memory what another one's is: what is missing comes, what changed is replaced, what is gone goes.

Nothing is remembered of how far it came: a repetition looks at everything again and writes only what differs. So it
goes on after a kill at any point, and takes in what was written meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import TYPE_CHECKING

from hardwon.kernel.batches import batches
from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.ports import Noted
from hardwon.kernel.project_names import DOCUMENT as PROJECTS
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Problem
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.forgotten import DOCUMENT as FORGOTTEN
from hardwon.kernel.use_cases.moving.exporting import document_names, unreadable
from hardwon.kernel.use_cases.moving.scratch import Balance, Scratch

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.relation import Relation

AT_ONCE = 500
EVERYTHING = Filter(statuses=None)


class Copying:
    """From one home into another; the other one has no writer but this."""

    def __init__(self, source: Home, target: Home) -> None:
        self._source = source
        self._target = target
        self.problems: list[Problem] = []
        """What cannot be taken along and stays where it is."""

    def memories(self, advance: Callable[[int], None]) -> None:
        """Copy the memories and their former states; tell of each batch."""
        for entries in batches(self._source.storage.memories.scan(EVERYTHING), AT_ONCE):
            with self._operation("memories"):
                self._replace(entries)
                self._keep_versions([entry.id for entry in entries])
            advance(len(entries))
        for entries in batches(self._target.storage.memories.scan(EVERYTHING), AT_ONCE):
            here = self._source.storage.memories.get([entry.id for entry in entries])
            gone = [entry.id for entry in entries if entry.id not in here]
            self._target.storage.memories.delete(gone)

    def _replace(self, entries: Sequence[MemoryEntry]) -> None:
        there = self._target.storage.memories.get([entry.id for entry in entries])
        wanted = [entry for entry in entries if there.get(entry.id) != entry]
        wanted = [entry for entry in wanted if there.get(entry.id) != redacted(self._target.redactor, entry)[0]]
        # A change would leave the old state as a former one of the new store, where it was only on its way.
        self._target.storage.memories.delete([entry.id for entry in wanted if entry.id in there])
        self._target.storage.memories.put(wanted)

    def _keep_versions(self, ids: Sequence[str]) -> None:
        former = self._source.storage.memories.versions(ids)
        if former:
            known = {version.key for version in self._target.storage.memories.versions(ids)}
            self._target.storage.memories.keep_versions([each for each in former if each.key not in known])

    def relations(self) -> None:
        """Copy the edges, the retracted ones as retracted."""
        source, target = self._source.storage.memories, self._target.storage.memories
        with Balance() as edges:
            edges.add((edge.model_dump_json() for edge in source.edges()), 1)
            edges.add((edge.model_dump_json() for edge in target.edges()), -1)
            for lines in batches(edges.above(), AT_ONCE):
                with self._operation("links"):
                    self._relate(self._between_copied([_relation(line) for line in lines]))

    def _between_copied(self, edges: Sequence[Relation]) -> list[Relation]:
        """Return the edges whose memories are there; those of a memory written meanwhile come when it does."""
        there = self._target.storage.memories.get([id for edge in edges for id in (edge.source, edge.target)])
        return [edge for edge in edges if edge.source in there and edge.target in there]

    def _relate(self, edges: Sequence[Relation]) -> None:
        """Assert edges; where one was retracted since it was copied, retract it there."""
        target = self._target.storage.memories
        for edge in edges:
            if edge.retracted_at is not None:
                standing = [each for each in target.relations(edge.source) if each.key == edge.key]
                if any(each.asserted_at == edge.asserted_at for each in standing):
                    target.unrelate(standing, edge.retracted_at)
        target.relate(edges)

    def proposals(self) -> None:
        """Copy the proposals in any state, with what was noted on them."""
        known = dict(_noted(self._target))
        with self._operation("proposals"):
            for id, (proposal, notes) in _noted(self._source):
                if known.get(id) not in ((proposal, notes), redacted(self._target.redactor, (proposal, notes))[0]):
                    if isinstance(self._target.queue, Noted):
                        self._target.queue.annotate(proposal, notes)
                    else:
                        self._target.queue.settle(proposal)

    def decisions(self) -> None:
        """Copy the decisions."""
        known = {decision.id for decision in self._target.storage.ledger.decisions()}
        with self._operation("decisions"):
            for decision in self._source.storage.ledger.decisions():
                if decision.id not in known:
                    self._target.storage.ledger.decide(decision)

    def journal(self) -> None:
        """Copy the journal; what was taken back comes as taken back."""
        for blocks in batches(self._source.storage.journal.blocks(), AT_ONCE):
            with self._operation("turns"):
                self._target.storage.journal.keep(blocks)

    def documents(self) -> None:
        """Copy the lists of projects and of what was forgotten, and further documents; one that is no text stays."""
        self.problems[:] = unreadable(self._source)
        for name, text in copied_documents(self._source, self.problems):
            if self._target.storage.documents.read(name) != text:
                self._target.storage.documents.write(name, text, durable=True)

    def activity(self) -> None:
        """Append the activity that is missing, each line as often as it is there."""
        scratch = Scratch()
        try:
            scratch.count_lines(each.model_dump_json() for each in self._target.storage.ledger.activity())
            for some in batches(self._source.storage.ledger.activity(), AT_ONCE):
                fresh = [each for each in some if not scratch.take_line(each.model_dump_json())]
                if fresh:
                    self._target.storage.ledger.append(fresh)
        finally:
            scratch.close()

    def vectors(self) -> None:
        """Copy the embeddings of every space: making them again would take hours, or money."""
        source, target = self._source.storage.vectors, self._target.storage.vectors
        for space in source.spaces():
            for some in batches(source.walk(space), AT_ONCE):
                known = target.fetch(space, [key for key, _ in some])
                target.keep(space, {key: vector for key, vector in some if key not in known})

    def _operation(self, what: str) -> AbstractContextManager[None]:
        return self._target.storage.operation(f"Move {what} from {self._source.settings.store}")


def copied_documents(home: Home, problems: list[Problem]) -> Iterator[tuple[str, str]]:
    """Walk the documents that are copied as they are, name and text; those that are no text are problems."""
    for name in chain((PROJECTS, FORGOTTEN), document_names(home)):
        try:
            text = home.storage.documents.read(name)
        except UnreadableFile as error:
            problems.append(Problem(where=name, what=f"It is not taken along: {error}"))
            continue
        if text is not None:
            yield name, text


def _noted(home: Home) -> Iterator[tuple[str, tuple[Proposal, str]]]:
    queue = home.queue
    for proposal in queue.all():
        yield proposal.id, (proposal, queue.notes(proposal.id) if isinstance(queue, Noted) else "")


def _relation(line: str) -> Relation:
    from hardwon.kernel.relation import Relation

    return Relation.model_validate_json(line)
