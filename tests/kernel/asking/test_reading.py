"""An answer becomes a value of its schema: good items stand, bad ones are told, and what has no shape is refused."""

from __future__ import annotations

from typing import Literal

import pytest
from pydantic import Field

from hardwon.kernel.asking.reading import ModelAnswer, NotJson, read_answer


class Fact(ModelAnswer):
    text: str = Field(min_length=1)
    event: Literal["add", "update"]


class Facts(ModelAnswer):
    facts: list[Fact] = Field(max_length=8)


class Word(ModelAnswer):
    word: str


GOOD = '{"text": "x", "event": "add"}'


def test_all_good_items_are_taken() -> None:
    read = read_answer(f'{{"facts": [{GOOD}, {GOOD}]}}', Facts)
    assert len(read.facts) == 2
    assert read.left_out == ()


@pytest.mark.parametrize(
    "bad",
    ['{"text": "x"}', '{"text": "x", "event": "purge"}', '{"text": "", "event": "add"}', '"x"', "null", "[]", "7"],
)
def test_a_bad_item_costs_itself_alone(bad: str) -> None:
    """A name that is missing, a word that is not known, a wrong type: the items around it stand."""
    read = read_answer(f'{{"facts": [{GOOD}, {bad}, {GOOD}]}}', Facts)
    assert len(read.facts) == 2
    assert len(read.left_out) == 1
    assert read.left_out[0].startswith("facts.1")


def test_more_than_was_asked_for_is_cut() -> None:
    """Of 500 items the first ones are taken, and that others were there is told."""
    read = read_answer('{"facts": [' + ", ".join([GOOD] * 500) + "]}", Facts)
    assert len(read.facts) == 8
    assert read.left_out == ("facts: 492 items more than 8.",)


def test_a_list_without_its_name_is_understood() -> None:
    assert len(read_answer(f"[{GOOD}]", Facts).facts) == 1


def test_further_names_are_passed_over() -> None:
    assert read_answer('{"word": "x", "because": "y"}', Word) == Word(word="x")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"facts": "a string"}', "facts: "),
        ('{"other": 1}', "facts: Field required"),
        ("[1, 2]", None),
        ("{}", "facts: Field required"),
        ("I cannot help.", "no JSON"),
    ],
)
def test_what_has_another_shape_is_refused(text: str, reason: str | None) -> None:
    if reason is None:
        assert read_answer(text, Facts).facts == []
        return
    with pytest.raises(NotJson, match=reason):
        read_answer(text, Facts)


def test_a_reason_does_not_repeat_the_answer() -> None:
    """It goes into the activity, where nobody's text belongs."""
    with pytest.raises(NotJson) as refused:
        read_answer('{"word": ["a private matter"]}', Word)
    assert "private" not in str(refused.value)
