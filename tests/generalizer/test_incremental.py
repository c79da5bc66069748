"""A run looks at what is new; where nothing is, it ends at once. What people do meanwhile stands, and is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.generalizer.catalogue import read_catalogue
from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry, Status
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.consolidating.derived import FOLDER
from hardwon.kernel.use_cases.consolidating.last_look import FILE
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
