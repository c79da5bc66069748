"""The review queue as Markdown documents, over whatever store keeps documents.

A pending proposal is `review-queue/<id>.md`; decided and withdrawn ones stand in `review-queue/decided/`. What a
document says counts, not where it lies: a crash between writing and moving leaves the right state behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput, UnreadableFile
from hardwon.kernel.proposal import ProposalState
from hardwon.kernel.records import Problem
from hardwon.review_queue.document import parse, references_of, render
from hardwon.review_queue.sheets import Sheet, SheetQueue

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

FOLDER = "review-queue/"
DECIDED_FOLDER = "review-queue/decided/"


class MarkdownQueue(SheetQueue):
    """A ReviewQueue of documents."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def owns(self, name: str) -> bool:
        """Tell whether a document is one of the queue's own."""
        return name.startswith(FOLDER) and name.endswith(".md")

    def problems(self) -> list[Problem]:
        """Return the documents that cannot be read, each with its reason."""
        found = []
        for name in self._names():
            try:
                self._read(name)
            except UnreadableFile as error:
                found.append(Problem(where=name, what=str(error)))
        return found

    def _broken_ids(self) -> set[str]:
        return {_id_of(problem.where) for problem in self.problems()}

    def _ids(self) -> list[str]:
        return sorted({_id_of(name) for name in self._names()})

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
        if "/" in proposal.id:
            raise InvalidInput(f"“{proposal.id[:80]}” cannot be the id of a proposal; use letters, digits, - and _.")
        storage = self._home.storage
        pending = proposal.state is ProposalState.PENDING
        place, other = (FOLDER, DECIDED_FOLDER) if pending else (DECIDED_FOLDER, FOLDER)
        text = render(proposal, references_of(storage, proposal), sheet.notes)
        known_at = next((folder for folder in (other, place) if self._exists(folder, proposal.id)), None)
        stands_at = known_at or place
        # A new proposal can be made again; what is decided, reworded or noted on one that stands, only a person can.
        storage.documents.write(f"{stands_at}{proposal.id}.md", text, durable=known_at is not None or not pending)
        if stands_at != place:
            storage.documents.move(f"{stands_at}{proposal.id}.md", f"{place}{proposal.id}.md")

    def _exists(self, folder: str, id: str) -> bool:
        return self._home.storage.documents.read(f"{folder}{id}.md") is not None


def _id_of(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".md")
