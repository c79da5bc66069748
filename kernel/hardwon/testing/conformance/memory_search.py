"""Promises of a MemoryStore on search: what is found, what is left out, and that any text is a query."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from hardwon.kernel.candidate import Candidate
from hardwon.kernel.memory import Kind, MemoryEntry, Status, Times
from hardwon.kernel.ports import MemoryStore
from hardwon.kernel.query import RECALLED, Filter, Query
from hardwon.kernel.scope import AppliesWhen, Scope
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import MOMENT, memory

ANY_TEXT = {
    "empty": "",
    "blank": " \t\n",
    "quote": '"',
    "quotes": '"unclosed \'both` " ""',
    "operators": "AND OR NOT NEAR",
    "near": "NEAR(a b, 5)",
    "star": "* a* ^b -c +d :e",
    "column": "content:secret {a b}:c",
    "parentheses": "((((",
    "sql": "'; DROP TABLE memories; --",
    "percent": "%_\\",
    "emoji": "🦀🔥👩‍👩‍👧‍👦",
    "nul": "nul\x00byte",
    "controls": "\x01\x1b[31m\x7f",
    "chinese": "时区错误",
    "mixed": "修复 timezone バグ مشكلة",
    "right-to-left": "\u202eevil",
    "combining": "e" + "\u0301" * 500,
    "one-word": "a" * 100_000,
    "many-words": "word " * 20_000,
    "many-different-words": " ".join(map(str, range(15_000))),
    "planes": "".join(chr(plane * 0x10000 + 0x1234) for plane in (1, 2, 3, 14, 15, 16)),
}


def ids(entries: Iterable[MemoryEntry | Candidate]) -> set[str]:
    """Return the ids of memories or candidates."""
    return {each.id for each in entries}


class MemorySearch(OverStorage):
    """A store finds; ranking is not its business."""

    def found(self, store: MemoryStore, text: str, **fields: object) -> list[Candidate]:
        """Return the candidates for a text."""
        return store.search(Query.model_validate({"text": text, **fields})).candidates

    def test_a_memory_is_found_by_its_words(self, store: MemoryStore) -> None:
        """In whatever case; a memory that shares no word is no lexical match."""
        wanted, other = memory("Retry the webhook with backoff."), memory("Bananas ripen slowly.")
        store.put([wanted, other])
        scores = {each.id: each.lexical for each in self.found(store, "WEBHOOK")}
        assert 0.0 < scores[wanted.id] <= 1.0
        assert scores.get(other.id, 0.0) == 0.0

    def test_a_memory_is_found_by_chinese_words(self, store: MemoryStore) -> None:
        """Without spaces between words, from two characters on."""
        wanted, other = memory("夏令时切换导致定时任务重复执行。"), memory("支付接口必须幂等。")
        store.put([wanted, other])
        scores = {each.id: each.lexical for each in self.found(store, "定时任务")}
        assert scores[wanted.id] > scores.get(other.id, 0.0) == 0.0

    @pytest.mark.parametrize("name", ANY_TEXT)
    def test_any_text_is_a_query(self, store: MemoryStore, name: str) -> None:
        """Nothing a person can type is an error or a command to the database; the memory is whole afterwards."""
        entry = memory("An ordinary memory about time zones.")
        store.put([entry])
        self.found(store, ANY_TEXT[name])
        assert store.get([entry.id]) == {entry.id: entry}

    @pytest.mark.parametrize("name", ["empty", "blank", "emoji"])
    def test_an_unrelated_query_finds_no_words(self, store: MemoryStore, name: str) -> None:
        """What holds none of a memory's words is no lexical match."""
        store.put([memory("An ordinary memory about time zones.")])
        assert all(each.lexical == 0.0 for each in self.found(store, ANY_TEXT[name]))

    def test_search_keeps_to_its_filter(self, store: MemoryStore) -> None:
        """Kind, status, project, namespace, topic and time limit a search as they limit a scan."""
        entries = [
            memory("needle", kind=Kind.RULE),
            memory("needle", "shop", topics=("data.time",)),
            memory("needle", status=Status.ARCHIVED),
            memory("needle", status=Status.OBSERVED),
            memory("needle", scope=Scope(namespace="elsewhere")),
            memory("needle", times=Times(asserted_at=MOMENT, valid_until=MOMENT)),
        ]
        store.put(entries)
        for filter in (
            Filter(statuses=RECALLED),
            Filter(kinds=(Kind.RULE,)),
            Filter(projects=("shop",)),
            Filter(projects=(None,)),
            Filter(namespace="elsewhere"),
            Filter(topic_prefix="data"),
            Filter(statuses=(Status.ARCHIVED,)),
            Filter(as_of=MOMENT),
        ):
            wanted = ids(store.scan(filter))
            assert wanted
            assert ids(self.found(store, "needle", filter=filter, limit=100)) == wanted, filter

    def test_archived_and_observed_are_not_found_unasked(self, store: MemoryStore) -> None:
        """A query that names no filter finds what is recalled."""
        entries = [memory("needle", status=status) for status in Status]
        store.put(entries)
        assert ids(self.found(store, "needle")) == ids(each for each in entries if each.status in RECALLED)

    def test_a_candidate_tells_what_ranking_needs(self, store: MemoryStore) -> None:
        """Its fields are the memory's."""
        scope = Scope(project="shop", applies_when=AppliesWhen(languages=("python",)))
        entry = memory("needle in Python", scope=scope, confidence=0.25, importance=0.75, kind=Kind.PATTERN)
        store.put([entry])
        [candidate] = self.found(store, "needle")
        assert (candidate.id, candidate.kind, candidate.project) == (entry.id, "pattern", "shop")
        assert (candidate.status, candidate.strength) == ("active", "soft")
        assert (candidate.confidence, candidate.importance) == (0.25, 0.75)
        assert candidate.asserted_at == pytest.approx(MOMENT.timestamp())
        assert candidate.length == len(entry.content)
        assert candidate.applies_when["languages"] == ["python"]

    def test_a_change_is_found_at_once(self, store: MemoryStore) -> None:
        """By its new words and no more by its old ones; what is forgotten is not found at all."""
        entry = memory("Old giraffe.")
        store.put([entry])
        store.update(entry.id, {"content": "New elephant."})
        assert [each.id for each in self.found(store, "elephant") if each.lexical] == [entry.id]
        assert not [each for each in self.found(store, "giraffe") if each.lexical]
        store.delete([entry.id])
        assert not self.found(store, "elephant")

    def test_a_memory_is_found_whatever_it_holds(self, store: MemoryStore) -> None:
        """A memory of a megabyte is found by a word at its end."""
        entry = memory("filler words " * 80_000 + "needle")
        store.put([entry])
        assert ids(self.found(store, "needle")) == {entry.id}

    def test_a_deadline_is_no_error(self, store: MemoryStore) -> None:
        """Who has no time gets what there is, and a sentence about what was not looked at where that is so."""
        store.put([memory(f"needle {number}") for number in range(50)])
        result = store.search(Query(text="needle", deadline=1e-6))
        assert result.candidates or result.notes

    def test_an_empty_store_finds_nothing(self, store: MemoryStore) -> None:
        """And says so without an error."""
        assert self.found(store, "needle") == []
