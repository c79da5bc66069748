"""Links are walked by people: from a rule to its lessons and back, in both files, and by wikilinks in any text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.notes.links import (
    block_of,
    body_of,
    render_block,
    text_of,
    wikilinks,
    with_block,
    without_block,
)
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, file_of

BLOCK = render_block([("generalizes", "a-1", "A | title [x]"), ("relates_to", "b-2", "")])


def generalizes(rule: MemoryEntry, lesson: MemoryEntry) -> Relation:
    return Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)


@pytest.fixture
def pair(storage: FilesStorage) -> tuple[MemoryEntry, MemoryEntry]:
    rule, lesson = memory("Renew before expiry.", kind="rule"), memory("证书过期了。", "shop")
    storage.memories.put([rule, lesson])
    storage.memories.relate([generalizes(rule, lesson)])
    return rule, lesson


def test_a_rule_and_its_lesson_show_each_other(
    pair: tuple[MemoryEntry, MemoryEntry], memory_folder: Path, storage: FilesStorage
) -> None:
    rule, lesson = pair
    rule_file, lesson_file = file_of(memory_folder, rule), file_of(memory_folder, lesson)
    assert f"## Lessons\n- [[{lesson_file.stem}|证书过期了。]]\n" in rule_file.read_text(encoding="utf-8")
    assert f"## Rules\n- [[{rule_file.stem}|Renew before expiry.]]\n" in lesson_file.read_text(encoding="utf-8")
    assert storage.memories.get([rule.id, lesson.id]) == {rule.id: rule, lesson.id: lesson}


def test_a_link_that_is_taken_back_disappears_from_both_and_stays_in_the_record(
    pair: tuple[MemoryEntry, MemoryEntry], memory_folder: Path, storage: FilesStorage
) -> None:
    rule, lesson = pair
    storage.memories.unrelate([generalizes(rule, lesson)], MOMENT)
    for entry in pair:
        assert "[[" not in file_of(memory_folder, entry).read_text(encoding="utf-8")
    assert "retracted_at" in file_of(memory_folder, rule).read_text(encoding="utf-8")
    storage.reindex()
    assert storage.memories.relations(rule.id) == []
    storage.memories.relate([generalizes(rule, lesson)])
    assert storage.memories.relations(rule.id) == [generalizes(rule, lesson)]


def test_the_block_changes_nothing_of_the_rest(
    pair: tuple[MemoryEntry, MemoryEntry], memory_folder: Path, storage: FilesStorage
) -> None:
    _, lesson = pair
    path = file_of(memory_folder, lesson)
    edited = path.read_text(encoding="utf-8") + "\nMine, below the block.\n"
    path.write_text(edited, encoding="utf-8")
    other = memory("Another rule.", kind="rule")
    storage.memories.put([other])
    storage.memories.relate([generalizes(other, lesson)])
    after = path.read_text(encoding="utf-8")
    added = f"- [[{file_of(memory_folder, other).stem}|Another rule.]]\n"
    assert after.replace(added, "") == edited
    assert storage.memories.get([lesson.id])[lesson.id].content == "证书过期了。\n\nMine, below the block."


def test_a_forgotten_memory_leaves_no_link(
    pair: tuple[MemoryEntry, MemoryEntry], memory_folder: Path, storage: FilesStorage
) -> None:
    rule, lesson = pair
    storage.memories.delete([lesson.id])
    assert lesson.id not in file_of(memory_folder, rule).read_text(encoding="utf-8")
    assert storage.memories.relations(rule.id) == []
    storage.reindex()
    assert storage.problems() == []


def test_an_edge_written_by_hand_into_the_front_matter_stands(
    pair: tuple[MemoryEntry, MemoryEntry], memory_folder: Path, storage: FilesStorage, open_store: Open
) -> None:
    rule, lesson = pair
    path = file_of(memory_folder, lesson)
    text = path.read_text(encoding="utf-8").replace(
        "kind: lesson\n", f"kind: lesson\nrelations:\n- kind: contradicts\n  target: {rule.id}\n"
    )
    path.write_text(text, encoding="utf-8")
    kinds = {each.kind for each in open_store().memories.relations(rule.id)}
    assert kinds == {RelationKind.GENERALIZES, RelationKind.CONTRADICTS}


def test_a_wikilink_in_a_text_is_a_relation_for_as_long_as_it_stands_there(
    storage: FilesStorage, memory_folder: Path
) -> None:
    one, two = memory("One.", "shop"), memory("Two.", "shop")
    storage.memories.put([one, two])
    path = file_of(memory_folder, one)
    before = path.read_text(encoding="utf-8")
    path.write_text(before + f"See [[{file_of(memory_folder, two).stem}|that]].\n", encoding="utf-8")
    assert storage.memories.get([one.id])[one.id].content.endswith("|that]].")
    [edge] = storage.memories.relations(two.id)
    assert (edge.source, edge.kind, edge.target) == (one.id, RelationKind.RELATES_TO, two.id)
    storage.reindex()
    assert storage.memories.relations(two.id) == [edge]
    path.write_text(before, encoding="utf-8")
    storage.memories.get([one.id])
    assert storage.memories.relations(two.id) == []


def test_a_wikilink_finds_a_renamed_file_and_one_that_comes_later(
    storage: FilesStorage, memory_folder: Path, open_store: Open
) -> None:
    one = memory("See [[later note]] and [[nowhere]].", "shop")
    storage.memories.put([one])
    assert [each.what.split("]]")[0][-7:] for each in storage.problems()] == ["er note", "nowhere"]
    (memory_folder / "digest" / "shop" / "Later Note.md").write_text("---\nid: n1\n---\nLater.", encoding="utf-8")
    storage = open_store()
    assert [each.target for each in storage.memories.relations(one.id)] == ["n1"]
    assert len(storage.problems()) == 1


def test_a_dangling_edge_is_reported(storage: FilesStorage, memory_folder: Path, open_store: Open) -> None:
    path = memory_folder / "rules" / "r.md"
    path.parent.mkdir(parents=True)
    path.write_text(
        "---\nid: r1\nkind: rule\nrelations: [{kind: generalizes, target: gone}]\n---\nR.", encoding="utf-8"
    )
    [problem] = open_store().problems()
    assert "generalizes gone" in problem.what


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[[a]] [[b|alias]] [[c#heading]] [[d^block]] [[folder/e.md]]", ["a", "b", "c", "d", "e"]),
        ("`[[a]]` and\n```\n[[b]]\n```\n~~~\n[[c]]\n~~~", []),
        ("if [[ -f x ]]; then", []),
        ("![[image.png]] [[note]]", ["note"]),
        ("[[a]] [[a|again]]", ["a"]),
        ("[[没有空格]]", ["没有空格"]),
        ("[[a\nb]] [[]] [[|x]]", []),
    ],
)
def test_what_is_a_wikilink(text: str, names: list[str]) -> None:
    assert wikilinks(text) == names


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=80))
def test_any_content_comes_back_with_and_without_a_block(content: str) -> None:
    content = without_block(content)
    for block in ("", BLOCK):
        body = body_of(content, block)
        assert text_of(body) == content
        assert block_of(body) == block
        assert text_of(with_block(body, "")) == content
        assert text_of(with_block(body, BLOCK)) == content


def test_a_title_cannot_end_its_link() -> None:
    assert "- [[a-1|A title x ]]" in BLOCK or "- [[a-1|A title x]]" in BLOCK
    assert "- [[b-2|untitled]]" in BLOCK
