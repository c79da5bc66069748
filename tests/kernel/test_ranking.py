"""Ranking shows what answers, says why the rest is not shown, and keeps every part of every score."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from hardwon.kernel.candidate import Candidate
from hardwon.kernel.ranking import cut, rank, tokens_of
from hardwon.kernel.scope import Context

NOW = 1_800_000_000.0
DAY = 86_400.0
ANYWHERE = Context()


def candidate(id: str, **fields: Any) -> Candidate:
    """Return a candidate that answers well; `fields` say what differs."""
    given: dict[str, Any] = {
        "kind": "lesson",
        "project": None,
        "status": "active",
        "strength": "soft",
        "confidence": 0.5,
        "importance": 0.5,
        "asserted_at": NOW,
        "lexical": 0.6,
        "weight": 1.0,
        "length": 100,
        "words": f"{id} {id}-more",
    }
    return Candidate(id, **(given | fields))


def order(*candidates: Candidate, context: Context = ANYWHERE) -> list[str]:
    """Return the ids of what may be shown, in order."""
    return [each.candidate.id for each in rank(candidates, context, NOW) if each.hidden is None]


@pytest.mark.parametrize(
    "better",
    [
        {"lexical": 0.9},
        {"semantic": 1.0, "cosine": 0.9, "level": 2.0},
        {"confidence": 1.0},
        {"asserted_at": NOW + 300 * DAY},
        {"used": 5},
        {"importance": 1.0},
        {"strength": "hard"},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_each_part_lifts(better: dict[str, Any]) -> None:
    """More relevant, more certain, fresher, more useful, more important, or hard: it stands first."""
    plain = candidate("plain", asserted_at=NOW - 300 * DAY, semantic=0.5, cosine=0.8, level=1.0)
    fields = {"asserted_at": NOW - 300 * DAY, "semantic": 0.5, "cosine": 0.8, "level": 1.0} | better
    assert order(plain, candidate("a better one", **fields)) == ["a better one", "plain"]


def test_what_was_wrong_counts_for_less_each_time() -> None:
    """It loses confidence, never all of it, and has no use."""
    scores = [rank([candidate("it", used=-times)], ANYWHERE, NOW)[0] for times in range(5)]
    assert [each.score for each in scores] == sorted({each.score for each in scores}, reverse=True)
    assert {each.parts["use"] for each in scores} == {0.0}
    assert scores[3].parts["confidence"] == scores[0].parts["confidence"] / 2


def test_relevance_outweighs_all_the_rest() -> None:
    """A certain, fresh, useful memory does not push aside the one that answers."""
    answer = candidate("answer", lexical=1.0, confidence=0.3, asserted_at=NOW - 400 * DAY)
    assert order(candidate("favourite", lexical=0.2, confidence=1.0, used=50), answer)[0] == "answer"


def test_what_answers_too_weakly_is_hidden_with_the_reason() -> None:
    [weak] = rank([candidate("weak", lexical=0.05, weight=0.2)], ANYWHERE, NOW)
    assert weak.hidden == "it answers too weakly"
    assert weak.parts["evidence"] < 1


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"lexical": 0.1, "weight": 0.2, "level": 0.9}, True),
        ({"lexical": 0.1, "weight": 0.2, "level": 0.0}, False),
        ({"lexical": 0.1, "weight": 0.6, "level": 0.0}, True),
        ({"lexical": 0.1, "weight": 0.6, "level": -0.5}, False),
        ({"lexical": 0.1, "weight": 0.6}, True),
        ({"lexical": 0.1, "weight": 0.6, "usual": 0.6}, False),
        ({"lexical": 0.1, "weight": 0.6, "level": 0.0, "usual": 0.6}, False),
        ({"coverage": 0.8, "weight": 0.1, "level": -1.0}, True),
    ],
)
def test_meaning_and_keywords_together_are_evidence(fields: dict[str, Any], shown: bool) -> None:
    """Nearness, keywords that are stronger than everyday tasks find here, or most words of the question."""
    assert bool(order(candidate("one", **fields))) is shown


def test_a_rule_is_found_through_its_lessons() -> None:
    """By the best of itself and its lessons, and a little by the second: one that happens to match is not enough."""
    lessons = [candidate("l1", weight=0.5), candidate("l2", weight=0.5)]
    rule = candidate("rule", kind="rule", lexical=0.02, weight=0.1, members=lessons)
    [ranked] = rank([rule], ANYWHERE, NOW)
    assert ranked.hidden is None
    lone = candidate("rule", kind="rule", lexical=0.0, weight=0.0, members=[candidate("l1", weight=0.48)])
    [ranked] = rank([lone], ANYWHERE, NOW)
    assert ranked.hidden is not None


def test_a_rule_is_measured_against_what_rules_are_found_for() -> None:
    """What everyday tasks find among rules is less than among all that was ever noted."""
    answering = {"lexical": 0.1, "weight": 0.45}
    assert order(candidate("alone", **answering)) == []
    assert order(candidate("rule", kind="rule", **answering, members=[candidate("lesson", **answering)])) == ["rule"]


def test_what_another_project_noted_has_to_answer_better() -> None:
    """Where a reader outside of any project asks all: nobody said yet that it holds elsewhere, as of a rule."""
    noted = {"lexical": 0.3, "weight": 0.7}
    foreign = candidate("foreign", project="a/shop", **noted)
    assert order(foreign) == []
    assert order(foreign, context=Context(project="a/shop")) == ["foreign"]
    assert order(candidate("everybody's", **noted)) == ["everybody's"]
    assert order(candidate("foreign", project="a/shop", coverage=0.8)) == ["foreign"]
    assert order(foreign, candidate("everybody's", **noted), context=Context(project="a/shop"))[0] == "everybody's"


def test_a_narrowed_memory_is_shown_only_where_it_applies() -> None:
    narrow = candidate("narrow", applies_when={"languages": ["Python"]})
    assert order(narrow, context=Context(languages=("python",))) == ["narrow"]
    assert order(narrow, context=Context(languages=("go",))) == []
    assert order(narrow, candidate("open"), context=ANYWHERE) == ["open", "narrow"]


def test_another_agents_memory_is_not_shown() -> None:
    own = candidate("own", agent="reviewer")
    assert order(own, context=Context(agent="reviewer")) == ["own"]
    assert order(own, context=Context(agent="writer")) == []


def test_the_first_ones_differ() -> None:
    """Of two like ones and another, the other comes second."""
    like = "a b c d e f g h"
    first, second = (
        candidate("first", lexical=0.9, words=like),
        candidate("second", lexical=0.85, words=f"{like} i j"),
    )
    other = candidate("third", lexical=0.8, words="u v w x y z")
    assert order(first, second, other) == ["first", "third", "second"]


def test_what_says_the_same_is_shown_once() -> None:
    same = "a b c d e f g h"
    ranked = rank([candidate("one", words=same), candidate("two", words=same)], ANYWHERE, NOW)
    assert [each.hidden for each in ranked] == [None, "another one shown says the same"]


def test_numbers_tell_memories_apart() -> None:
    """“PR 260” and “PR 480” do not say the same."""
    text = " ".join(f"word{number}" for number in range(12))
    assert len(order(candidate("one", words=f"{text} 260"), candidate("two", words=f"{text} 480"))) == 2


def test_limit_and_budget_cut_with_the_reason() -> None:
    ranked = rank([candidate(str(number), lexical=0.9 - number / 100) for number in range(4)], ANYWHERE, NOW)
    ranked[1].candidate.length = 100_000
    assert cut(ranked, limit=2, budget=100) == 52
    assert [each.hidden for each in ranked] == [
        None,
        "it does not fit the budget of 100 tokens",
        None,
        "it is beyond the limit of 2",
    ]


def test_the_best_is_shown_even_if_it_is_long() -> None:
    ranked = rank([candidate("long", length=100_000)], ANYWHERE, NOW)
    cut(ranked, limit=8, budget=10)
    assert ranked[0].hidden is None


def test_equal_scores_have_one_order() -> None:
    """So that what is injected is byte for byte the same for an unchanged state."""
    ones = [candidate(name) for name in "cab"]
    assert order(*ones) == order(*reversed(ones)) == ["a", "b", "c"]


def test_chinese_costs_more_tokens() -> None:
    assert tokens_of("word " * 100) == 126
    assert tokens_of("数据库" * 100) == 301


def test_ranking_needs_neither_pydantic_nor_numpy() -> None:
    """It runs in the hook program."""
    code = "import sys, hardwon.kernel.ranking, hardwon.kernel.text; print({'pydantic', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
