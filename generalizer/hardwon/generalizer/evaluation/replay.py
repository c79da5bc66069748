"""Replay: the user's own dated lessons in order, with a reviewer in between, to see what would have been warned of.

A rehearsal lives through the time of the lessons: before each stretch of it, recall is asked about what was about to go
wrong; after it, its lessons are kept, consolidated, and the proposals decided on. In hindsight every lesson belongs to
the rule that covers it now, or to the proposal that would; that is the cause a warning has to be of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from hardwon.generalizer.evaluation.evaluate import new_rules, shown_causes
from hardwon.generalizer.evaluation.hindsight import Hindsight
from hardwon.generalizer.evaluation.rehearsal import ReplayClock, import_labelled, rehearsal, take_vectors
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.proposal import Action
from hardwon.kernel.query import Query
from hardwon.kernel.scope import Context
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.consolidating.material import read_material
from hardwon.kernel.use_cases.recall import recall
from hardwon.kernel.use_cases.review import accept, reject

if TYPE_CHECKING:
    from hardwon.generalizer.evaluation.labelled import Causes, LabelledSet
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

FEWEST = 10
"""Dated lessons below which a replay says nothing."""
WHO = "backtest"
_ENDS = ("。", ". ", "！", "! ", "？", "? ", "\n")


@dataclass(frozen=True)
class Incident:
    """One lesson as it came up in the replay."""

    lesson: str
    at: datetime
    cause: str | None
    """What it is an instance of, in hindsight."""
    repeated: bool
    """Whether an earlier lesson had the same cause."""
    in_force: bool
    """Whether a rule of that cause stood before."""
    warned: bool
    """Whether recall would have shown that rule for the task."""
    beside: int
    """Rules of other causes that it would have shown."""
    shown: int
    """Rules that it would have shown in all."""


@dataclass(frozen=True)
class NewRule:
    """A rule that the replay accepted."""

    rule: str
    at: datetime
    cause: str | None
    after: int
    """Incidents of its cause by then."""


@dataclass
class Replay:
    """What came of a replay."""

    lessons: int
    undated: int
    """Lessons without a date, which take no part."""
    decided_by: str
    """recorded decisions, labels, or the suggestions."""
    incidents: list[Incident] = field(default_factory=list)
    rules: list[NewRule] = field(default_factory=list)


def replay(home: Home, lessons: Sequence[MemoryEntry], every: timedelta, causes: Causes | None = None) -> Replay:
    """Live through the lessons' time in steps of `every`.

    `causes` gives the true cause by lesson id where it is known; else hindsight does. Raises InvalidInput for too few
    dated lessons.
    """
    dated = sorted((each for each in lessons if each.times.valid_at), key=lambda each: (_at(each), each.id))
    if len(dated) < FEWEST:
        raise InvalidInput(
            f"A replay takes {FEWEST} lessons with a date (`valid_at`), and here {counted(len(dated), 'lesson')} "
            "can be dated; import some with theirs."
        )
    hindsight = Hindsight.of(home, lessons, causes)
    clock = ReplayClock(_at(dated[0]))
    found = Replay(len(dated), len(lessons) - len(dated), hindsight.source)
    with rehearsal(home, clock) as rehearsed, home.console.track("Replaying", len(dated)) as advance:
        take_vectors(home, rehearsed, dated)
        stage = _Stage(rehearsed, clock, hindsight, found)
        for end, stretch in _stretches(dated, every):
            stage.live_through(stretch, end)
            advance(len(stretch))
    return found


def replay_labelled(home: Home, labelled: LabelledSet, every: timedelta) -> Replay:
    """Live through the lessons of a labelled set, whose labels say what a warning has to be of."""
    with rehearsal(home) as rehearsed:
        import_labelled(rehearsed, labelled)
        lessons = read_material(rehearsed).lessons
        causes = {each.id: labelled.causes.get(each.external_id or "") for each in lessons}
        return replay(rehearsed, lessons, every, causes)


def _at(lesson: MemoryEntry) -> datetime:
    at = lesson.times.valid_at
    assert at is not None
    return at


def _stretches(dated: Sequence[MemoryEntry], every: timedelta) -> Iterator[tuple[datetime, list[MemoryEntry]]]:
    """Walk the stretches of time that hold a lesson, each with its end."""
    start = _at(dated[0])
    for number, some in groupby(dated, key=lambda each: (_at(each) - start) // every):
        yield _later(start, number + 1, every), list(some)


def _later(start: datetime, steps: int, every: timedelta) -> datetime:
    """Return the moment so many steps later, or the last that the calendar has."""
    try:
        return start + steps * every
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC) - timedelta(days=2)  # every zone's clock can still be told


def task_of(lesson: MemoryEntry) -> str:
    """Return what was being done when it happened: its situation, else the first sentence that tells of it."""
    if lesson.lesson.situation:
        return lesson.lesson.situation
    text = lesson.content.strip()
    ends = [place + len(end.rstrip()) for end in _ENDS if (place := text.find(end)) > 0]
    return text[: min(ends)] if ends else text


@dataclass
class _Stage:
    """The rehearsal at one moment of the replay."""

    home: Home
    clock: ReplayClock
    hindsight: Hindsight
    found: Replay
    causes_of: dict[str, str | None] = field(default_factory=dict)
    """The cause of each rule that stands."""
    met: dict[str, int] = field(default_factory=dict)
    """Incidents of each cause so far."""

    def live_through(self, stretch: Sequence[MemoryEntry], end: datetime) -> None:
        """Ask before each lesson, then keep them all, consolidate and decide."""
        for lesson in stretch:
            self.clock.advance_to(_at(lesson))
            self.found.incidents.append(self._incident(lesson))
        with self.home.storage.operation(f"Live through {len(stretch)} lessons"):
            self.home.storage.memories.put([_as_new(lesson) for lesson in stretch])
        self.clock.advance_to(end)
        consolidate(self.home)
        self._decide()

    def _incident(self, lesson: MemoryEntry) -> Incident:
        cause = self.hindsight.causes.get(lesson.id)
        shown: tuple[str | None, ...] = ()
        if self.causes_of:
            question = Query(text=task_of(lesson), context=Context(project=lesson.scope.project))
            shown = shown_causes(recall(self.home, question), self.causes_of)
        earlier = self.met.get(cause, 0) if cause else 0
        if cause:
            self.met[cause] = earlier + 1
        return Incident(
            lesson=lesson.id,
            at=_at(lesson),
            cause=cause,
            repeated=earlier > 0,
            in_force=cause is not None and cause in self.causes_of.values(),
            warned=cause is not None and cause in shown,
            beside=sum(each is None or each != cause for each in shown),
            shown=len(shown),
        )

    def _decide(self) -> None:
        """Decide on what waits as the user did, as the labels say, or as it is suggested."""
        for proposal in new_rules(self.home):
            lessons = [each.id for each in proposal.instances]
            verdict = self.hindsight.verdict(proposal)
            if verdict is Action.ACCEPT and proposal.rule:
                rule = accept(self.home, proposal, by=WHO).rule
                cause = self.hindsight.cause_of(lessons)
                self.causes_of[rule.id] = cause
                at = self.clock.now()
                self.found.rules.append(NewRule(rule.title, at, cause, self.met.get(cause, 0) if cause else 0))
            elif verdict is Action.REJECT:
                reject(self.home, proposal, by=WHO, why=self.hindsight.reason_to_reject(proposal))


def _as_new(lesson: MemoryEntry) -> MemoryEntry:
    """Return a lesson as it was when it was learned, whatever became of it later."""
    at = _at(lesson)
    return lesson.model_copy(
        update={"times": lesson.times.model_copy(update={"asserted_at": at, "retracted_at": None})}
    )


def verdicts(incidents: Sequence[Incident]) -> Mapping[str, int]:
    """Return how many incidents came back, had a rule, were warned of; and how many shown rules were beside it."""
    later = [each for each in incidents if each.repeated]
    return {
        "incidents": len(incidents),
        "of a cause met before": len(later),
        "with a rule in force": sum(each.in_force for each in later),
        "warned": sum(each.warned for each in later),
        "rules shown": sum(each.shown for each in incidents),
        "beside the point": sum(each.beside for each in incidents),
    }
