"""Night after night: the queue is as it should stand, the user's word stands, and nothing happens without a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.generalizer.catalogue import read_catalogue
from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.proposal import Proposal, ProposalState
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.review import accept, reject, undo
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FixedClock

USER = "Ada <ada@example.org>"
MORE = (
    "The search test slept for three seconds and still failed at night; polling helped.",
    "A test with a sleep of one second failed on Mondays when the runner was busy.",
    "Sleeping in the upload test hid a race; the test polls now.",
)


class Nights:
    """A home on disk with the real store and queue, whose nights pass one by one."""

    def __init__(self, path: Path) -> None:
        self.clock = FixedClock(MOMENT)
        self.home = Home(path, clock=self.clock)
        self.home.create()
        (path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        generalizer = OfflineGeneralizer(self.home)
        generalizer.concepts = tuple(read_catalogue(Path(__file__).with_name("small_catalogue.toml")))
        self.home.generalizer = generalizer

    def pass_one(self) -> tuple[int, int, int]:
        """Let a day go by and consolidate; return the numbers of new, refreshed and withdrawn proposals."""
        self.clock.advance(days=1)
        result = consolidate(self.home)
        return len(result.added), len(result.refreshed), len(result.withdrawn)

    def put(self, *lessons: MemoryEntry) -> None:
        self.home.storage.memories.put(lessons)

    @property
    def pending(self) -> list[Proposal]:
        return self.home.queue.pending()

    @property
    def only(self) -> Proposal:
        [proposal] = self.pending
        return proposal

    def documents(self) -> dict[str, bytes]:
        """Return every file of the truth with its content, the history's own files included."""
        root = self.home.path / "memory"
        return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.fixture
def nights(tmp_path: Path, waiting: list[MemoryEntry]) -> Iterator[Nights]:
    nights = Nights(tmp_path / "home")
    nights.put(*waiting)
    yield nights
    nights.home.close()


def more(count: int) -> list[MemoryEntry]:
    """Return further lessons of the same cause, each of a project of its own."""
    return [memory(text, f"further-{place}", MOMENT + timedelta(days=20)) for place, text in enumerate(MORE[:count])]


def test_ten_nights_over_the_same_lessons_change_nothing(nights: Nights) -> None:
    """No proposal, no document and no commit is new after the first."""
    assert nights.pass_one() == (1, 0, 0)
    proposal, documents = nights.only, nights.documents()
    for _ in range(9):
        assert nights.pass_one() == (0, 0, 0)
    assert nights.only == proposal
    assert nights.documents() == documents


def test_a_new_lesson_joins_the_proposal(nights: Nights) -> None:
    nights.pass_one()
    before = nights.only
    nights.put(*more(1))
    assert nights.pass_one() == (0, 1, 0)
    after = nights.only
    assert (after.id, after.created_at) == (before.id, before.created_at)
    assert len(after.instances) == len(before.instances) + 1


def test_a_reworded_lesson_refreshes_the_proposal(nights: Nights) -> None:
    nights.pass_one()
    before = nights.only
    lesson = before.instances[0].id
    nights.home.storage.memories.update(lesson, {"content": "The checkout test slept and was flaky; we poll now."})
    assert nights.pass_one() == (0, 1, 0)
    assert nights.only.id == before.id
    [instance] = [each for each in nights.only.instances if each.id == lesson]
    assert instance.evidence.startswith("The checkout test slept and was flaky")


def test_a_rejected_proposal_stays_away_until_two_lessons_are_new(nights: Nights) -> None:
    """Then it says what it returns from, and is one and the same until it is decided."""
    nights.pass_one()
    rejected = nights.only
    reject(nights.home, rejected, by=USER, why="Too general.")
    assert nights.pass_one() == (0, 0, 0)
    nights.put(more(1)[0])
    assert nights.pass_one() == (0, 0, 0)
    nights.put(more(2)[1])
    assert nights.pass_one() == (1, 0, 0)
    returned = nights.only
    assert returned.id != rejected.id
    assert rejected.id in returned.rationale
    assert nights.pass_one() == (0, 0, 0)
    nights.put(more(3)[2])
    assert nights.pass_one() == (0, 1, 0)
    assert (nights.only.id, nights.only.created_at) == (returned.id, returned.created_at)


def test_a_proposal_rejected_again_stays_away_again(nights: Nights) -> None:
    nights.pass_one()
    reject(nights.home, nights.only, by=USER)
    nights.put(*more(2))
    nights.pass_one()
    reject(nights.home, nights.only, by=USER)
    assert nights.pass_one() == (0, 0, 0)
    assert nights.pending == []


