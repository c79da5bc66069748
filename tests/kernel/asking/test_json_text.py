"""What models write instead of JSON is mended where only one reading is left, and refused with a reason elsewhere."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.asking.json_text import NotJson, read_json

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=("Cs", "Cc"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('abc{}[]",\\', max_size=4), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('\ufeff  {"a": 1}\n', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}', {"a": 1}),
        ('Here you are:\n\n{"a": 1}\n\nAnything else?', {"a": 1}),
        ('The set {x | x > 1} is meant: {"a": 1}', {"a": 1}),
        ('<think>{"a": 2} or rather</think>{"a": 1}', {"a": 1}),
        ('{"a": [1, 2,], "b": {"c": 3,},}', {"a": [1, 2], "b": {"c": 3}}),
        ('{"a": "x,}"}', {"a": "x,}"}),
        ('{"a": "x,}",}', {"a": "x,}"}),
        ('{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
        ('{"a": "C:\\path\\x", }', {"a": "C:\\path\\x"}),
        ('{"a": "\\u12", "b": "\\q"}', {"a": "\\u12", "b": "\\q"}),
        ('{"a": "two\nlines\tand a tab"}', {"a": "two\nlines\tand a tab"}),
        ('{"a": "x\\ud83d"}', {"a": "x "}),
        ('{"a": "\\ud83d\\ude00"}', {"a": "😀"}),
        ('{"a\\ud800": 1}', {"a ": 1}),
        ('{"a": 1, "a": 1}', {"a": 1}),
        ('[{"a": 1}]', [{"a": 1}]),
        ('{"items": [{"a": 1}, {"a": 2}, {"a": 3, "b": "cut o', {"items": [{"a": 1}, {"a": 2}]}),
        ('{"items": [{"a": 1}, {"a": 2}', {"items": [{"a": 1}, {"a": 2}]}),
        ('{"结论": "“相同”"}', {"结论": "“相同”"}),
    ],
)
def test_it_is_mended(text: str, value: Any) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the answer is empty"),
        (" \n\t ", "the answer is empty"),
        ("<think>so much to think about</think>", "the answer is empty"),
        ("I cannot help with that.", "the answer holds no JSON"),
        ('{"a": 1, "a": 2}', "the name “a” stands twice with different values"),
        ('{"a": "cut o', "the answer was cut off"),
        ('{"a": {"b": 1}', "the answer was cut off"),
        ('{"a": 1]', "the JSON is broken"),
        ("{'a': 1}", "the JSON is broken"),
        ("[" * 100_000, "the answer was cut off"),
        ('{"a":' * 5_000 + "1" + "}" * 5_000, "the JSON is nested too deeply"),
    ],
)
def test_it_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotJson, match=reason.replace("(", r"\(")):
        read_json(text)


@given(
    st.dictionaries(st.text('abc{}[]",\\', max_size=4), PLAIN, max_size=4),
    st.sampled_from(["", "Sure:\n", "```json\n"]),
)
def test_what_is_json_is_read_as_it_is(value: dict[str, Any], before: str) -> None:
    """Mending changes nothing that needs none, whatever brackets, quotes and backslashes its texts hold."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        expected = json.loads(json.dumps(value))
        text.encode("utf-8")
    except UnicodeEncodeError:
        return
    if "```" not in text and text.isprintable():
        assert read_json(before + text) == expected


@given(st.text(max_size=300))
def test_no_text_does_harm(text: str) -> None:
    """Any text at all gives an object, a list or a reason, and nothing that no store can hold."""
    try:
        value = read_json(text)
    except NotJson:
        return
    assert isinstance(value, (dict, list))
    json.dumps(value, ensure_ascii=False).encode("utf-8")


@given(PLAIN.filter(lambda value: isinstance(value, (dict, list))), st.integers(0, 400))
def test_wherever_it_is_cut_off_nothing_is_made_up(value: Any, length: int) -> None:
    """What is read of the beginning of an answer is a beginning of the answer."""
    text = json.dumps({"items": [value, value]})[:length]
    try:
        read = read_json(text)
    except NotJson:
        return
    if isinstance(read, dict) and isinstance(read.get("items"), list):
        assert len(read["items"]) <= 2
