"""A run looks at what is new: where nothing is it ends at once, and it always comes to what a full run comes to."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardwon.generalizer.catalogue import read_catalogue
from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry, Status
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.consolidating.derived import FOLDER
from hardwon.kernel.use_cases.consolidating.last_look import FILE
from hardwon.kernel.use_cases.consolidating.queue import DRIFT
from hardwon.kernel.use_cases.feedback import Verdict, give_feedback
from hardwon.kernel.use_cases.projects import load_projects, save_projects
from hardwon.kernel.use_cases.review import accept, reject, reword, undo
from hardwon.kernel.use_cases.write_gate import examining
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock

ADA = "Ada <ada@example.org>"
TEXTS = (
    "The checkout test slept two seconds and failed on a slow runner; a fake clock fixed it.",
    "A fixed sleep in the scheduler test was too short under load; it waits for the event with a deadline.",
    "The delivery test used sleep and failed now and then; polling for the message made it steady.",
    "The search test slept for three seconds and still failed at night; polling helped.",
    "The TLS certificate of the stream expired on a Sunday and every player refused to connect.",
    "Nobody knew that the certificate of the broker would expire; it is renewed automatically now.",
    "An expired certificate on the gateway stopped all payments; an alert comes 30 days before expiry.",
    "The coffee machine on the third floor is broken again.",
)


def opened(path: Path, at: FixedClock) -> Home:
    """Return a home with the real store, the real queue and three causes, without an embedder."""
    home = Home(path, clock=at)
    home.create()
    (path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    generalizer = OfflineGeneralizer(home)
    generalizer.concepts = tuple(read_catalogue(Path(__file__).with_name("small_catalogue.toml")))
    home.generalizer = generalizer
    return home


@pytest.fixture
def home(tmp_path: Path, waiting: list[MemoryEntry], certificates: list[MemoryEntry]) -> Iterator[Home]:
    """Return a home with a rule and a waiting proposal, in which the last run found nothing new."""
    with opened(tmp_path / "home", FixedClock(MOMENT)) as home:
        home.storage.memories.put([*waiting, *certificates])
        consolidate(home)
        accept(home, home.queue.pending()[0], by=ADA)
        while not consolidate(home).unchanged:
            pass
        yield home


def test_where_nothing_is_new_nothing_is_looked_at(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run says so, and what waits is still told."""
    before = (home.path / "memory" / ".git" / "refs" / "heads" / "main").read_bytes()
    monkeypatch.delattr(OfflineGeneralizer, "propose")
    monkeypatch.delattr(OfflineGeneralizer, "weigh")
    result = consolidate(home)
    assert result.unchanged
    assert (len(result.proposals), result.lessons) == (1, 8)
    assert (home.path / "memory" / ".git" / "refs" / "heads" / "main").read_bytes() == before


def only(home: Home) -> Proposal:
    [proposal] = home.queue.pending()
    return proposal


def a_lesson(home: Home) -> str:
    return only(home).instances[0].id


def a_rule(home: Home) -> MemoryEntry:
    [rule] = home.storage.memories.scan(Filter(kinds=(Kind.RULE,)))
    return rule


def by_hand(home: Home, name: str, change: Callable[[str], str]) -> None:
    path = next((home.path / "memory").rglob(name))
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    home.close()  # the store looks at every file when it is opened, as each night it is


def alias(home: Home) -> None:
    book = load_projects(home)
    save_projects(home, type(book)({**book.aliases, "shop": "blog"}))


def another_setting(home: Home) -> None:
    (home.path / "config.toml").write_text('embedder = "none"\n[generalizer]\nminimum_lessons = 4\n', encoding="utf-8")
    home.__dict__.pop("settings")


def another_catalogue(home: Home) -> None:
    generalizer: Any = home.generalizer
    generalizer.concepts = generalizer.concepts[:-1]


