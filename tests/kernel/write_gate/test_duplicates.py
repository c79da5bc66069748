"""A duplicate is evidence for what is known: nothing is kept twice, nothing is lost, and it can be taken back."""

from __future__ import annotations

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry, Source, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import RelationKind
from hardwon.kernel.scope import AppliesWhen, Scope
from hardwon.kernel.use_cases.drafting import save_draft
from hardwon.kernel.use_cases.remembering import forget, remember
from hardwon.kernel.use_cases.usage import EVIDENCE, confidence_of
from hardwon.testing.examples import memory

from .hands import said_in

TEXT = "Run the migrations before starting the API server"
OTHER_WORDS = "Before starting the API server, run the migrations"


def standing(home: Home) -> list[str]:
    return [entry.id for entry in home.storage.memories.scan(Filter())]


def now(home: Home, entry: MemoryEntry) -> MemoryEntry:
    return home.storage.memories.get([entry.id])[entry.id]


@pytest.mark.parametrize(
    ("known", "again"),
    [
        (TEXT, OTHER_WORDS),
        ("Never log access tokens", "Access tokens must not be logged"),
        ("会话三十分钟后过期", "会话 30 分钟后过期。"),
    ],
)
def test_the_known_memory_is_returned_and_said_so(home: Home, known: str, again: str) -> None:
    first = remember(home, memory(known, "shop")).entry
    second = remember(home, memory(again, "shop"))
    assert (second.entry.id, second.is_new) == (first.id, False)
    assert first.id in second.notes[0]
    assert standing(home) == [first.id]


def test_forgetting_tells_which_other_sources_said_the_same(home: Home) -> None:
    """Their words lie in the archive; only the user says whether they go too."""
    first = remember(home, memory(TEXT, "shop")).entry
    assert forget(home, first) == []
    first = remember(home, memory(TEXT, "shop")).entry
    remember(home, memory(OTHER_WORDS, "shop", source=said_in("s2")))
    [other] = forget(home, now(home, first))
    assert (other.content, other.status) == (OTHER_WORDS, Status.ARCHIVED)
    assert forget(home, other) == []
    assert list(home.storage.memories.scan(Filter(statuses=None))) == []


PARTS = Lesson(cause="The schema was older.", principle="Run every migration before the program that needs it starts.")


@pytest.mark.parametrize("words", [TEXT, OTHER_WORDS])
def test_what_is_known_takes_over_the_parts_that_it_lacked(home: Home, words: str) -> None:
    """Whoever gives a principle for what is known has given it: it is neither lost nor only in the archive."""
    first = remember(home, memory(TEXT, "shop", lesson=Lesson(cause="It was too early."))).entry
    again = remember(home, memory(words, "shop", lesson=PARTS))
    assert again.entry == now(home, first)
    assert (again.entry.lesson.cause, again.entry.lesson.principle) == ("It was too early.", PARTS.principle)
    assert "principle" in again.notes[-1]
    assert remember(home, memory(words, "shop", lesson=PARTS)).entry.lesson == again.entry.lesson


@pytest.mark.parametrize(("by", "stands"), [("codex", None), ("user", PARTS.principle)])
def test_a_part_that_a_person_took_away_comes_back_by_a_person_alone(home: Home, by: str, stands: str | None) -> None:
    first = remember(home, memory(TEXT, "shop")).entry
    save_draft(home, first.id, {"principle": str(PARTS.principle)}, by="codex")
    taken = now(home, first).lesson.model_copy(update={"principle": None})
    home.storage.memories.update(first.id, {"lesson": taken})
    remember(home, memory(TEXT, "shop", lesson=PARTS), by=by)
    assert now(home, first).lesson.principle == stands
    if by == "codex":
        assert save_draft(home, first.id, {"principle": str(PARTS.principle)}, by=by).untouched == ("principle",)


