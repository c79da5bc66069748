"""Who worded a lesson's fields is known, a person's words win, and what cannot stand is told field by field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.lesson_fields import (
    DERIVED,
    FIELDS,
    PERSON,
    WEAK,
    author_of,
    check_fields,
    is_derived,
    is_open,
    marked,
    mending_text,
    unworded,
    worded,
)
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.principle import Fault
from hardwon.testing.examples import memory

PRINCIPLE = "Set a time limit on every network call, and decide what happens when it is reached."
CONTENT = "The worker waited for ever."


def entry(**fields: str) -> MemoryEntry:
    return memory(CONTENT, "shop", lesson=Lesson(**fields))


def test_who_told_the_memory_worded_what_nobody_else_did() -> None:
    assert author_of(entry(cause="No time limit."), "cause") == "user"
    assert author_of(entry(), "cause") is None
    assert is_open(entry(), "cause")


def test_who_words_a_field_later_is_noted() -> None:
    before = entry(cause="No time limit.")
    after = before.model_copy(update=worded(before, {"principle": PRINCIPLE}, DERIVED))
    assert (author_of(after, "principle"), author_of(after, "cause")) == (DERIVED, "user")
    assert is_derived(after)
    assert after.model_copy(update=unworded(after, ["principle"])) == before


def test_a_field_that_a_person_changed_or_took_away_is_theirs() -> None:
    """By hand, in the memory's file; what was taken away is not asked for again."""
    before = entry()
    after = before.model_copy(update=worded(before, {"principle": PRINCIPLE}, DERIVED))
    changed = after.model_copy(update={"lesson": Lesson(principle="Always set a time limit on a call.")})
    assert (author_of(changed, "principle"), is_derived(changed)) == (PERSON, False)
    gone = after.model_copy(update={"lesson": Lesson()})
    assert not is_open(gone, "principle")


@pytest.mark.parametrize(
    ("fields", "faults"),
    [
        ({"cause": "N/A"}, {"cause": [Fault("nothing", "N/A")]}),
        ({"fix": "无"}, {"fix": [Fault("nothing", "无")]}),
        ({"cause": "It hung.", "fix": "it  hung."}, {"fix": [Fault("repeated", "cause")]}),
        ({"situation": "x" * 1001}, {"situation": [Fault("long", "1000")]}),
        ({"principle": "每次网络调用都必须设置超时时间。"}, {"principle": [Fault("language")]}),
        (
            {"principle": "Restart the shop before a network call is made again."},
            {"principle": [Fault("name", "shop")]},
        ),
        ({"cause": "No time limit.", "fix": "A time limit.", "principle": PRINCIPLE}, {}),
    ],
)
def test_a_field_that_cannot_stand_is_told_and_the_others_are_kept(
    fields: dict[str, str], faults: dict[str, list[Fault]]
) -> None:
    checked = check_fields(Lesson(**fields), CONTENT, ["shop"], ["en"])
    assert {each.field: list(each.faults) for each in checked.to_mend} == faults
    kept = {name: words for name, words in fields.items() if name not in faults}
    assert checked.lesson == Lesson(**kept)


def test_a_principle_to_be_mended_is_marked_until_it_is() -> None:
    weak = check_fields(Lesson(principle="It hung."), CONTENT, [], [])
    assert marked({"a": 1}, weak) == {"a": 1, WEAK: "It hung."}
    bare = entry().model_copy(update={"metadata": {"a": 1, WEAK: "It hung."}})
    assert worded(bare, {"principle": PRINCIPLE}, "an agent")["metadata"].keys() == {"a", "worded_by"}


@pytest.mark.parametrize(("language", "example"), [("en", "network call"), ("zh", "网络调用"), ("fr", "network call")])
def test_what_is_to_be_mended_is_told_with_an_example(language: str, example: str) -> None:
    checked = check_fields(Lesson(principle="It hung."), CONTENT, [], [])
    assert example in mending_text(checked.to_mend, language)


@given(
    st.fixed_dictionaries({name: st.none() | st.text() for name in FIELDS}), st.text(), st.lists(st.text(max_size=9))
)
def test_whatever_is_given_is_kept_or_told(fields: dict[str, str | None], content: str, names: list[str]) -> None:
    """Nothing is both, and nothing vanishes."""
    lesson = Lesson(**fields)
    checked = check_fields(lesson, content, names, ["en"])
    told = {each.field: each.given for each in checked.to_mend}
    for name in FIELDS:
        words = getattr(lesson, name) or None
        assert words == (getattr(checked.lesson, name) or told.get(name))
    assert mending_text(checked.to_mend, "en").startswith("To mend: ")
