"""Backfill: lessons without fields get them, by the model where there is one, else from their own words.

Nothing that anybody worded or took away is touched, so that a second run changes nothing; only what was derived gives
way to a model's words. The words are made first and without a lock; a run that is cut off has changed nothing, and the
next one finds the model's answers kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.generalizer.derivation import derive
from hardwon.kernel.lesson_fields import DERIVED, FIELDS, PRINCIPLE, check_fields
from hardwon.kernel.memory import Kind, Lesson, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.filling import Filled, Filling, fill_in, may_be_filled
from hardwon.kernel.use_cases.lesson_wording import languages_for, names_of
from hardwon.kernel.use_cases.projects import closed_among, load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.project_names import ProjectBook

CLOSED = "their project is kept out of rules"
UNMARKED = "their text plainly marks nothing of what they lack"
EMPTY = "the model found nothing more in them"
CHANGED = "somebody changed them meanwhile"


@dataclass
class Backfilled:
    """What a run looked at, what it filled in, and why not the others."""

    lessons: int = 0
    """Lessons that stand."""
    complete: int = 0
    """Of them, those in which nothing is left to fill in."""
    filled: Filled = field(default_factory=lambda: Filled("", (), 0))
    left: Counter[str] = field(default_factory=Counter)
    """Lessons in which nothing was filled in, by reason."""
    beyond: int = 0
    """Lessons that were not looked at, because of the limit."""
    without_model: int = 0
    """Lessons for which the model gave no answer, so that their own words alone counted."""
    why_without: str = ""
    """Why it last gave none."""

    @property
    def by(self) -> Mapping[str, int]:
        """Return how many lessons were filled in, by who worded them."""
        return Counter(each.by for each in self.filled.lessons)

    @property
    def with_principle(self) -> int:
        """Return how many of them have a principle now that had none."""
        return sum(PRINCIPLE in each.fields for each in self.filled.lessons)


def backfill(home: Home, *, limit: int | None = None, dry_run: bool = False) -> Backfilled:
    """Fill in what lessons lack, at most `limit` of them; a dry run says what would be, and changes nothing.

    A dry run asks no model. Raises StoreError when nothing was kept.
    """
    done = Backfilled()
    book = load_projects(home)
    model = None if dry_run else home.language_model
    lacking = list(_lacking(home, book, done, model.name if model else DERIVED))
    fillings: list[Filling] = []
    with home.console.track("Wording lessons", len(lacking)) as advance:
        for number, entry in enumerate(lacking):
            if limit is not None and len(fillings) >= limit:
                done.beyond = len(lacking) - number
                break
            filling = _by_model(home, entry, model.name) if model else None
            if model and filling is None:
                done.without_model += 1
                done.why_without = model.last_failure
            filling = filling or _by_rule(home, book, entry)
            if filling.fields:
                fillings.append(filling)
            else:
                done.left[UNMARKED if filling.by == DERIVED else EMPTY] += 1
            advance(1)
    done.filled = Filled("", tuple(fillings), 0) if dry_run else fill_in(home, fillings)
    if done.filled.changed_meanwhile:
        done.left[CHANGED] = done.filled.changed_meanwhile
    return done


def _lacking(home: Home, book: ProjectBook, done: Backfilled, by: str) -> Iterator[MemoryEntry]:
    """Walk the lessons that lack a field which nobody worded, the oldest first; of the others, count why not."""
    entries = [
        entry
        for entry in home.storage.memories.scan(Filter(kinds=(Kind.LESSON,), statuses=None))
        if entry.status is not Status.ARCHIVED
    ]
    closed = closed_among(home, book, (book.canonical(entry.scope.project) for entry in entries))
    done.lessons = len(entries)
    for entry in sorted(entries, key=lambda each: each.id):
        if not any(may_be_filled(entry, name, by) for name in FIELDS):
            done.complete += 1
        elif book.canonical(entry.scope.project) in closed:
            done.left[CLOSED] += 1
        else:
            yield entry


def _by_model(home: Home, entry: MemoryEntry, by: str) -> Filling | None:
    """Return the model's words; None where it cannot be asked or did not answer, for a reason in the activity."""
    from hardwon.generalizer.model_tasks import draft_lesson

    given = draft_lesson(home, entry)
    return None if given is None else _filling(entry, given, by)


def _by_rule(home: Home, book: ProjectBook, entry: MemoryEntry) -> Filling:
    """Return what the lesson's own words plainly mark."""
    names, languages = names_of(book, entry.scope.project), languages_for(home, entry.content)
    given = derive(entry.content, names, languages)
    return _filling(entry, check_fields(given, entry.content, names, languages).lesson, DERIVED)


def _filling(entry: MemoryEntry, given: Lesson, by: str) -> Filling:
    sound = {name: words for name in FIELDS if (words := getattr(given, name))}
    return Filling(entry, {name: words for name, words in sound.items() if may_be_filled(entry, name, by)}, by)
