"""Drafting: a person's own coding agent words what the generalizer could not, and decides nothing.

What waits for words are proposals without any, or with some that cannot stand as a rule, and lessons without a
principle. Of projects that are kept out of rules nothing is given out. A draft is noted as its agent's, and the words
of a person stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, InvalidInput, NotFound
from hardwon.kernel.lesson_fields import (
    FIELDS,
    PRINCIPLE,
    WEAK,
    Mending,
    check_fields,
    is_open,
    may_be_worded,
    worded,
)
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry
from hardwon.kernel.principle import Fault, faults_of
from hardwon.kernel.proposal import Action, Proposal, ProposalKind, ProposalState
from hardwon.kernel.query import GENERALIZED, RECALLED, Filter
from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.use_cases.lesson_wording import languages_for, names_of
from hardwon.kernel.use_cases.lookup import ANY, find_memory
from hardwon.kernel.use_cases.projects import closed_among, load_projects

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.project_names import ProjectBook

WORDED_KINDS = (ProposalKind.NEW_RULE, ProposalKind.REFINE, ProposalKind.MERGE, ProposalKind.NARROW)
"""The kinds of proposals that are one sentence."""


@dataclass(frozen=True)
class Work:
    """One thing that waits for words."""

    id: str
    proposal: Proposal | None
    """None: it is a lesson that lacks fields."""
    lessons: tuple[MemoryEntry, ...]
    """What the words are to be drawn from: the proposal's lessons, or the lesson itself."""
    names: tuple[str, ...]
    """What the words must not speak of."""
    languages: tuple[str, ...]
    """Of which the words are to be in one."""
    lacking: tuple[str, ...]
    """The fields that are asked for."""
    present: str
    """The words that stand now; empty where there are none."""
    faults: tuple[Fault, ...] = ()
    """What is wrong with them."""

    @property
    def cannot_stand(self) -> bool:
        """Tell whether there are no words, or there is something wrong with them."""
        return not self.present or bool(self.faults)


@dataclass(frozen=True)
class Drafted:
    """What came of a draft."""

    id: str
    kept: dict[str, str]
    """The words that stand now, by field."""
    to_mend: tuple[Mending, ...]
    untouched: tuple[str, ...] = ()
    """Fields that a person worded, and that stay as they are."""


def waiting_for_words(
    home: Home,
    limit: int,
    *,
    only: str = "",
    may_be_shown: Callable[[MemoryEntry], bool] = lambda entry: True,
    doubtful: bool = False,
    reword: bool = False,
) -> tuple[list[Work], int]:
    """Return the next that waits for words, proposals before lessons, and how many wait in all.

    `only` is an id or the start or end of one. `may_be_shown` tells which lessons may be given out; a proposal with any
    other is left out and not counted. With `doubtful`, proposals wait too that the generalizer suggests to rewrite,
    after those whose words cannot stand; with `reword`, all but those that somebody else worded.
    """
    book = load_projects(home)
    lessons = {entry.id: entry for entry in _open_lessons(home, book) if may_be_shown(entry)}
    works = [
        work
        for proposal in home.queue.pending()
        if _is_meant(proposal.id, only) and (work := _of_proposal(home, book, proposal, lessons))
        if work.cannot_stand or reword or (doubtful and proposal.suggested_action is Action.REWRITE)
    ]
    works.sort(key=lambda work: not work.cannot_stand)
    bare = [
        entry
        for entry in lessons.values()
        if entry.status in RECALLED and is_open(entry, PRINCIPLE) and _is_meant(entry.id, only)
    ]
    bare.sort(key=lambda entry: entry.id, reverse=True)
    first = works[:limit] + [_of_lesson(home, book, entry) for entry in bare[: max(0, limit - len(works))]]
    return first, len(works) + len(bare)


def save_draft(home: Home, reference: str, fields: Mapping[str, str], *, by: str, among: Filter = ANY) -> Drafted:
    """Keep an agent's words for a proposal (its `principle`) or for a memory's fields, as far as they can stand.

    `among` says which memories the agent may see at all. Raises NotFound, Ambiguous; InvalidInput where nothing was
    given; Conflict where a person worded or decided it.
    """
    given = {name: words.strip() for name, words in fields.items() if words.strip()}
    if not given:
        raise InvalidInput(f"Nothing was given; give at least one of {', '.join(FIELDS)}.")
    given = dict(redacted(home.redactor, given)[0])
    proposal = _proposal(home, reference)
    if proposal is not None:
        return _word_proposal(home, proposal, given, by)
    return _word_lesson(home, find_memory(home, reference, among), given, by)


def set_aside(home: Home, reference: str, *, by: str, among: Filter = ANY) -> str:
    """Note that nothing in a lesson transfers, so that it is not given out again; return its id.

    Raises NotFound, Ambiguous; Conflict where it has a principle.
    """
    entry = find_memory(home, reference, among)
    with home.storage.operation(f"Set aside: {entry.title}"):
        entry = _present(home, entry)
        if entry.lesson.principle:
            raise Conflict(f"{entry.id} has a principle already; leave it, or give a better one.")
        home.storage.memories.update(entry.id, worded(entry, {PRINCIPLE: None}, by))
    return entry.id


