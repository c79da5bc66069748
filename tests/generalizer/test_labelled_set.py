"""What is proposed of lessons whose causes are known (tests/data/lessons/README.md).

The floors lie below what was measured: they find a change for the worse. `-s` prints the figures.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from hardwon.generalizer.evaluation.clusters import PURE
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.principle import is_normative
from hardwon.kernel.proposal import Proposal

from .conftest import DATA

OpenHome = Callable[..., Home]


class Scored:
    """Proposals, and what is known of their lessons. Noise has no cause, so that two of it never agree."""

    def __init__(self, proposals: Sequence[Proposal], labelled: Sequence[Any]) -> None:
        self.proposals = proposals
        self.labelled = labelled
        self.known = {each.lesson.id: each for each in labelled}

    def main_cause(self, proposal: Proposal) -> tuple[str | None, float]:
        """Return the cause that most lessons tell of, and their share."""
        causes = [self.known[each.id].cause or each.id for each in proposal.instances]
        cause, count = Counter(causes).most_common(1)[0]
        return cause, count / len(causes)

    @property
    def pure(self) -> list[Proposal]:
        return [each for each in self.proposals if self.main_cause(each)[1] >= PURE]

    @property
    def pure_share(self) -> float:
        return len(self.pure) / len(self.proposals)

    @property
    def cross_project_share(self) -> float:
        return sum(len(each.projects) > 1 for each in self.proposals) / len(self.proposals)

    @property
    def noise_rejection(self) -> float:
        """Return the share of lessons without a cause that stand in no proposal."""
        proposed = {each.id for proposal in self.proposals for each in proposal.instances}
        noise = {each.lesson.id for each in self.labelled if each.cause is None}
        return len(noise - proposed) / len(noise)

    @property
    def covered(self) -> float:
        """Return the share of causes that a pure proposal is about."""
        causes = {each.cause for each in self.labelled if each.cause}
        return len({self.main_cause(each)[0] for each in self.pure} & causes) / len(causes)

    @property
    def fragmentation(self) -> float:
        """Return the number of pure proposals a covered cause."""
        return len(self.pure) / len({self.main_cause(each)[0] for each in self.pure})

    @property
    def leaks(self) -> list[str]:
        """Return the names of projects, services and functions that stand in a rule in any language."""
        names = {name for each in self.labelled for name in each.names}
        rules = [text for each in self.proposals for text in (each.rule, *each.translations.values())]
        found = {name: re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE) for name in names}
        return [name for name, pattern in found.items() if any(map(pattern.search, rules))]

    @property
    def normative(self) -> float:
        worded = [each.rule for each in self.proposals if each.rule]
        return sum(map(is_normative, worded)) / len(worded)

    def languages(self, proposal: Proposal) -> set[str]:
        return {self.known[each.id].language for each in proposal.instances}

    def __str__(self) -> str:
        names = ("pure_share", "covered", "fragmentation", "cross_project_share", "noise_rejection", "normative")
        mixed = sum(len(self.languages(each)) > 1 for each in self.proposals)
        return f"{len(self.proposals)} proposals, {mixed} of both languages, {len(self.leaks)} leaks, " + ", ".join(
            f"{name} {getattr(self, name):.2f}" for name in names
        )


def scored(home: Home, labelled: Sequence[Any]) -> Scored:
    result = Scored(home.generalizer.propose([each.lesson for each in labelled], [], [], []), labelled)
    print(result)
    return result


@pytest.fixture(scope="module")
def remembered() -> dict[str, Scored]:
    """Return what was scored already: a run of the embedder takes seconds."""
    return {}


@pytest.fixture
def result(bundled_home: Home, labelled: Sequence[Any], remembered: dict[str, Scored]) -> Scored:
    if "bundled" not in remembered:
        remembered["bundled"] = scored(bundled_home, labelled)
    return remembered["bundled"]


def test_the_set_is_what_its_readme_says(labelled: Sequence[Any]) -> None:
    counts = Counter(each.cause for each in labelled)
    noise = counts.pop(None)
    assert (len(labelled), len(counts), noise) == (134, 18, 29)
    assert all(4 <= count <= 8 for count in counts.values())
    assert sum(each.language == "zh" for each in labelled) / len(labelled) >= 0.2
    assert len({each.lesson.scope.project for each in labelled}) == 34


def test_most_proposals_are_about_one_cause(result: Scored) -> None:
    assert result.pure_share >= 0.85


def test_three_quarters_of_the_causes_are_found_once(result: Scored) -> None:
    assert result.covered >= 0.75
    assert result.fragmentation <= 1.5


def test_no_proposal_is_of_one_project(result: Scored) -> None:
    assert result.cross_project_share == 1.0


def test_what_belongs_to_no_cause_is_left_out(result: Scored) -> None:
    assert result.noise_rejection >= 0.8


def test_no_rule_names_anything_of_a_project(result: Scored) -> None:
    assert result.leaks == []


def test_every_rule_says_what_to_do(result: Scored) -> None:
    assert result.normative == 1.0


def test_chinese_and_english_lessons_of_one_cause_stand_together(result: Scored) -> None:
    """In most of the pure proposals: each of their causes was told in both."""
    both = [each for each in result.pure if len(result.languages(each)) == 2]
    assert len(both) >= 0.6 * len(result.pure)


def test_the_best_come_first(result: Scored) -> None:
    """The upper half of the queue is no less pure than the lower."""
    order = [each in result.pure for each in result.proposals]
    half = (len(order) + 1) // 2
    assert sum(order[:half]) / half >= sum(order[half:]) / max(1, len(order) - half)


@pytest.fixture
def told_with_fields(labelled: Sequence[Any]) -> list[Any]:
    """Return the labelled set with what an agent would have saved of each lesson."""
    rows = map(json.loads, (DATA / "generalize_fields.jsonl").read_text(encoding="utf-8").splitlines())
    fields = {row.pop("id"): Lesson(**row) for row in rows}
    assert fields.keys() == {each.lesson.external_id for each in labelled}
    return [
        replace(each, lesson=each.lesson.model_copy(update={"lesson": fields[each.lesson.external_id or ""]}))
        for each in labelled
    ]


def test_fields_find_more_and_mix_no_more(bundled_home: Home, result: Scored, told_with_fields: Sequence[Any]) -> None:
    """Situation, cause, fix and principle are worth the asking."""
    told = scored(bundled_home, told_with_fields)
    assert told.covered > result.covered - 0.06
    assert told.pure_share >= 0.85
    assert told.noise_rejection >= 0.85
    assert (told.leaks, told.normative) == ([], 1.0)


def test_without_an_embedder_little_is_proposed_and_that_is_right(open_home: OpenHome, labelled: Sequence[Any]) -> None:
    """Cues alone recognise less; they do not make the generalizer guess."""
    result = scored(open_home(embedder=None), labelled)
    assert result.pure_share >= 0.75
    assert result.noise_rejection >= 0.9
    assert result.cross_project_share == 1.0
    assert (result.leaks, result.normative) == ([], 1.0)


BOTH = (
    ("shop", "The retry loop had no pause, so all workers hit the broken payment service again at once."),
    ("maps", "After the outage every client retried at the same moment and the server went down a second time."),
    ("bank", "对账服务超时后所有实例立即同时重试，把刚恢复的下游又压垮了。"),
    ("game", "重试没有指数退避，失败的请求不停重发，流量放大了十倍。"),
)


def test_two_languages_make_one_proposal(bundled_home: Home, told: Callable[..., list[MemoryEntry]]) -> None:
    """Where each language alone would not be enough."""
    lessons = told(*BOTH)
    [proposal] = bundled_home.generalizer.propose(lessons, [], [], [])
    assert {each.id for each in proposal.instances} == {each.id for each in lessons}
    assert set(proposal.translations) | {"en", "zh"} == {"en", "zh"}
    assert len(proposal.translations) == 1