def test_an_accepted_rule_is_not_proposed_again(nights: Nights) -> None:
    """However many lessons join it."""
    nights.pass_one()
    accept(nights.home, nights.only, by=USER)
    nights.put(*more(3))
    assert nights.pass_one() == (0, 0, 0)
    assert nights.pending == []


def test_an_undone_decision_is_the_old_proposal_again(nights: Nights) -> None:
    nights.pass_one()
    before = nights.only
    reject(nights.home, before, by=USER)
    undo(nights.home, nights.home.queue.find(before.id), by=USER)
    nights.pass_one()
    assert nights.only.id == before.id


def document(nights: Nights) -> Path:
    [path] = (nights.home.path / "memory" / "review-queue").glob("*.md")
    return path


def edit(nights: Nights, words: str, others: str) -> None:
    """Change words in the one pending document, as with an editor."""
    path = document(nights)
    text = path.read_text(encoding="utf-8")
    assert text.count(words) == 1
    path.write_text(text.replace(words, others), encoding="utf-8")


def test_the_users_edit_of_a_rule_survives_what_is_new(nights: Nights) -> None:
    nights.pass_one()
    rule = nights.only.rule
    edit(nights, f"> {rule}", "> Tests wait for what they need, said the user.")
    nights.put(*more(1))
    nights.pass_one()
    assert nights.only.rule == "Tests wait for what they need, said the user."
    assert len(nights.only.instances) == 5
    assert nights.pass_one() == (0, 0, 0)


def test_the_users_notes_in_a_document_survive_what_is_new(nights: Nights) -> None:
    nights.pass_one()
    edit(nights, "## Notes\n", "## Notes\n\nAsk Grace whether the mail team agrees. 问一下。\n")
    nights.put(*more(1))
    nights.pass_one()
    assert "Ask Grace whether the mail team agrees. 问一下。" in document(nights).read_text(encoding="utf-8")
    assert len(nights.only.instances) == 5


def test_an_edited_proposal_that_lost_its_lessons_is_left_to_the_user(nights: Nights) -> None:
    nights.pass_one()
    edit(nights, f"> {nights.only.rule}", "> Mine.")
    nights.home.storage.memories.delete([each.id for each in nights.only.instances])
    assert nights.pass_one() == (0, 0, 0)
    assert nights.only.rule == "Mine."


def test_two_causes_are_two_proposals_and_stay_so(nights: Nights, certificates: list[MemoryEntry]) -> None:
    nights.pass_one()
    first = nights.only.id
    nights.put(*certificates)
    added, _, withdrawn = nights.pass_one()
    assert (added, withdrawn) == (1, 0)
    assert first in {each.id for each in nights.pending}
    assert {each.topic for each in nights.pending} == {"testing.sleep", "operations.certificates"}
    assert nights.pass_one() == (0, 0, 0)


class Slow:
    """A generalizer during whose work the user decides."""

    def __init__(self, inner: OfflineGeneralizer, meanwhile: Callable[[], object]) -> None:
        self.inner = inner
        self.meanwhile = meanwhile

    def propose(self, lessons: Sequence[MemoryEntry], *others: Any) -> list[Proposal]:
        proposals = self.inner.propose(lessons, *others)
        self.meanwhile()
        return proposals


@pytest.mark.parametrize("decide", [accept, reject])
def test_what_the_user_decides_meanwhile_wins(nights: Nights, decide: Callable[..., object]) -> None:
    """The night's work began with a pending proposal, and has a new lesson for it."""
    nights.pass_one()
    known = nights.only
    nights.put(*more(1))
    home = nights.home
    home.generalizer = Slow(home.generalizer, lambda: decide(home, nights.only, by=USER))  # type: ignore[arg-type]
    nights.pass_one()
    assert nights.pending == []
    assert home.queue.find(known.id).state in (ProposalState.ACCEPTED, ProposalState.REJECTED)


def test_a_proposal_decided_meanwhile_is_not_withdrawn(nights: Nights) -> None:
    """Its lessons are gone, but its decision stands."""
    nights.pass_one()
    known = nights.only
    nights.home.storage.memories.delete([each.id for each in known.instances[1:]])
    home = nights.home
    home.generalizer = Slow(home.generalizer, lambda: accept(home, nights.only, by=USER))  # type: ignore[arg-type]
    nights.pass_one()
    assert home.queue.find(known.id).state is ProposalState.ACCEPTED


def test_an_edit_made_meanwhile_is_kept(nights: Nights) -> None:
    nights.pass_one()
    rule = nights.only.rule
    nights.put(*more(1))
    change = lambda: edit(nights, f"> {rule}", "> Edited meanwhile.")  # noqa: E731
    nights.home.generalizer = Slow(nights.home.generalizer, change)  # type: ignore[arg-type]
    nights.pass_one()
    assert nights.only.rule == "Edited meanwhile."
    assert len(nights.only.instances) == 5
