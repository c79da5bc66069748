"""The strict reader of our own front matter reads what YAML reads, to the offset, or leaves it to YAML."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardwon.kernel.errors import UnreadableFile
from hardwon.stores.files.notes.fields import values_of
from hardwon.stores.files.notes.frontmatter import _parse_any, _parse_own
from hardwon.stores.files.notes.frontmatter_writer import write_block
from hardwon.stores.files.notes.layout import place_of
from hardwon.testing.examples import MOMENT, related_lessons

PARTS = st.sampled_from([
    "hardwon", "id", "tags", "relations", "kind", "x-y", "ключ", "键", ":", ": ", " ", "  ", "- ", "  - ", "\n", "\n\n",
    "[", "]", "{", "}", ", ", ",", '"', "'", "\\", '\\"', "\\n", "\\u00e9", "\\ud83d", "\\ude00", "\\u0000", "\\x41",
    "\\/", "#", " #", "&a ", "*a", "!!str ", "|", ">", "%", "@", "`", "?", "---", "...", "null", "~", "true", "no", "1",
    "0", "1.50", "0.5", "-3", "1e5", "0x1F", "1_000", ".inf", "2024-01-01T00:00:00+00:00", "10:00", "12:", "a", "b c",
    "字", "🦀", "\t", "\u00a0", "\u2028", "\ufeff", "\x7f", "\x85", "<<", "=", "(x)", "it's", "kind: rule", "lesson",
])  # fmt: skip
VALUES: Any = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def same(text: str) -> bool:
    """Assert that both readers say the same, if the strict one says anything; return whether it did."""
    strict = _parse_own(text)
    if strict is None:
        return False
    by_yaml = _parse_any(text, "x.md")
    assert json.dumps(strict.values()) == json.dumps(by_yaml.values())
    assert dict(strict.fields) == dict(by_yaml.fields)
    assert (strict.first, strict.last, strict.body) == (by_yaml.first, by_yaml.last, by_yaml.body)
    assert (strict.lines, strict.newline, strict.mark) == (by_yaml.lines, by_yaml.newline, by_yaml.mark)
    assert strict.in_braces == by_yaml.in_braces
    return True


@settings(max_examples=400, deadline=None)
@given(st.lists(st.lists(PARTS, max_size=6).map("".join), max_size=6), st.lists(PARTS, max_size=4).map("".join))
def test_any_text_is_read_alike_or_left_to_yaml(lines: list[str], body: str) -> None:
    same("---\nhardwon: 1\n" + "\n".join(lines) + "\n---\n" + body)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(PARTS, max_size=7).map("".join), st.sampled_from(["{}", '"{}"', "[{}]", "[a, {}]", "{{k: {}}}", '["{}"]'])
)
@example("relations:", "{}")
def test_any_value_is_read_alike_or_left_to_yaml(value: str, around: str) -> None:
    same(f"---\nhardwon: 1\nkey: {around.format(value)}\n---\nText.\n")


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.text(max_size=10), VALUES, max_size=6))
def test_whatever_we_write_is_read_alike(values: dict[str, Any]) -> None:
    text = write_block({"hardwon": 1, **values}) + "Text.\n"
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    try:
        same(text)
    except UnreadableFile:
        pytest.fail("the strict reader took what YAML cannot read")


def test_what_memories_say_is_read_by_the_strict_reader() -> None:
    """Else it would be of no use."""
    for lesson in related_lessons():
        values = values_of(lesson, place_of("digest/shop/ci/x.md"))
        edges = [{"kind": "generalizes", "target": lesson.id, "asserted_at": MOMENT, "note": 'a "note", 注'}] * 2
        assert same(write_block({**values, "relations": edges, "my key": 1}) + "Text.\n") is False
        assert same(write_block({**values, "relations": edges, "mine": [1, "a, b"]}) + "Text.\n")


@pytest.mark.parametrize(
    "line",
    [
        "key: value # a comment", "key: 'quoted'", "key: |\n  text", "key: a: b", "key:", "key: >-\n  folded\n  text",
        "key: &anchor a", "key: *alias", "key: !!str 1", "? key", "key: {a: 1, a: 2}", "key: a\n  b", "hardwon: 2",
        'key: "a\\x41"', "key:\tvalue", "- item", "key: [a,b]", "key: {a: }", "key: [a, ]", "# only a comment",
        "key: a ",
    ],
)  # fmt: skip
def test_what_is_written_in_another_way_is_left_to_yaml(line: str) -> None:
    assert _parse_own(f"---\nhardwon: 1\n{line}\n---\nText.\n") is None
