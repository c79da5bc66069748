"""`_topic.md` tells each topic in short: what the memories say, never over a person's words, never in the way."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest

from hardwon.kernel.memory import Kind, Status
from hardwon.kernel.query import Filter
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.files.storage import FilesStorage
from hardwon.stores.files.topic_pages import END, START, page
from hardwon.testing.examples import MOMENT, memory

from .conftest import Open, git, index_of


def pages(folder: Path) -> dict[str, str]:
    """Return every page by its folder below `digest/`."""
    found = sorted(folder.rglob("_topic.md"))
    return {str(path.parent.relative_to(folder / "digest")): path.read_text(encoding="utf-8") for path in found}


@pytest.fixture
def filled(storage: FilesStorage) -> FilesStorage:
    """Return a store with memories of three topics, and a rule on one of them."""
    lesson, *_, rule = storage.memories.put(
        [
            memory("Retry with the same key.", "shop", topics=("pay.retry",), at=MOMENT),
            memory("Webhooks come twice.", "shop", topics=("pay",), at=MOMENT + timedelta(days=3)),
            memory("重试要带同一个键。", topics=("支付",), at=MOMENT),
            memory("No topic at all.", "shop"),
            memory("Send a key with every retry.", kind=Kind.RULE),
        ]
    )
    edge = Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)
    storage.memories.relate([edge])
    storage.tend()
    return storage


def test_a_page_tells_counts_times_topics_below_newest_memories_and_rules(
    filled: FilesStorage, memory_folder: Path
) -> None:
    told = pages(memory_folder)
    assert set(told) == {"shop/pay", "shop/pay/retry", "_global/支付"}
    text = re.sub(r"-01k[0-9a-z]{15}", "-ID", told["shop/pay"])
    assert text.splitlines() == [
        START,
        "# pay",
        "",
        "2 memories, the first of 2026-03-01, the newest of 2026-03-04.",
        "",
        "## Below",
        "",
        "- [retry](<retry/_topic.md>) (1)",
        "",
        "## Newest",
        "",
        "- [[webhooks-come-twice-ID|Webhooks come twice.]] (lesson, 2026-03-04)",
        "- [[retry-with-the-same-key-ID|Retry with the same key.]] (lesson, 2026-03-01)",
        "",
        "## Rules",
        "",
        "- [[send-a-key-with-every-retry-ID|Send a key with every retry.]]",
        END,
    ]
    assert "# pay.retry" in told["shop/pay/retry"]
    assert "# 支付" in told["_global/支付"]


def test_a_page_is_no_memory_no_document_and_no_topic(filled: FilesStorage) -> None:
    assert [each.topic for each in filled.memories.topics()] == ["pay", "pay.retry", "支付"]
    assert filled.documents.names("") == []
    assert filled.problems() == []


def test_keeping_a_memory_writes_no_page_and_nothing_new_writes_nothing(
    filled: FilesStorage, memory_folder: Path
) -> None:
    before = pages(memory_folder)
    filled.memories.put([memory("One more.", "shop", topics=("pay.retry",))])
    assert pages(memory_folder) == before
    filled.tend()
    assert "One more." in pages(memory_folder)["shop/pay/retry"]
    head = git(memory_folder, "rev-parse", "HEAD")
    filled.tend()
    filled.tend()
    assert git(memory_folder, "rev-parse", "HEAD") == head


def test_only_the_pages_of_topics_that_changed_are_written(filled: FilesStorage, memory_folder: Path) -> None:
    filled.memories.put([memory("One more.", "shop", topics=("pay.retry",))])
    filled.tend()
    changed = git(memory_folder, "-c", "core.quotePath=false", "show", "--name-only", "--format=").split()
    assert changed == ["digest/shop/pay/_topic.md", "digest/shop/pay/retry/_topic.md"]


def test_the_same_memories_give_the_same_bytes_whatever_happened_before(
    filled: FilesStorage, memory_folder: Path, home_path: Path, open_store: Open
) -> None:
    before = pages(memory_folder)
    filled.memories.update(next(iter(filled.memories.scan(Filter()))).id, {"confidence": 0.9})
    filled.close()
    index_of(home_path).unlink()
    for path in memory_folder.rglob("_topic.md"):
        path.unlink()
    again = open_store()
    again.tend()
    assert pages(memory_folder) == before


def test_what_a_person_writes_around_the_generated_part_stays(filled: FilesStorage, memory_folder: Path) -> None:
    path = memory_folder / "digest" / "shop" / "pay" / "_topic.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"# Our notes on payments\n\nAsk Ada.\n\n{text}\nPS: see the wiki.\n", encoding="utf-8")
    filled.memories.put([memory("One more.", "shop", topics=("pay",))])
    filled.tend()
    after = path.read_text(encoding="utf-8")
    assert after.startswith("# Our notes on payments\n\nAsk Ada.\n\n<!-- hardwon:topic")
    assert after.endswith("<!-- /hardwon:topic -->\n\nPS: see the wiki.\n")
    assert "One more." in after
    assert "Edit by hand: _topic.md" in git(memory_folder, "log", "--format=%s")


def test_a_page_that_a_person_made_their_own_is_left_alone(filled: FilesStorage, memory_folder: Path) -> None:
    path = memory_folder / "digest" / "shop" / "pay" / "_topic.md"
    path.write_text("# Mine\n", encoding="utf-8")
    filled.memories.put([memory("One more.", "shop", topics=("pay",))])
    filled.tend()
    assert path.read_text(encoding="utf-8") == "# Mine\n"


def test_a_topic_that_is_empty_loses_its_page_and_its_folder(filled: FilesStorage, memory_folder: Path) -> None:
    """Archived, moved or forgotten; what a person wrote on the page stays."""
    by_content = {entry.content: entry for entry in filled.memories.scan(Filter())}
    filled.memories.update(by_content["重试要带同一个键。"].id, {"status": Status.ARCHIVED})
    filled.memories.update(by_content["Retry with the same key."].id, {"topics": ("orders",)})
    filled.tend()
    assert set(pages(memory_folder)) == {"shop/pay", "shop/orders"}
    assert not (memory_folder / "digest" / "_global").exists()
    assert "## Below" not in pages(memory_folder)["shop/pay"]


def test_pages_follow_files_that_a_person_moved(filled: FilesStorage, memory_folder: Path, open_store: Open) -> None:
    [path] = (memory_folder / "digest" / "shop" / "pay" / "retry").glob("retry-*.md")
    target = memory_folder / "digest" / "shop" / "checkout" / path.name
    target.parent.mkdir()
    path.rename(target)
    storage = open_store()
    storage.memories.put([memory("Another.", "shop")])
    storage.tend()
    assert set(pages(memory_folder)) == {"shop/pay", "shop/checkout", "_global/支付"}


@pytest.mark.parametrize(
    ("before", "block", "after"),
    [
        (None, None, None),
        (None, f"{START}\na\n{END}\n", f"{START}\na\n{END}\n"),
        (f"{START}\na\n{END}\n", None, None),
        (f"mine\n{START}\na\n{END}\n", None, "mine\n"),
        ("mine\n", f"{START}\na\n{END}\n", "mine\n"),
        (f"{START}\nnever closed\n", f"{START}\na\n{END}\n", f"{START}\nnever closed\n"),
        (f"x\n{START}\na\n{END}\ny", f"{START}\nb\\1\n{END}\n", f"x\n{START}\nb\\1\n{END}\ny"),
    ],
)
def test_only_the_generated_part_is_replaced(before: str | None, block: str | None, after: str | None) -> None:
    assert page(before, block) == after


def test_two_devices_merge_their_pages_without_a_conflict(
    filled: FilesStorage, memory_folder: Path, tmp_path: Path, open_store: Open
) -> None:
    """The lines of both stand after the merge, and the next time the page says what is there."""
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(memory_folder), str(clone))
    [page] = (clone / "digest" / "shop" / "pay").glob("_topic.md")
    page.write_text(page.read_text(encoding="utf-8").replace("2 memories", "5 memories"), encoding="utf-8")
    git(clone, "commit", "-qam", "Another device")
    filled.memories.put([memory("One more.", "shop", topics=("pay",))])
    filled.tend()
    git(memory_folder, "pull", "-q", "--no-rebase", "--no-edit", str(clone), "HEAD")
    storage = open_store()
    storage.memories.put([memory("And one more.", "shop", topics=("pay",))])
    storage.tend()
    assert "4 memories, the first" in pages(memory_folder)["shop/pay"]
    assert "5 memories" not in pages(memory_folder)["shop/pay"]
    assert storage.problems() == []
