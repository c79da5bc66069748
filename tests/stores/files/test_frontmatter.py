"""What any editor, sync tool or person leaves in a file is read as it is, and survives a change of something else."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.kernel.errors import InvalidInput, UnreadableFile
from hardwon.stores.files.notes.fields import read_entry
from hardwon.stores.files.notes.frontmatter import parse
from hardwon.stores.files.notes.frontmatter_writer import change, scalar, write_block
from hardwon.stores.files.notes.layout import place_of

SAMPLES = Path(__file__).parents[2] / "data" / "synthetic"
PLACE = place_of("digest/shop/ci/note.md")
TAKEN = {
    "bidi_override.md": "Always run make lint",
    "bom.md": "Always run make lint",
    "bom_crlf.md": "Always run make lint",
    "cr_only.md": "Always run make lint",
    "crlf.md": "Always run make lint",
    "rtl_mixed.md": "Always run make lint",
    "rule_not_frontmatter.md": "---\n# Evening notes\n- did a\n---\n- did b",
    "tag_block_hidden.md": "Always run make lint",
    "u2028_u0085.md": "Always run make lint before pushing;\u2028 \x85\x0c",
    "yaml_norway_sexagesimal.md": "Always run make lint",
    "zwj_persian_khmer_ok.md": "Always run make lint",
}
REFUSED = {
    "conflict_markers.md": (8, "merge conflict"),
    "empty.md": (1, "empty"),
    "latin1.md": (8, "UTF-8"),
    "nul.md": (8, "NUL"),
    "only_bom.md": (1, "empty"),
    "two_blocks.md": (5, "second block"),
    "unclosed.md": (1, "never closed"),
    "utf16le_bom.md": (1, "UTF-16"),
    "yaml_alias_star.md": (3, "no valid YAML"),
    "yaml_dup_key.md": (5, "given twice"),
    "yaml_tab.md": (6, "no valid YAML"),
    "yaml_template_braces.md": (6, "template"),
    "yaml_unquoted_colon.md": (3, "no valid YAML"),
    "yaml_windows_path.md": (5, "no valid YAML"),
    "zero_bytes_nul_4k.md": (1, "NUL"),
}


def test_every_sample_is_decided() -> None:
    assert {path.name for path in SAMPLES.glob("*.md")} == TAKEN.keys() | REFUSED.keys()


@pytest.mark.parametrize("name", TAKEN)
def test_valid_files_are_taken(name: str) -> None:
    file = parse((SAMPLES / name).read_bytes(), name)
    assert read_entry(file, PLACE, 0).entry.content.startswith(TAKEN[name])


@pytest.mark.parametrize("name", [name for name in TAKEN if name != "rule_not_frontmatter.md"])
def test_a_valid_file_keeps_its_other_bytes_when_one_field_changes(name: str) -> None:
    before = (SAMPLES / name).read_bytes()
    file = parse(before, name)
    after = change(file, {"confidence": 0.9})
    assert parse(after, name).values() == file.values() | {"confidence": 0.9}
    assert change(parse(after, name), {"confidence": None}) == before


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_parsed_is_refused_with_its_line(name: str) -> None:
    line, reason = REFUSED[name]
    with pytest.raises(UnreadableFile, match=reason) as caught:
        parse((SAMPLES / name).read_bytes(), name)
    assert caught.value.line == line


def test_values_that_yaml_1_1_would_change_stay_what_they_say() -> None:
    file = parse((SAMPLES / "yaml_norway_sexagesimal.md").read_bytes(), "x")
    values = file.values()
    expected = {
        "answer": "no",
        "sleep": "10:00",
        "ver": "1.10",
        "zip": "012345",
        "hash": "1e5",
        "when": "2012-10-11T23:39:45-04:00",
        "day": "2026-03-16",
    }
    assert {key: values[key] for key in expected} == expected


ROUGH = """---
# a comment at the top
id: les-0001
sleep: 10:00
answer: no
ver: 1.10
zip: 012345
hash: 1e5  # keep me
day: 2026-03-16
when: 2012-10-11T23:39:45-04:00
empty:
quoted: 'it''s "fine"'
"odd key": x
literal: |
  one
   # not a comment

  two

folded: >-
  some
  text
tags:
- ci
- lint   # and why

anchor: &a {x: 1}
alias: *a
long: "first
  second"
---
The text.
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_one_changed_field_is_one_changed_line(newline: str, mark: str) -> None:
    before = (mark + ROUGH.replace("\n", newline)).encode()
    after = change(parse(before, "x"), {"answer": "yes"})
    differing = (
        [(old, new) for old, new in zip(before.split(b"\n"), after.split(b"\n"), strict=True) if old != new]
        if newline != "\r"
        else [(before, after)]
    )
    assert len(differing) == 1
    assert after == before.replace(b"answer: no", b'answer: "yes"')


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "value", ["plain", "a: b # c", None, 0.5, ["x", "y, z"], [{"kind": "generalizes", "note": "x"}]]
)
@pytest.mark.parametrize(
    "key", ["sleep", "hash", "empty", "quoted", "odd key", "literal", "folded", "tags", "long", "fresh"]
)
def test_any_field_takes_any_value_and_the_others_keep_theirs(key: str, value: Any, newline: str) -> None:
    file = parse(ROUGH.replace("\n", newline).encode(), "x")
    expected = file.values() | {key: value}
    if value is None:
        del expected[key]
    after = parse(change(file, {key: value}), "x")
    assert after.values() == expected
    assert after.body == file.body
    for line in ("# a comment at the top", "when: 2012-10-11T23:39:45-04:00", "alias: *a"):
        assert line + newline in "".join(after.lines)