CHANGES: dict[str, Callable[[Home], object]] = {
    "a lesson is new": lambda home: home.storage.memories.put([memory(TEXTS[0], "new")]),
    "a lesson is edited": lambda home: home.storage.memories.update(a_lesson(home), {"content": TEXTS[7]}),
    "a lesson is edited by hand": lambda home: by_hand(home, f"*{a_lesson(home)}.md", lambda text: text + "\nMore.\n"),
    "a lesson is archived": lambda home: home.storage.memories.update(a_lesson(home), {"status": Status.ARCHIVED}),
    "a lesson is forgotten": lambda home: home.storage.memories.delete([a_lesson(home)]),
    "a rule is edited": lambda home: home.storage.memories.update(a_rule(home).id, {"content": "Another rule."}),
    "a link is taken back": lambda home: home.storage.memories.unrelate(
        home.storage.memories.relations(a_rule(home).id)[:1], home.clock.now()
    ),
    "a rule is called wrong": lambda home: give_feedback(home, a_rule(home), Verdict.WRONG),
    "two projects are one": alias,
    "a proposal is rejected": lambda home: reject(home, only(home), by=ADA, why="No."),
    "a proposal is reworded": lambda home: reword(home, only(home), "Mine."),
    "a proposal is edited by hand": lambda home: by_hand(
        home, f"{only(home).id}.md", lambda text: text.replace("\n> ", "\n> Always: ", 1)
    ),
    "a decision is undone": lambda home: undo(
        home, next(each for each in home.queue.all() if each.state is ProposalState.ACCEPTED), by=ADA
    ),
    "a setting is another": another_setting,
    "the catalogue is another": another_catalogue,
    "what is kept is gone": lambda home: (home.path / FOLDER / FILE).unlink(),
    "what is kept is torn": lambda home: (home.path / FOLDER / FILE).write_bytes(b'{"version": 1, "looke'),
    "what is kept is empty": lambda home: (home.path / FOLDER / FILE).write_bytes(b""),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_a_proposal_hangs_on_is_looked_at(home: Home, change: Callable[[Home], object]) -> None:
    change(home)
    assert not consolidate(home).unchanged


PEOPLE = [name for name in CHANGES if not name.startswith(("a setting", "the catalogue", "what is kept"))]


@pytest.mark.parametrize("name", PEOPLE)
def test_what_people_do_while_a_run_thinks_stands_and_the_next_run_looks_at_it(
    home: Home, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that would refresh the proposal that waits, from lessons as they were before."""
    more = [memory(text, f"more-{place}") for place, text in enumerate((TEXTS[3], TEXTS[5]))]
    home.storage.memories.put(more)
    stood: list[Any] = []
    propose = OfflineGeneralizer.propose

    def interrupted(self: OfflineGeneralizer, *material: Any) -> list[Proposal]:
        CHANGES[name](home)
        stood.append(persons(home))
        return propose(self, *material)

    with monkeypatch.context() as patch:
        patch.setattr(OfflineGeneralizer, "propose", interrupted)
        assert not consolidate(home).unchanged
    assert persons(home) == stood[0]
    assert not consolidate(home).unchanged


def persons(home: Home) -> Any:
    """Return all that is people's: memories, edges, decisions, what was decided, and words of their own."""
    entries = {each.id: each for each in home.storage.memories.scan(Filter(statuses=None))}
    edges = {edge.key for id in entries for edge in home.storage.memories.relations(id)}
    queue = {
        each.id: (each.state, each.rule)
        for each in home.queue.all()
        if each.edited or each.state in (ProposalState.ACCEPTED, ProposalState.REJECTED)
    }
    return entries, edges, queue, [each.id for each in home.storage.ledger.decisions()]


def test_a_dry_run_and_a_full_run_look_all_the_same(home: Home) -> None:
    assert not consolidate(home, dry_run=True).unchanged
    assert not consolidate(home, full=True).unchanged
    assert consolidate(home).unchanged


def test_what_no_proposal_speaks_of_is_examined_though_nothing_else_changed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bulk import of preferences, and what was left of one that a single run does not get through."""
    assert consolidate(home).unchanged
    monkeypatch.setattr(examining, "MOST_AT_ONCE", 1)
    texts = "We indent with tabs", "We indent with spaces"
    home.storage.memories.put([memory(text, "shop", kind=Kind.PREFERENCE) for text in texts])
    steps = [consolidate(home).steps for _ in range(3)]
    assert steps == [{"examined": 1}, {"examined": 1, "contradiction": 1}, {}]


class Life:
    """A home in which things happen by chance, the same ones for the same seed."""

    def __init__(self, home: Home, clock: FixedClock, seed: int) -> None:
        self.home = home
        self._clock = clock
        self._chance = random.Random(seed)
        self._number = 0

    def pass_a_day(self) -> None:
        """Let a few things happen, and most often a run."""
        self._clock.advance(days=1)
        for _ in range(self._chance.randrange(4)):
            self._chance.choice((self._learn, self._learn, self._edit, self._archive, self._decide))()
        if self._chance.random() < 0.7:
            consolidate(self.home)

    def _learn(self) -> None:
        self._number += 1
        text = f"{self._chance.choice(TEXTS)} Noted for the {self._number}th time."
        project = f"project-{self._chance.randrange(5)}"
        at = self._clock.now() + timedelta(seconds=self._number)
        id = f"0{self._number:017d}"
        self.home.storage.memories.put([memory(text, project, at, id=id)])

    def _edit(self) -> None:
        for lesson in self._some_lesson():
            text = f"{self._chance.choice(TEXTS)} Seen again."
            self.home.storage.memories.update(lesson.id, {"content": text})

    def _archive(self) -> None:
        for lesson in self._some_lesson():
            self.home.storage.memories.update(lesson.id, {"status": Status.ARCHIVED})

    def _some_lesson(self) -> list[MemoryEntry]:
        found = list(self.home.storage.memories.scan(Filter(kinds=(Kind.LESSON,))))
        return [self._chance.choice(found)] if found else []

    def _decide(self) -> None:
        for proposal in self.home.queue.pending()[:1]:
            decide = self._chance.choice((accept, reject))
            if proposal.rule:
                decide(self.home, proposal, by=ADA)


def generalized(home: Home) -> list[Proposal]:
    """Return what waits of the generalizer's own: a conflict is asked about once, when it is met."""
    return [each for each in home.queue.pending() if each.is_generalized]


def told(proposals: list[Proposal]) -> list[tuple[object, ...]]:
    """Return all that a reviewer would act upon; the figures, to what may drift, and ids and dates are left out."""
    return sorted(
        (
            each.kind.value,
            each.rule,
            sorted((one.id, one.revision) for one in each.instances),
            sorted((one.id, one.revision) for one in each.against),
            sorted(one.id for one in each.targets),
            each.suggested_action.value,
        )
        for each in proposals
    )


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000))
def test_runs_over_what_is_new_come_to_what_one_full_run_comes_to(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Whatever was learned, edited, archived and decided between them.

    The proposals are the same ones: their lessons, words and targets exactly, their figures within what may drift. Ids
    and dates are those of the night on which each was first proposed.
    """
    clock = FixedClock(MOMENT)
    with opened(tmp_path_factory.mktemp("life") / "home", clock) as home:
        life = Life(home, clock, seed)
        for _ in range(12):
            life.pass_a_day()
        consolidate(home)
        consolidate(home)
        standing = generalized(home)
        again = consolidate(home, full=True)
        assert (again.added, again.refreshed, again.withdrawn) == ((), (), ())
        _forget_the_queue(home)
        consolidate(home, full=True)
        fresh = generalized(home)
        assert told(fresh) == told(standing)
        for one, other in zip(_by_lessons(fresh), _by_lessons(standing), strict=True):
            assert abs(one.confidence - other.confidence) < DRIFT


def _by_lessons(proposals: list[Proposal]) -> list[Proposal]:
    return sorted(proposals, key=lambda each: [one.id for one in each.instances])


def _forget_the_queue(home: Home) -> None:
    """Take away every proposal that waits or was withdrawn: what follows has only lessons and decisions."""
    folder = home.path / "memory" / "review-queue"
    for each in home.queue.all():
        if each.is_generalized and each.state in (ProposalState.PENDING, ProposalState.WITHDRAWN):
            for path in (folder / f"{each.id}.md", folder / "decided" / f"{each.id}.md"):
                path.unlink(missing_ok=True)
    home.close()
