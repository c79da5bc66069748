"""Promises of a MemoryStore on what a memory says: every field, every value and every character comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hardwon.kernel.cleaning import DEEPEST, cleaned_content, cleaned_values
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import Channel, Kind, Lesson, MemoryEntry, Status, Strength
from hardwon.kernel.ports import MemoryStore
from hardwon.kernel.query import Filter
from hardwon.kernel.scope import Visibility
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import AWKWARD_METADATA, memory

TEN_MEGABYTES = 10_000_000
"""Bytes of UTF-8."""
SAMPLES = 64
"""Characters of each plane."""
PLANES = {
    plane: "".join(chr(plane * 0x10000 + place * (0x10000 // SAMPLES) + 0x37) for place in range(SAMPLES))
    for plane in range(17)
}
UNSAFE = {
    "nul": "a\x00b",
    "controls": "\x01\x08\x0b\x0c\x0e\x1f\x7f",
    "escape": "\x1b[31mred",
    "c1 controls": "\x80\x85\x9f",
    "lone surrogates": "a\ud800b\udfffc",
    "surrogates in the wrong order": "\udc00\ud800",
    "noncharacters of the first plane": "\ufffe\uffff",
    "noncharacters elsewhere": "\ufdd0\ufdef\U0001fffe\U0001ffff\U0010fffe\U0010ffff",
    "line ends": "a\r\nb\rc\nd",
    "mark of the byte order": "\ufeffa",
    "replacement": "\ufffd",
}
NUMBERS: dict[str, Any] = {
    "beyond 64 bits": [2**63 - 1, 2**63, 2**64, -(2**63) - 1, 10**30],
    "fractions": [0.1, 1e308, 5e-324, -0.5, 1.0, 1e16],
    "kinds": [1, 1.0, True, 0, False, None, "1"],
    "deep": {"a": {"b": {"c": {"d": {"e": [[[[["f"]]]]]}}}}},
    "names": {"": 1, "with space": 2, "dotted.name": 3, "ключ": 4, "🦀": 5, "id": 6, "true": 7},
    "long": "x" * 10_000,
}


def exactly(value: object) -> str:
    """Return a value's JSON: 1, 1.0 and true, which are equal, are told apart."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def kept(store: MemoryStore, entry: MemoryEntry) -> MemoryEntry:
    """Return a memory as it is read after it was put."""
    store.put([entry])
    return store.get([entry.id])[entry.id]


def nested(kind: type, levels: int) -> dict[str, Any]:
    """Return metadata with so many values in one another."""
    value: Any = "innermost"
    for _ in range(levels - 1):
        value = {"a": value} if kind is dict else [value]
    return {"a": value}


