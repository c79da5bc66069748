"""A review queue of sheets, wherever those lie: what adding, finding and deciding mean for each of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.proposal import DECIDED, Proposal, ProposalState

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem


@dataclass(frozen=True)
class Sheet:
    """A proposal with the person's edits taken in, and their notes."""

    proposal: Proposal
    notes: str


class SheetQueue(ABC):
    """A ReviewQueue; how sheets are read and written is the subclass's."""

    def add(self, proposals: Sequence[Proposal]) -> None:
        """Put proposals into the queue; what a person decided or wrote meanwhile stays."""
        broken = self._broken_ids()
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
        ids = self._ids()
        fitting = [prefix] if prefix in ids else [id for id in ids if prefix and id.startswith(prefix)]
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
        self._write(Sheet(proposal, self.notes(proposal.id)))

    def notes(self, id: str) -> str:
        """Return what a person noted on a proposal; empty where there is none."""
        known = self._sheet(id)
        return known.notes if known else ""

    def annotate(self, proposal: Proposal, notes: str) -> None:
        """Store a proposal with other notes."""
        self._write(Sheet(proposal, notes))

    @abstractmethod
    def problems(self) -> list[Problem]:
        """Return the sheets that cannot be read, each with its reason."""

    @abstractmethod
    def _broken_ids(self) -> set[str]:
        """Return the ids of the sheets that cannot be read."""

    @abstractmethod
    def _ids(self) -> list[str]:
        """Return the ids of all sheets, sorted."""

    @abstractmethod
    def _sheets(self) -> Iterator[Sheet]:
        """Walk the sheets that can be read."""

    @abstractmethod
    def _sheet(self, id: str) -> Sheet | None:
        """Return one sheet; None where there is none. Raises UnreadableFile."""

    @abstractmethod
    def _write(self, sheet: Sheet) -> None:
        """Keep a sheet in the place of what stood under its id."""
