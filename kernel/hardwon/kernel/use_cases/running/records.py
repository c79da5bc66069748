"""What the ledger tells of runs: those that came to their end, those that failed or were stopped, what each cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from hardwon.kernel.asking import spending
from hardwon.kernel.asking.state import ModelState
from hardwon.kernel.records import Activity

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.use_cases.consolidating.outcome import Consolidation

KIND = "consolidate"
"""Of the activity that tells of a run."""
LOOKED_AT = frozenset(["lessons", "projects", "kept_out", "sessions", "problems", "examined"])
"""What a run counts without having changed it; whatever else it counts, it changed."""
QUEUE = ("added", "refreshed", "withdrawn")


class Outcome(StrEnum):
    """How a run ended. One that was killed left no record."""

    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"
    """By the user, or by the process that it was a part of; the next one goes on."""


@dataclass(frozen=True)
class Spent:
    """What the language model took while a run lasted."""

    calls: int = 0
    tokens: int = 0
    dollars: float = 0.0


@dataclass(frozen=True)
class Run:
    """One run that left a record."""

    began: datetime
    seconds: float
    by: str
    """command, schedule, session or serve."""
    outcome: Outcome
    counts: Mapping[str, int] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    error: str = ""
    """Why it failed."""

    @property
    def counted(self) -> bool:
        """Tell whether it was a run: one that found nothing is one, one that failed or was stopped is none."""
        return self.outcome is Outcome.DONE

    @property
    def found_nothing(self) -> bool:
        """Tell whether it came to its end and left everything as it was."""
        return self.counted and not any(number for name, number in self.counts.items() if name not in LOOKED_AT)


def counts_of(result: Consolidation) -> dict[str, int]:
    """Return what a run read and changed, by name."""
    return {
        "lessons": result.lessons,
        "projects": result.projects,
        "kept_out": result.kept_out,
        "sessions": result.captured.sessions,
        "added": len(result.added),
        "refreshed": len(result.refreshed),
        "withdrawn": len(result.withdrawn),
        "problems": len(result.problems),
        **result.steps,
    }


def record(home: Home, run: Run) -> None:
    """Write a run into the ledger. Raises StoreError."""
    details: dict[str, Any] = {"began": run.began.isoformat(), "seconds": run.seconds, "by": run.by}
    details |= {"outcome": run.outcome.value, **run.counts}
    details |= {f"model_{name}": value for name, value in vars(run.spent).items() if value}
    details |= {"error": run.error} if run.error else {}
    home.storage.ledger.append([Activity(kind=KIND, at=run.began + timedelta(seconds=run.seconds), details=details)])


def runs(home: Home, since: datetime | None = None) -> list[Run]:
    """Return the runs that ended since then, the oldest first; what is no record of one is passed over."""
    return [run for each in home.storage.ledger.activity(KIND, since) for run in _read(each)]


def _read(activity: Activity) -> Iterator[Run]:
    details = activity.details
    try:
        began = datetime.fromisoformat(details["began"]) if "began" in details else activity.at
        yield Run(
            began=began if began.tzinfo else activity.at,
            seconds=float(details.get("seconds", 0.0)),
            by=str(details.get("by", "command")),
            outcome=Outcome(details.get("outcome", Outcome.DONE)),
            counts={
                name: value for name, value in details.items() if type(value) is int and not name.startswith("model_")
            },
            spent=Spent(**{name: details.get(f"model_{name}", 0) for name in vars(Spent())}),
            error=str(details.get("error", "")),
        )
    except (ValueError, TypeError):
        return


def spent_since(home: Home, began: datetime) -> Spent:
    """Return what the language model took since then, from what it told the ledger itself."""
    took = spending.spent(home.storage.ledger.activity(spending.KIND, began), ModelState())
    return Spent(calls=took.calls, tokens=took.tokens, dollars=round(took.dollars, 6))