def test_both_sources_stay_findable(home: Home) -> None:
    """The other words lie in the archive, linked; said once more, they are known as what they were."""
    first = remember(home, memory(TEXT, "shop")).entry
    remember(home, memory(OTHER_WORDS, "shop", source=said_in("s2")))
    [edge] = home.storage.memories.relations(first.id)
    assert (edge.kind, edge.source) == (RelationKind.DERIVED_FROM, first.id)
    other = home.storage.memories.get([edge.target])[edge.target]
    assert (other.content, other.status, other.source.session) == (OTHER_WORDS, Status.ARCHIVED, "s2")

    again = remember(home, memory(OTHER_WORDS, "shop", source=said_in("s2")))

    assert again.entry.id == first.id
    assert standing(home) == [first.id]
    assert home.storage.memories.relations(first.id) == [edge]


@pytest.mark.parametrize("words", [TEXT, OTHER_WORDS])
def test_another_source_makes_it_surer_and_the_same_one_does_not(home: Home, words: str) -> None:
    first = remember(home, memory(TEXT, "shop", source=said_in("s1"))).entry
    remember(home, memory(words, "shop", source=said_in("s1")))
    assert confidence_of(home, first) == 0.5
    for _ in range(2):
        remember(home, memory(words, "shop", source=said_in("s2")))
        assert confidence_of(home, first) == 0.6
    remember(home, memory(words, "shop", source=Source(said_by="user")))
    assert confidence_of(home, first) == pytest.approx(0.9)


def test_an_observed_memory_is_adopted_once_its_evidence_is_enough(home: Home) -> None:
    weak = memory(TEXT, "shop", source=said_in("s1"), confidence=0.35, status=Status.OBSERVED)
    home.storage.memories.put([weak])
    remember(home, memory(OTHER_WORDS, "shop", source=said_in("s2")))
    assert now(home, weak).status is Status.OBSERVED
    remember(home, memory(OTHER_WORDS, "shop", source=said_in("s3")))
    assert now(home, weak).status is Status.ACTIVE
    assert now(home, weak).confidence == 0.35


def test_what_the_user_stopped_is_not_adopted(home: Home) -> None:
    stopped = memory(TEXT, "shop", source=said_in("s1"), status=Status.OBSERVED, metadata={"stopped": "active"})
    home.storage.memories.put([stopped])
    remember(home, memory(OTHER_WORDS, "shop", source=said_in("s2")))
    assert now(home, stopped).status is Status.OBSERVED


@pytest.mark.parametrize(
    ("known", "new"),
    [
        (Scope(project="shop"), Scope(project="blog")),
        (Scope(project="shop"), Scope()),
        (Scope(project="shop", agent="reviewer"), Scope(project="shop")),
        (
            Scope(project="shop", applies_when=AppliesWhen(languages=("go",))),
            Scope(project="shop", applies_when=AppliesWhen(languages=("rust",))),
        ),
        (Scope(namespace="team", project="shop"), Scope(project="shop")),
    ],
)
def test_what_holds_elsewhere_is_another_memory(home: Home, known: Scope, new: Scope) -> None:
    """Two projects that learn the same are two lessons: that is what rules are made of."""
    home.storage.memories.put([memory(TEXT, scope=known)])
    assert remember(home, memory(OTHER_WORDS, scope=new)).is_new


def test_what_holds_everywhere_is_known_in_a_project(home: Home) -> None:
    known = remember(home, memory(TEXT)).entry
    assert remember(home, memory(OTHER_WORDS, "shop")).entry.id == known.id


def test_evidence_is_recorded_without_words(home: Home) -> None:
    first = remember(home, memory(TEXT, "shop", source=said_in("s1"))).entry
    remember(home, memory(TEXT, "shop", source=said_in("s2")))
    [record] = home.storage.ledger.activity(EVIDENCE)
    assert (record.memory, record.session) == (first.id, "s2")
    assert record.details == {"said_by": "agent", "harness": "some-harness", "project": "shop"}