def _present(home: Home, entry: MemoryEntry) -> MemoryEntry:
    """Return a memory as it stands now: somebody else may have written into it since it was read. Raises NotFound."""
    present = home.storage.memories.get([entry.id]).get(entry.id)
    if present is None:
        raise NotFound(f"{entry.id} was forgotten meanwhile; `hardwon drafts next` lists what waits.")
    return present


def _open_lessons(home: Home, book: ProjectBook) -> list[MemoryEntry]:
    """Return the lessons of projects that are not kept out of rules."""
    lessons = book.resolved(home.storage.memories.scan(GENERALIZED))
    closed = closed_among(home, book, (entry.scope.project for entry in lessons))
    return [entry for entry in lessons if entry.scope.project not in closed]


def _is_meant(id: str, only: str) -> bool:
    return id.startswith(only) or id.endswith(only)


def _of_proposal(home: Home, book: ProjectBook, proposal: Proposal, shown: Mapping[str, MemoryEntry]) -> Work | None:
    """Return a proposal's words and what is wrong with them; None where somebody gave them, or may not be shown."""
    lessons = tuple(shown[each.id] for each in proposal.instances if each.id in shown)
    is_taken = proposal.kind not in WORDED_KINDS or proposal.edited or proposal.worded_by
    if is_taken or not lessons or len(lessons) < len(proposal.instances):
        return None
    names, languages = _names(book, proposal), _languages(home, proposal)
    faults = faults_of(proposal.rule, names, languages) if proposal.rule else []
    what = (PRINCIPLE,), proposal.rule, tuple(faults)
    return Work(proposal.id, proposal, lessons, tuple(names), tuple(sorted(languages)), *what)


def _of_lesson(home: Home, book: ProjectBook, entry: MemoryEntry) -> Work:
    names, languages = names_of(book, entry.scope.project), languages_for(home, entry.content)
    lacking = tuple(name for name in FIELDS if is_open(entry, name))
    weak = str(entry.metadata.get(WEAK) or "")
    faults = faults_of(weak, names, languages) if weak else []
    return Work(entry.id, None, (entry,), tuple(names), tuple(sorted(languages)), lacking, weak, tuple(faults))


def _proposal(home: Home, reference: str) -> Proposal | None:
    try:
        return home.queue.find(reference)
    except NotFound:
        return None


def _names(book: ProjectBook, proposal: Proposal) -> list[str]:
    return list(dict.fromkeys(name for project in proposal.projects for name in names_of(book, project)))


def _languages(home: Home, proposal: Proposal) -> set[str]:
    """Return what a rule may be in: the user's setting alone where there is one, since it is for all projects."""
    setting = home.settings.language
    return {setting} if setting else languages_for(home, *(each.evidence for each in proposal.instances))


def _word_proposal(home: Home, proposal: Proposal, given: Mapping[str, str], by: str) -> Drafted:
    words = given.get(PRINCIPLE)
    if words is None:
        raise InvalidInput(f"{proposal.id} is a proposed rule; give its words as “{PRINCIPLE}”.")
    faults = faults_of(words, _names(load_projects(home), proposal), _languages(home, proposal))
    if faults:
        return Drafted(proposal.id, {}, (Mending(PRINCIPLE, words, tuple(faults)),))
    with home.storage.operation(f"Draft a proposal's words: {words[:72]}"):
        proposal = home.queue.find(proposal.id)
        if proposal.state is not ProposalState.PENDING or proposal.edited:
            waits = proposal.state is ProposalState.PENDING
            what = "worded it" if waits else f"decided on it ({proposal.state})"
            raise Conflict(f"The user {what} already; leave {proposal.id} as it is.")
        home.queue.settle(proposal.drafted(words, by))
    return Drafted(proposal.id, {PRINCIPLE: words}, ())


def _word_lesson(home: Home, entry: MemoryEntry, given: Mapping[str, str], by: str) -> Drafted:
    if entry.kind is Kind.RULE:
        raise Conflict(f"{entry.id} is a rule that the user accepted; only they change it (`hardwon edit {entry.id}`).")
    names = names_of(load_projects(home), entry.scope.project)
    checked = check_fields(Lesson(**given), entry.content, names, languages_for(home, entry.content))
    sound = {name: words for name in FIELDS if (words := getattr(checked.lesson, name))}
    with home.storage.operation(f"Draft a lesson's fields: {entry.title}"):
        entry = _present(home, entry)
        untouched = tuple(name for name in sound if not may_be_worded(entry, name, by))
        kept = {name: words for name, words in sound.items() if name not in untouched}
        if kept:
            home.storage.memories.update(entry.id, worded(entry, kept, by), expected_revision=entry.revision)
    return Drafted(entry.id, kept, checked.to_mend, untouched)
