"""SqlProposals: the proposals of the review queue as rows, each with what a person noted on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.cleaning import cleaned_values
from hardwon.kernel.errors import StoreError
from hardwon.kernel.proposal import Proposal
from hardwon.kernel.text import clean

if TYPE_CHECKING:
    from hardwon.kernel.ports import Clock
    from hardwon.stores.sql.database import Database

COLUMNS = ("id", "state", "at", "proposal", "notes", "changed")
_WRITE = (
    "INSERT INTO proposals (id, state, at, proposal, notes, changed) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (id) DO UPDATE SET state = excluded.state, at = excluded.at, proposal = excluded.proposal, "
    "notes = excluded.notes, changed = excluded.changed"
)


class SqlProposals:
    """The table `proposals` of one database."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def ids(self) -> list[str]:
        """Return the ids of all, sorted."""
        return [id for (id,) in self._database.rows("SELECT id FROM proposals ORDER BY id")]

    def read(self, ids: Sequence[str] | None = None) -> dict[str, tuple[Proposal, str]]:
        """Return proposals and notes of those that exist, or of all. Raises StoreError for a row that is damaged."""
        clause, values = ("1 = 1", []) if ids is None else self._database.among("id", ids)
        sql = f"SELECT id, proposal, notes FROM proposals WHERE {clause} ORDER BY id"  # noqa: S608
        return {id: (_proposal(id, text), notes) for id, text, notes in self._database.rows(sql, values)}

    def write(self, proposal: Proposal, notes: str) -> None:
        """Keep a proposal with its notes, in the place of what stood under its id. It survives a power cut."""
        proposal, notes = Proposal.model_validate(cleaned_values(proposal.model_dump())), clean(notes)
        with self._database.operation(f"Keep a proposal: {proposal.rule[:72] or proposal.id}"):
            now = self._clock.now().timestamp()
            row = (proposal.id, proposal.state, now, proposal.model_dump_json(), notes, self._database.change)
            self._database.run(_WRITE, row)
            self._database.make_durable()


def _proposal(id: str, text: str) -> Proposal:
    try:
        return Proposal.model_validate_json(text)
    except ValueError:
        raise StoreError(f"The row of proposal {id} is damaged; restore a backup, or run `hardwon doctor`.") from None
