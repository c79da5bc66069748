"""SqlLedger: decisions, which a power cut does not take, and activity, which stays whatever fails around it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hardwon.kernel.cleaning import cleaned_values
from hardwon.kernel.decision_order import in_order
from hardwon.kernel.proposal import Decision
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.shown import KIND as SHOWN

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database

BRIEFLY = 0.5
"""Seconds that a recall waits for a writer, to note what it shows."""


class SqlLedger:
    """Keeps what happened."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def decide(self, decision: Decision) -> None:
        """Record a decision; one with the same id is recorded once. It survives a power cut."""
        decision = Decision.model_validate(cleaned_values(decision.model_dump()))
        with self._database.operation(f"Decide: {decision.action} {decision.proposal}"):
            self._database.run(
                "INSERT INTO decisions (id, proposal, at, decision, changed) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO NOTHING",
                (
                    decision.id, decision.proposal, decision.at.timestamp(), decision.model_dump_json(),
                    self._database.change,
                ),
            )  # fmt: skip
            self._database.make_durable()

    def decisions(self, proposal: str | None = None) -> list[Decision]:
        """Return decisions, oldest first, each after the one that it follows."""
        of = "" if proposal is None else "WHERE proposal = ?"
        sql = f"SELECT decision FROM decisions {of}"  # noqa: S608
        rows = self._database.rows(sql, [] if proposal is None else [proposal])
        return in_order(Decision.model_validate_json(text) for (text,) in rows)

    def append(self, records: Iterable[Activity]) -> None:
        """Record activity. What was only shown is not worth that an answer waits for a writer. Raises StoreBusy."""
        rows = [(each.kind, each.at.timestamp(), _text(each)) for each in records]
        if rows:
            patience = BRIEFLY if all(kind == SHOWN for kind, *_ in rows) else None
            self._database.run_apart("INSERT INTO activity (kind, at, record) VALUES (?, ?, ?)", rows, patience)

    def activity(self, kind: str | None = None, since: datetime | None = None) -> Iterator[Activity]:
        """Walk activity, oldest first."""
        conditions, values = ["1 = 1"], list[str | float]()
        if kind is not None:
            conditions, values = [*conditions, "kind = ?"], [*values, kind]
        if since is not None:
            conditions, values = [*conditions, "at >= ?"], [*values, since.timestamp()]
        sql = f"SELECT record FROM activity WHERE {' AND '.join(conditions)} ORDER BY at, number"  # noqa: S608
        return (Activity.model_validate_json(text) for (text,) in self._database.rows(sql, values))

    def prune(self, before: datetime, keeps: Callable[[Activity], bool]) -> int:
        """Remove the activity of months that had ended by then, but what is to be kept."""
        month = before.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        rows = self._database.rows("SELECT number, record FROM activity WHERE at < ?", (month.timestamp(),))
        gone = [(number,) for number, text in rows if not keeps(Activity.model_validate_json(text))]
        return self._database.run_apart("DELETE FROM activity WHERE number = ?", gone) if gone else 0


def _text(record: Activity) -> str:
    return json.dumps(record.model_dump(mode="json"), ensure_ascii=True)