def test_a_comment_behind_a_value_stays() -> None:
    after = change(parse(ROUGH.encode(), "x"), {"hash": "2e6"}).decode()
    assert 'hash: "2e6"  # keep me\n' in after


def test_a_change_is_a_small_diff() -> None:
    after = change(parse(ROUGH.encode(), "x"), {"tags": ["ci"], "answer": None}).decode()
    diff = [line for line in difflib.ndiff(ROUGH.splitlines(), after.splitlines()) if line[0] in "+-"]
    assert sorted(diff) == ["+ tags: [ci]", "- - ci", "- - lint   # and why", "- answer: no", "- tags:"]


def test_front_matter_in_braces_is_read_and_not_rewritten() -> None:
    file = parse(b"---\n{id: a, kind: fact}\n---\ntext\n", "x")
    assert file.values() == {"id": "a", "kind": "fact"}
    with pytest.raises(InvalidInput, match="braces"):
        change(file, {"kind": "rule"})


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nJust a rule above.\n",
        "---\nA paragraph between.\n---\nmore\n",
        "---\n* one\n* two\n---\nmore\n",
        "text first\n---\nkey: value\n---\n",
        "***\ntext\n",
        "\n\nblank lines first\n",
    ],
)
def test_a_rule_is_no_front_matter(text: str) -> None:
    file = parse(text.encode(), "x")
    assert not file.has_front_matter
    assert file.body == text


def test_blank_lines_above_front_matter_do_not_make_it_text() -> None:
    assert parse(b"\n\n---\nkind: fact\n---\ntext\n", "x").values() == {"kind": "fact"}


def test_a_second_block_is_never_written() -> None:
    """A note whose text begins with a rule gets one block above it, and is read the same afterwards."""
    data = change(parse((SAMPLES / "rule_not_frontmatter.md").read_bytes(), "x"), {"hardwon": 1, "id": "a"})
    again = parse(data, "x")
    assert again.values() == {"hardwon": 1, "id": "a"}
    assert again.body == (SAMPLES / "rule_not_frontmatter.md").read_text(encoding="utf-8")
    assert change(again, {"id": "b"}).count(b"hardwon") == 1


def test_aliases_that_grow_without_bound_are_refused() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
        f"{name}: &{name} [{', '.join(['*' + before] * 8)}]\n" for before, name in zip("abcdef", "bcdefg", strict=True)
    )
    with pytest.raises(UnreadableFile, match="too large"):
        parse(f"---\n{bomb}---\n".encode(), "x")


ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=60)
TITLES = [
    "# TODO #123", "- dash", "@user", "*star*", "it's", "a: b", "{x}", "[y]", "%z", "!tag", "`code`", "null", "true",
    "~", "  spaces  ", "line\nbreak", "yes", "NO", "1_000", "0x1f", ".inf", "=", "<<", "2026-01-01", "12:30:00", "'",
    '"', "a #b", "ends:", "", "\x85", "\u2028", "\ufeff", "🦀", "a,b", "|", ">", "?", "-", "---", "y", "0o17",
    "1.", "+1",
]  # fmt: skip


@pytest.mark.parametrize("text", TITLES)
def test_any_title_is_the_same_for_us_and_for_another_yaml_reader(text: str) -> None:
    block = write_block({"title": text, "list": [text], "map": {"k": text}})
    expected = {"title": text, "list": [text], "map": {"k": text}}
    assert parse((block + "x\n").encode(), "x").values() == expected
    assert yaml.safe_load(block.strip("-\n")) == expected


@given(ANY_TEXT)
@settings(max_examples=300, deadline=None)
def test_any_text_makes_the_round_trip_through_five_edits(text: str) -> None:
    data = (write_block({"title": text, "n": 0}) + "body\n").encode()
    for number in range(5):
        data = change(parse(data, "x"), {"n": number})
    assert parse(data, "x").values() == {"title": text, "n": 4}


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3), max_leaves=8
)


@given(VALUES)
@settings(max_examples=300, deadline=None)
def test_any_value_that_json_can_say_comes_back(value: Any) -> None:
    assert parse(f"---\nkey: {scalar(value)}\n---\nx\n".encode(), "x").values() == {"key": value}


LINES = st.lists(
    st.sampled_from(
        ["---", "a: 1", "b: [x", "- c", "\t- d", "<<<<<<< x", "", "text", "# c", "k: |", "  in", "...", "{", "é"]
    ),
    max_size=9,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.sampled_from(["", "\ufeff"]))
@settings(max_examples=400, deadline=None)
def test_no_file_whatever_breaks_the_reader_or_loses_a_byte(lines: list[str], newline: str, mark: str) -> None:
    data = (mark + newline.join(lines) + newline).encode()
    try:
        file = parse(data, "x")
    except UnreadableFile:
        return
    assert (file.mark + "".join(file.lines)).encode() == data
    assert change(file, {}) == data or not file.has_front_matter
