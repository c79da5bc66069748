"""FakeTabledStorage: a FakeStorage that keeps proposals as rows."""

from __future__ import annotations

import json
from collections.abc import Sequence

from hardwon.kernel.proposal import Proposal
from hardwon.testing.fakes.kept import Kept
from hardwon.testing.fakes.storage import FakeStorage

_PREFIX = "rows of proposals/"
"""They lie among the documents, under names that no document has, and so are part of every operation."""


class FakeProposals:
    """Keeps proposals with their notes by id."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept

    def ids(self) -> list[str]:
        """Return the ids of all, sorted."""
        with self._kept.lock:
            return sorted(name.removeprefix(_PREFIX) for name in self._kept.documents if name.startswith(_PREFIX))

    def read(self, ids: Sequence[str] | None = None) -> dict[str, tuple[Proposal, str]]:
        """Return proposals and notes of those that exist, or of all."""
        known = self.ids()
        wanted = known if ids is None else [id for id in known if id in set(ids)]
        found = {id: json.loads(self._kept.documents[f"{_PREFIX}{id}"]) for id in wanted}
        return {id: (Proposal.model_validate(row["proposal"]), row["notes"]) for id, row in found.items()}

    def write(self, proposal: Proposal, notes: str) -> None:
        """Keep a proposal with its notes."""
        row = {"proposal": proposal.model_dump(mode="json"), "notes": notes}
        with self._kept.lock:
            self._kept.documents[f"{_PREFIX}{proposal.id}"] = json.dumps(row)


class FakeTabledStorage(FakeStorage):
    """Five doors, and the table of proposals."""

    def proposals(self) -> FakeProposals:
        """Return the table."""
        return FakeProposals(self.kept)