class MemoryTexts(OverStorage):
    """Nothing that can be said is changed on the way, but by the one rule of `hardwon.kernel.cleaning`."""

    @pytest.mark.parametrize("name", [*AWKWARD_METADATA, *NUMBERS])
    def test_metadata_keeps_its_types(self, store: MemoryStore, name: str) -> None:
        """A string that looks like a number stays a string, a fraction a fraction, a large number every digit."""
        value = (AWKWARD_METADATA | NUMBERS)[name]
        assert exactly(kept(store, memory("Metadata.", metadata={name: value})).metadata) == exactly({name: value})

    @pytest.mark.parametrize("kind", [list, dict])
    def test_metadata_is_kept_to_a_depth_and_refused_beyond(self, store: MemoryStore, kind: type) -> None:
        """Nothing is written that could not be read back, and nothing breaks over it."""
        deep = kept(store, memory("As deep as it may be.", metadata=nested(kind, DEEPEST - 1)))
        assert deep.metadata == nested(kind, DEEPEST - 1)
        for levels in (DEEPEST, 250, 900):
            with pytest.raises(InvalidInput, match="flatten it"):
                store.put([memory("Too deep.", metadata=nested(kind, levels))])
        assert [entry.id for entry in store.scan(Filter())] == [deep.id]

    @pytest.mark.parametrize(
        "fields",
        [
            {"kind": list(Kind)},
            {"status": list(Status)},
            {"strength": list(Strength)},
            {"channel": list(Channel)},
            {"visibility": list(Visibility)},
            {"confidence": [0.0, 1.0, 1 / 3]},
            {"topics": [("a.b.c.d.e.f.g.h",), ("数据.时区", "ümlaut"), tuple(f"t{number}" for number in range(50))]},
            {"tags": [("same", "same"), ("b", "a"), ("", " ", "two words"), ("'", '"', "%", "_")]},
        ],
        ids=lambda fields: next(iter(fields)),
    )
    def test_every_value_of_a_field_comes_back(self, store: MemoryStore, fields: dict[str, list[Any]]) -> None:
        """In its order and as often as it was given."""
        [(name, values)] = fields.items()
        entries = [memory(f"{number}", **{name: value}) for number, value in enumerate(values)]
        store.put(entries)
        assert store.get([entry.id for entry in entries]) == {entry.id: entry for entry in entries}

    @pytest.mark.parametrize(
        "content",
        [
            "👩‍👩‍👧‍👦 किताब نیم‌فاصله e\u0301 é",
            "---\nkind: rule\n---\nlooks like front matter",
            "```yaml\n---\na: 1\n...\n```",
            "[[a-link]] #tag ^anchor <!-- comment --> %%comment%%",
            "# Heading\n\n\n\nAfter three empty lines\n\n    code  \nend",
            "tab\there, non-breaking\u00a0space, zero\u200bwidth, \u2028 line separator",
            " a \n\n",
            "\n",
            "",
            "'; DROP TABLE memories; -- %s ? :name $1 \\x00",
        ],
        ids=["joiners", "front-matter", "fence", "markdown", "blank-lines", "spaces", "ends", "line", "empty", "sql"],
    )
    def test_content_is_kept_character_by_character(self, store: MemoryStore, content: str) -> None:
        """Nothing in a memory's text is taken for the store's own syntax, normalised or lost."""
        assert kept(store, memory(content)).content == content

    @pytest.mark.parametrize("plane", PLANES)
    def test_characters_of_every_plane_are_kept(self, store: MemoryStore, plane: int) -> None:
        """Assigned or not, in the content as in a field; what no text may hold, by the rule of all stores."""
        text = PLANES[plane]
        entry = kept(store, memory(text, metadata={text: text}, tags=(text,), external_id=text))
        clean = cleaned_content(text)
        assert (entry.content, entry.metadata, entry.tags, entry.external_id) == (
            clean,
            {clean: clean},
            (clean,),
            clean,
        )

    @pytest.mark.parametrize("name", UNSAFE)
    def test_what_no_text_may_hold_is_replaced_by_rule(self, store: MemoryStore, name: str) -> None:
        """The same in every store, and told: what `put` and `update` return is what `get` returns."""
        text = UNSAFE[name]
        entry = memory(text, metadata={"text": text, "list": [text]})
        [returned] = store.put([entry])
        assert returned.content == cleaned_content(text)
        assert returned.metadata == cleaned_values(entry.metadata)
        assert store.get([entry.id]) == {entry.id: returned}
        changes = {"content": f"{text} again", "metadata": {text: 1}, "lesson": Lesson(cause=text), "tags": (text,)}
        changed = store.update(entry.id, changes)
        assert changed.content == cleaned_content(f"{text} again")
        assert (changed.lesson.cause, changed.tags) == (cleaned_values(text), (cleaned_values(text),))
        assert store.get([entry.id]) == {entry.id: changed}

    def test_ten_megabytes_are_kept(self, store: MemoryStore) -> None:
        """A long memory is a memory, to its last character."""
        unit = "and more of the same words\n"
        content = "漢字\n" + unit * (TEN_MEGABYTES // len(unit)) + "終"
        assert kept(store, memory(content)).content == content
