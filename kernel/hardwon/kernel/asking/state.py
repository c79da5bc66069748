"""What processes share about a model: calls that are under way, and how long it rests. One small file under a lock.

What was spent stands in the activity, a line a call; here is only what no line tells yet. A file that cannot be read is
as good as none.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from hardwon.kernel import background
from hardwon.kernel.errors import StoreBusy
from hardwon.kernel.whole_file import write_whole

FILE, LOCK = "language-model.json", "language-model.lock"
VERSION = 1
_NUMBERS = ConfigDict(allow_inf_nan=False)
PATIENCE = 10.0
"""Seconds for the lock, which nobody holds for longer than it takes to read a month's activity."""


@dataclass
class Reservation:
    """A call that is under way."""

    __pydantic_config__ = _NUMBERS
    task: str
    model: str
    at: float
    """Seconds since the epoch, as all times here."""
    until: float
    """When it is over, however it ended: a process that was killed tells nobody."""
    tokens_in: int
    tokens_out: int
    dollars: float | None


@dataclass
class Resting:
    """How a model failed lately."""

    __pydantic_config__ = _NUMBERS
    failures: int = 0
    """In a row."""
    until: float = 0.0
    why: str = ""


@dataclass
class ModelState:
    """The content of the file."""

    reserved: dict[str, Reservation] = field(default_factory=dict)
    resting: dict[str, Resting] = field(default_factory=dict)
    """By model and where it is served: a change of the settings is a new beginning."""


@contextlib.contextmanager
def shared_state(home: Path) -> Iterator[ModelState]:
    """Hold the lock, and keep what the block changes, also where it raises. Raises StoreBusy."""
    with background.alone(home / LOCK, PATIENCE) as free:
        if not free:
            raise StoreBusy(f"{home / LOCK} has been held for {PATIENCE:.0f} s by another process; try again later.")
        state = read_state(home)
        before = asdict(state)
        try:
            yield state
        finally:
            if asdict(state) != before:
                _write(home / FILE, {"v": VERSION, **asdict(state)})


def read_state(home: Path) -> ModelState:
    """Return the state as it stands, without waiting for anybody."""
    try:
        return TypeAdapter(ModelState).validate_json((home / FILE).read_bytes())
    except (OSError, ValueError):
        return ModelState()


def _write(path: Path, content: dict[str, Any]) -> None:
    write_whole(path, json.dumps(content).encode(), durable=False)
