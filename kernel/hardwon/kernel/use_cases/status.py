"""How a home stands: where it is, what is in it, what awaits the user, and what is wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel import spool
from hardwon.kernel.asking.standing import ModelStanding, model_standing
from hardwon.kernel.errors import StoreError
from hardwon.kernel.identity import identify
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.embedding import embedding_progress
from hardwon.kernel.use_cases.harness_status import HarnessStatus, harness_statuses
from hardwon.kernel.use_cases.pausing import Pause, current_pauses
from hardwon.kernel.use_cases.projects import load_projects, seen_from
from hardwon.kernel.use_cases.running.standing import ScheduleStatus, schedule_status
from hardwon.kernel.use_cases.spooled import spool_problems

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


@dataclass(frozen=True)
class HomeStatus:
    """One look at a home."""

    home: str
    named_by: str
    exists: bool
    project: str | None
    """The project of the folder that the user stands in."""
    store: str = ""
    embedding: dict[str, Any] = field(default_factory=dict)
    """`embedded`, `total`, `space`, `running`, and `reason` where there is no space."""
    kinds: dict[str, int] = field(default_factory=dict)
    statuses: dict[str, int] = field(default_factory=dict)
    projects: int = 0
    queue: int | None = 0
    """Proposals that wait; None where the queue cannot be read, which is then one of the problems."""
    spooled: int = 0
    """Events that wait to be taken in."""
    harnesses: list[HarnessStatus] = field(default_factory=list)
    paused: list[Pause] = field(default_factory=list)
    schedule: ScheduleStatus | None = None
    """None where there is no memory yet."""
    language_model: ModelStanding | None = None
    """None where none is named in the settings."""
    problems: list[Problem] = field(default_factory=list)


def home_status(home: Home, folder: Path | None = None) -> HomeStatus:
    """Return how a home stands, without making one. Raises StoreError, InvalidInput for broken settings."""
    identity = identify(folder or Path.cwd())
    key = identity.key if identity else None
    if not home.exists:
        return HomeStatus(str(home.path), home.named_by, False, key, harnesses=harness_statuses(home))
    home.require()
    counts = statistics(home)
    harnesses = harness_statuses(home)
    pending, queue_problems = _queue(home)
    return HomeStatus(
        home=str(home.path),
        named_by=home.named_by,
        exists=True,
        project=seen_from(home, identity).canonical(key),
        store=home.settings.store,
        embedding=embedding_progress(home),
        kinds=counts["kinds"],
        statuses=counts["statuses"],
        projects=len(counts["projects"]),
        queue=pending,
        spooled=len(spool.waiting(str(home.path))),
        harnesses=harnesses,
        paused=current_pauses(home),
        schedule=schedule_status(home, harnesses),
        language_model=model_standing(home.settings.language_model, home.path, home.clock, home.storage.ledger),
        problems=[
            *home.storage.problems(),
            *queue_problems,
            *spool_problems(home.path, home.clock.now().timestamp()),
        ],
    )


def _queue(home: Home) -> tuple[int | None, list[Problem]]:
    """Return how many proposals wait, and what is wrong with the queue."""
    try:
        return len(home.queue.pending()), home.queue.problems()
    except StoreError as error:
        return None, [Problem(where="the review queue", what=str(error))]


def statistics(home: Home) -> dict[str, dict[str, int]]:
    """Return counts by name: kinds, projects and topics of what is not archived, statuses of all, kinds of activity."""
    book = load_projects(home)
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("kinds", "projects", "topics", "statuses")}
    for entry in home.storage.memories.scan(Filter(statuses=None)):
        counts["statuses"][entry.status] += 1
        if entry.status == "archived":
            continue
        counts["kinds"][entry.kind] += 1
        counts["projects"].update(filter(None, [book.canonical(entry.scope.project)]))
        counts["topics"].update([entry.home_topic] if entry.home_topic else [])
    counts["activity"] = Counter(each.kind for each in home.storage.ledger.activity())
    return {name: {str(key): number for key, number in each.most_common()} for name, each in counts.items()}
