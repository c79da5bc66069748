"""The shipped catalogue keeps its own rules, so that whatever it proposes can stand as a rule in both languages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

import pytest

from hardwon.generalizer.catalogue import LANGUAGES, SHIPPED, Concept, read_catalogue, shipped_catalogue
from hardwon.generalizer.cues import CueMatcher
from hardwon.kernel.principle import LONGEST, SHORTEST, length_in_words, principle_problems
from hardwon.kernel.text import language_of

CONCEPTS = shipped_catalogue()
MATCHER = CueMatcher([concept.cues for concept in CONCEPTS])
OWN = 0.75
"""The least share of examples that a strong cue of their own cause is found in (measured: 0.84)."""
STRANGERS = 0.12
"""The greatest share of examples that a strong cue of another cause is found in (measured: 0.09)."""
WIDEST = 10
"""On how many other causes' examples the strong cues of one cause may fire (measured: 7)."""


def named(problems: Mapping[str, object]) -> str:
    return "\n".join(f"{topic}: {problem}" for topic, problem in problems.items())


def test_there_are_many_causes() -> None:
    assert len(CONCEPTS) >= 100


def test_no_topic_is_given_twice() -> None:
    """A later concept would silently replace an earlier one."""
    counts = Counter(concept.topic for concept in read_catalogue(SHIPPED))
    assert [topic for topic, count in counts.items() if count > 1] == []


def test_topics_are_dotted_paths_of_two_to_four_levels() -> None:
    level = r"[a-z0-9]+(?:-[a-z0-9]+)*"
    assert [each.topic for each in CONCEPTS if not re.fullmatch(rf"{level}(?:\.{level}){{1,3}}", each.topic)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_principle_can_stand_as_a_rule(language: str) -> None:
    """It says what to do, is short, and names no file, identifier, version or call."""
    found = {each.topic: principle_problems(each.principle[language]) for each in CONCEPTS}
    assert not any(found.values()), named({topic: problems for topic, problems in found.items() if problems})


def test_every_principle_is_one_sentence_in_its_language() -> None:
    for concept in CONCEPTS:
        english, chinese = concept.principle["en"], concept.principle["zh"]
        assert language_of(english) == "en", concept.topic
        assert language_of(chinese) == "zh", concept.topic
        assert re.fullmatch(r"[A-Z0-9][^.!?]*\.", english), f"{concept.topic}: {english}"
        assert re.fullmatch(r"[^。！？]*。", chinese), f"{concept.topic}: {chinese}"


def test_no_two_causes_have_the_same_principle() -> None:
    for language in LANGUAGES:
        counts = Counter(concept.principle[language] for concept in CONCEPTS)
        assert [text for text, count in counts.items() if count > 1] == []


def test_every_cause_is_told_in_both_languages() -> None:
    """By title, cues and examples."""
    for concept in CONCEPTS:
        assert set(concept.title) == set(concept.principle) == set(LANGUAGES), concept.topic
        for texts in (concept.cues, concept.examples):
            assert {language_of(text) for text in texts} == set(LANGUAGES), concept.topic


def test_every_cause_names_tasks_in_both_languages() -> None:
    """A rule is found by them, so that they are short and each is said in its own language."""
    for concept in CONCEPTS:
        for language in LANGUAGES:
            tasks = concept.tasks[language]
            assert len(tasks) >= 2, concept.topic
            assert all(language_of(task) == language and len(task) <= 100 for task in tasks), concept.topic


def test_every_cue_can_be_found() -> None:
    """Each part of each cue, put into a text, is recognised there: none is mute by a slip of the pen."""
    mute: dict[str, object] = {}
    for number, concept in enumerate(CONCEPTS):
        text = ". ".join(re.sub(r"[*~]", "", cue).replace(" + ", ", ") for cue in concept.cues)
        found = {hit.cue for hit in MATCHER.hits(text) if hit.concept == number}
        missing = {cue.removeprefix("~") for cue in concept.cues} - found
        if missing:
            mute[concept.topic] = missing
    assert not mute, named(mute)


def strong_hits(concept: Concept) -> list[set[int]]:
    """Return, for each example, the concepts that a strong cue speaks for."""
    return [{hit.concept for hit in MATCHER.hits(text) if hit.strong} for text in concept.examples]


def test_strong_cues_speak_for_their_own_cause() -> None:
    """They are found in most of its own examples, and in few of others."""
    own = strangers = examples = 0
    fires: dict[str, set[str]] = defaultdict(set)
    for number, concept in enumerate(CONCEPTS):
        for hits in strong_hits(concept):
            examples += 1
            own += number in hits
            strangers += bool(hits - {number})
            for other in hits - {number}:
                fires[CONCEPTS[other].topic].add(concept.topic)
    widest = sorted(((len(topics), topic) for topic, topics in fires.items()), reverse=True)[:5]
    print(f"{examples} examples: own cue {own / examples:.3f}, another's {strangers / examples:.3f}; widest {widest}")
    assert own / examples >= OWN
    assert strangers / examples <= STRANGERS
    assert widest[0][0] <= WIDEST, widest


def test_length_limits_are_those_of_the_readme() -> None:
    assert (SHORTEST, LONGEST) == (6, 40)
    assert all(
        SHORTEST <= length_in_words(text) <= LONGEST for concept in CONCEPTS for text in concept.principle.values()
    )
