"""A value goes into a settings file and comes out again, and every other byte stays where it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hardwon_command_hooks.json_edit import put, replace, take
from hardwon_command_hooks.json_text import COMMENTED, STRICT, Dialect, NotJson, parse

OURS = {"hooks": [{"type": "command", "command": '"/usr/bin/python3" -I 家', "timeout": 5}]}
values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(), inner, max_size=3),
    max_leaves=12,
)


def last(text: str) -> tuple[str, object]:
    """Return the text without its last member, and that member's value."""
    node = parse(text)
    assert node.members
    return take(text, node, node.members[-1]), node.members[-1].node.data()


@given(
    some.dictionaries(some.text(), values, max_size=4) | some.lists(values, max_size=4),
    some.sampled_from([None, 0, 1, 2, 4, "\t"]),
    some.sampled_from(["\n", "\r\n"]),
    some.sampled_from([(",", ":"), (", ", ": ")]),
    some.sampled_from(["", "\n"]),
)
def test_in_and_out_leaves_every_byte(document, indent, line_end, separators, end) -> None:
    """Whatever the indentation, the line ends, and with or without a final newline."""
    if indent is not None:
        separators = (",", ": ")
    text = json.dumps(document, indent=indent, separators=separators, ensure_ascii=False).replace("\n", line_end) + end
    key = "hardwon" if isinstance(document, dict) else None
    edited = put(text, parse(text), OURS, key)
    expected = {**document, "hardwon": OURS} if isinstance(document, dict) else [*document, OURS]
    assert json.loads(edited) == expected
    assert last(edited) == (text, OURS)


def beside_comments(text: str) -> list[tuple[str, str]]:
    """Return each comment that ends a line, with what stands before it."""
    lines = (line.partition("//") for line in text.splitlines() if "//" in line)
    return [(before.strip().rstrip(","), comment) for before, _, comment in lines]


ANNOTATED = [
    '{\n  // mine\n  "a": 1, // one\n  "b": 2 // two\n}\n',
    '{\n  "a": 1,\n  "b": 2, // two\n}\n',
    '{\n  "a": 1,\n  "b": 2,\n  // nothing more\n}',
    "{ // nothing yet\n}",
    '{\n  "a": [1, 2], /* x */\n  "b": {} /* y\n z */\n}',
    '{"a": 1, "b": 2 /* two */}',
    '{\r\n\t"a": 1, // one\r\n\t"b": 2 // two\r\n}\r\n',
    '{"a": 1, "a": 2}',
    '{\n    "deep": {"x": 1}\n}',
]


@pytest.mark.parametrize("text", ANNOTATED)
def test_comments_stay_beside_what_they_are_about(text: str) -> None:
    """A comment at the end of a line belongs to that line; a trailing comma stays the file's manner."""
    edited = put(text, parse(text), OURS, "hardwon")
    assert parse(edited).data() == {**parse(text).data(), "hardwon": OURS}
    without, ours = last(edited)
    assert ours == OURS
    assert without == text
    assert beside_comments(edited) == beside_comments(text)


@pytest.mark.parametrize("text", ANNOTATED)
def test_any_member_can_be_taken(text: str) -> None:
    """The rest is a valid file with all other values."""
    node = parse(text)
    for member in node.members or []:
        rest = parse(take(text, node, member))
        kept = [(each.key, each.node.data()) for each in node.members or [] if each is not member]
        assert [(each.key, each.node.data()) for each in rest.members or []] == kept


def test_an_empty_place_is_filled_in_the_manner_of_the_file() -> None:
    """Four spaces where the file has four."""
    text = '{\n    "theme": "dark",\n    "hooks": {}\n}\n'
    hooks = parse(text).get("hooks")
    assert hooks
    assert put(text, hooks, [1], "Stop") == (
        '{\n    "theme": "dark",\n    "hooks": {\n        "Stop": [\n            1\n        ]\n    }\n}\n'
    )


def test_a_value_is_replaced_in_its_place() -> None:
    """Nothing around it moves."""
    text = '{\n  "a": {\n    "x": 1\n  }, // mine\n  "b": 2\n}'
    node = parse(text).get("a")
    assert node
    assert replace(text, node, {"y": 2}) == '{\n  "a": {\n    "y": 2\n  }, // mine\n  "b": 2\n}'


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"a" 1}', '{"a": 1,, "b": 2}', "[1 2]", "{a: 1}", '{"a": NaN}', "{} {}", "{\"a\": 'x'}", "[" * 100_000],
)
def test_what_is_not_valid_is_refused(text: str) -> None:
    """With the place, so that a person can mend it."""
    with pytest.raises(NotJson, match=r"line \d+, column \d+"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "dialect"), [("[1,]", COMMENTED), ("[1,]", STRICT), ("[1] // x", STRICT), ("/* x */ {}", STRICT)]
)
def test_what_a_harness_does_not_take_is_not_valid(text: str, dialect: Dialect) -> None:
    """Observed: Claude Code takes plain JSON, Gemini CLI and Qwen Code comments too, none of them trailing commas."""
    parse(text)
    with pytest.raises(NotJson):
        parse(text, dialect)


@given(some.text(alphabet='{}[],:"\\/* \n1a'))
def test_nothing_breaks_the_reader(text: str) -> None:
    """Any text is read or refused."""
    try:
        node = parse(text)
    except NotJson:
        return
    assert parse(put(text, node, 1, "k" if node.is_object else None)) if node.members is not None else True
