"""The review queue as Markdown documents, over whatever store keeps documents.

A pending proposal is `review-queue/<id>.md`; decided and withdrawn ones stand in `review-queue/decided/`. What a
document says counts, not where it lies: a crash between writing and moving leaves the right state behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Ambiguous, NotFound, UnreadableFile
from hardwon.kernel.proposal import DECIDED, Proposal, ProposalState
from hardwon.kernel.records import Problem
from hardwon.review_queue.document import Sheet, parse, render

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

FOLDER = "review-queue/"
DECIDED_FOLDER = "review-queue/decided/"


class MarkdownQueue:
    """A ReviewQueue of documents."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def add(self, proposals: Sequence[Proposal]) -> None:
        """Put proposals into the queue; what a person decided or wrote meanwhile stays."""
        broken = {_id_of(problem.where) for problem in self.problems()}
        for proposal in proposals:
            if proposal.id in broken:
                continue
            known = self._sheet(proposal.id)
            if known is None:
                self._write(Sheet(proposal, ""))
            elif known.proposal.state not in DECIDED:
                self._write(Sheet(proposal.worded_like(known.proposal), known.notes))

    def pending(self) -> list[Proposal]:
        """Return what awaits a decision, best first, with the person's edits taken in."""
        waiting = [each for each in self.all() if each.state is ProposalState.PENDING]
        return sorted(waiting, key=lambda each: (-each.confidence, each.id))

    def all(self) -> list[Proposal]:
        """Return every proposal that can be read."""
        return [sheet.proposal for sheet in self._sheets()]

    def find(self, prefix: str) -> Proposal:
        """Return the proposal with this id or unique prefix. Raises NotFound, Ambiguous, UnreadableFile."""
        ids = sorted({_id_of(name) for name in self._names()})
        fitting = [id for id in ids if prefix and id.startswith(prefix)]
        if prefix in ids:
            fitting = [prefix]
        if len(fitting) > 1:
            raise Ambiguous(
                f"“{prefix}” fits {len(fitting)} proposals ({', '.join(fitting[:4])}); write more of the id."
            )
        sheet = self._sheet(fitting[0]) if fitting else None
        if sheet is None:
            raise NotFound(f"No proposal has the id “{prefix[:40]}”; `hardwon review list` shows those that wait.")
        return sheet.proposal

    def settle(self, proposal: Proposal) -> None:
        """Store a proposal in its new state and put it where that state belongs."""
        known = self._sheet(proposal.id)
        self._write(Sheet(proposal, known.notes if known else ""))

    def problems(self) -> list[Problem]:
        """Return the documents that cannot be read, each with its reason."""
        found = []
        for name in self._names():
            try:
                self._read(name)
            except UnreadableFile as error:
                found.append(Problem(where=name, what=str(error)))
        return found

    def _names(self) -> list[str]:
        return [name for name in self._home.storage.documents.names(FOLDER) if name.endswith(".md")]

    def _read(self, name: str) -> Sheet | None:
        text = self._home.storage.documents.read(name)
        return None if text is None else parse(text, name, _id_of(name))

    def _sheets(self) -> Iterator[Sheet]:
        for name in self._names():
            try:
                sheet = self._read(name)
            except UnreadableFile:
                # It is one of `problems`, which every command reports.
                continue
            if sheet:
                yield sheet

    def _sheet(self, id: str) -> Sheet | None:
        return self._read(f"{FOLDER}{id}.md") or self._read(f"{DECIDED_FOLDER}{id}.md")

    def _write(self, sheet: Sheet) -> None:
        proposal = sheet.proposal
        storage = self._home.storage
        pending = proposal.state is ProposalState.PENDING
        place, other = (FOLDER, DECIDED_FOLDER) if pending else (DECIDED_FOLDER, FOLDER)
        named = (*proposal.instances, *proposal.against, *proposal.targets)
        references = {each.id: storage.reference(each.id) for each in named}
        text = render(proposal, references, sheet.notes)
        stands_at = next((folder for folder in (other, place) if self._exists(folder, proposal.id)), place)
        storage.documents.write(f"{stands_at}{proposal.id}.md", text)
        if stands_at != place:
            storage.documents.move(f"{stands_at}{proposal.id}.md", f"{place}{proposal.id}.md")

    def _exists(self, folder: str, id: str) -> bool:
        return self._home.storage.documents.read(f"{folder}{id}.md") is not None


def _id_of(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".md")
