"""FilesLedger: decisions as files of the truth, activity as lines of this device.

Activity is appended to `activity/YYYY-MM.jsonl` outside the history, so that a recall never causes a commit; any
month's file may be removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from hardwon.kernel.cleaning import cleaned_values
from hardwon.kernel.decision_order import in_order
from hardwon.kernel.errors import StoreError
from hardwon.kernel.proposal import Decision
from hardwon.kernel.records import Activity
from hardwon.kernel.whole_file import write_whole
from hardwon.stores.files.decision_files import decision_path, write_decision
from hardwon.stores.files.indexing.rows import put_decision

if TYPE_CHECKING:
    from hardwon.stores.files.opened import Opened

FOLDER = "activity"
LINE_VERSION = 1


class FilesLedger:
    """Keeps what happened."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._workspace = opened.workspace

    def decide(self, decision: Decision) -> None:
        """Record a decision; one with the same id is recorded once. It survives a power cut."""
        decision = Decision.model_validate(cleaned_values(decision.model_dump()))
        with self._opened.operation(f"Decide: {decision.action} {decision.proposal}"):
            if self._workspace.index.rows("SELECT 1 FROM decisions WHERE id = ?", (decision.id,)):
                return
            path = decision_path(self._workspace, decision.id)
            self._workspace.write(path, write_decision(decision), durable=True)
            put_decision(self._workspace.index.connection, decision, path)

    def decisions(self, proposal: str | None = None) -> list[Decision]:
        """Return decisions, oldest first, each after the one that it follows."""
        self._opened.fresh()
        sql = "SELECT decision FROM decisions WHERE ?1 IS NULL OR proposal = ?1"
        rows = self._opened.healed(lambda: self._workspace.index.rows(sql, (proposal,)))
        return in_order(Decision.model_validate_json(row["decision"]) for row in rows)

    def append(self, records: Iterable[Activity]) -> None:
        """Record activity: one write a month's file, so that lines of two processes never mix. Raises StoreError."""
        months: dict[str, list[str]] = {}
        for record in records:
            line = json.dumps({"v": LINE_VERSION, **record.model_dump(mode="json")}, ensure_ascii=True)
            months.setdefault(f"{record.at.astimezone(UTC):%Y-%m}", []).append(line + "\n")
        folder = self._workspace.home / FOLDER
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            for month, lines in months.items():
                _append(folder / f"{month}.jsonl", "".join(lines).encode("ascii"))
        except OSError as error:
            raise StoreError(f"{folder} cannot be written ({error.strerror}); make room or permit it.") from None

    def activity(self, kind: str | None = None, since: datetime | None = None) -> Iterator[Activity]:
        """Walk activity, oldest first; a line that a crash cut short is passed over."""
        # Of a year's lines most are of kinds that nobody asks for: reading them would take seconds.
        wanted = "" if kind is None else json.dumps(kind)
        found = [
            record
            for path in self._months()
            if since is None or path.stem >= f"{since.astimezone(UTC):%Y-%m}"
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
            if wanted in line
            if (record := _read(line)) and kind in (None, record.kind) and (since is None or record.at >= since)
        ]
        return iter(sorted(found, key=lambda record: record.at))

    def prune(self, before: datetime, keeps: Callable[[Activity], bool]) -> int:
        """Remove the activity of months that had ended by then, but what is to be kept and what cannot be read."""
        removed = 0
        for path in self._months():
            if path.stem < f"{before.astimezone(UTC):%Y-%m}":
                try:
                    removed += _prune(path, keeps)
                except OSError as error:
                    raise StoreError(f"{path} cannot be written ({error.strerror}); make room or permit it.") from None
        return removed

    def _months(self) -> list[Path]:
        """Return the files of the months, the oldest first."""
        return [path for path in sorted((self._workspace.home / FOLDER).glob("*.jsonl")) if path.is_file()]


def _prune(path: Path, keeps: Callable[[Activity], bool]) -> int:
    """Leave out of a file what is not to be kept; return how many lines. A file without any goes."""
    lines = path.read_bytes().splitlines(keepends=True)
    read = [(line, _read(line.decode(errors="replace"))) for line in lines]
    kept = [line for line, record in read if record is None or keeps(record)]
    if not kept:
        path.unlink(missing_ok=True)
    elif len(kept) < len(lines):
        write_whole(path, kept, durable=True)
    return len(lines) - len(kept)


def _append(path: Path, data: bytes) -> None:
    """Append in one write; a line that a crash cut short is ended first, so that it takes no other with it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            data = b"\n" + data
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def _read(line: str) -> Activity | None:
    try:
        plain = json.loads(line)
        return Activity.model_validate({name: value for name, value in plain.items() if name != "v"})
    except (ValueError, ValidationError, AttributeError, RecursionError):
        return None
