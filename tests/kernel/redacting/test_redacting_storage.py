"""Whatever is written through a home's storage or queue is redacted, and nothing else of them changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import PluginError
from hardwon.kernel.home import Home
from hardwon.kernel.journal import JournalTurn
from hardwon.kernel.memory import Lesson
from hardwon.kernel.ports import Filed, Verified
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.redacting.storage import redacting_queue, redacting_storage
from hardwon.kernel.redacting.values import sentence
from hardwon.kernel.scope import Scope
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.testing.conformance import (
    DocumentsConformance,
    JournalConformance,
    LedgerConformance,
    MemoryStoreConformance,
    ReviewQueueConformance,
    StorageConformance,
    VectorsConformance,
)
from hardwon.testing.examples import MOMENT, complete_decision, complete_memory, complete_proposal, memory
from hardwon.testing.fakes import FakeQueue, FakeRedactor, FakeStorage, Kept, open_fake_home
from hardwon.testing.planted_secrets import planted_secrets

SECRET = "opensesame"  # what the fake redactor takes for one
KEY = planted_secrets()["npm"]


class FiledStorage(FakeStorage):
    """A storage that offers more than the port, and something of its own."""

    note = "mine"

    def path_of(self, id: str) -> Path | None:
        return Path("/somewhere") / id


@pytest.fixture
def inner() -> FiledStorage:
    return FiledStorage()


@pytest.fixture
def home(tmp_path: Path, inner: FiledStorage) -> Home:
    return open_fake_home(tmp_path, storage=inner)


class OverRedactingStorage:
    @pytest.fixture
    def storage(self) -> Any:
        return redacting_storage(FakeStorage(), FakeRedactor)


class TestMemories(OverRedactingStorage, MemoryStoreConformance):
    pass


class TestLedger(OverRedactingStorage, LedgerConformance):
    pass


class TestDocuments(OverRedactingStorage, DocumentsConformance):
    pass


class TestVectors(OverRedactingStorage, VectorsConformance):
    pass


class TestJournal(OverRedactingStorage, JournalConformance):
    pass


class TestStorage(StorageConformance):
    @pytest.fixture
    def make_storage(self) -> Any:
        kept = Kept()
        return lambda: redacting_storage(FakeStorage(kept), FakeRedactor)


def test_every_field_of_a_memory_is_redacted(home: Home, inner: FiledStorage) -> None:
    text = f"with {SECRET}"
    full = complete_memory()
    entry = full.model_copy(
        update={
            "external_id": KEY,
            "idempotency_key": f"k:{KEY}",
            "content": text,
            "lesson": Lesson(situation=text, cause=text, fix=text, principle=text),
            "scope": full.scope.model_copy(update={"project": text, "namespace": text, "agent": text}),
            "branch": text,
            "topics": (text, "b"),
            "tags": (text,),
            "source": full.source.model_copy(
                update=dict.fromkeys(("harness", "agent", "file", "url", "evidence"), text)
                | dict.fromkeys(("session", "turn"), KEY)
            ),
            "metadata": {text: [{"a": (text, {"b": text})}], "n": 1},
        }
    )
    kept = home.storage.memories.put([entry])[0]
    assert inner.kept.entries[entry.id] == kept
    dumped = kept.model_dump_json()
    assert SECRET not in dumped
    assert KEY not in dumped
    assert dumped.count("[redacted: word]") == 19
    assert dumped.count("[redacted: npm token]") == 4
    assert kept.times == entry.times


@pytest.mark.parametrize("place", [0, 7, 15, 16, 39])
def test_a_secret_goes_wherever_in_a_batch_it_stands(home: Home, inner: FiledStorage, place: int) -> None:
    """And the others of the batch are handed on as they are, in their order."""
    entries = [memory(f"the build takes {number} minutes") for number in range(40)]
    entries[place] = memory(f"the gate opens with {SECRET}")
    kept = home.storage.memories.put(entries)
    assert SECRET not in kept[place].content
    assert [each for each in kept if each.id != entries[place].id] == [*entries[:place], *entries[place + 1 :]]


def test_private_text_that_is_not_closed_ends_with_its_memory(home: Home) -> None:
    """Memories that are looked through together do not run into each other."""
    first, second = home.storage.memories.put([memory("keep this <private>and not this"), memory("and all of this")])
    assert (first.content, second.content) == ("keep this ", "and all of this")


def test_changes_of_a_memory_are_redacted(home: Home) -> None:
    entry = home.storage.memories.put([memory("Pin the runner.")])[0]
    changes = {
        "content": SECRET,
        "tags": ["a", SECRET],
        "metadata": {"a": {"b": SECRET}},
        "scope": Scope(project=SECRET),
    }
    kept = home.storage.memories.update(entry.id, changes)
    assert SECRET not in kept.model_dump_json()
    assert kept.tags == ("a", "[redacted: word]")


def test_a_name_tells_that_its_value_is_a_secret(home: Home) -> None:
    """Though the value alone is nothing special."""
    metadata = {"db": {"password": "hunter-22"}, "api_token": "k3Jd9fLq2Zx8", "colour": "hunter-22", "tokens": 4096}
    entry = home.storage.memories.put([memory("A fact.", metadata=metadata)])[0]
    assert entry.metadata == {
        "db": {"password": "[redacted: password]"},
        "api_token": "[redacted: token]",
        "colour": "hunter-22",
        "tokens": 4096,
    }


def test_decisions_and_activity_are_redacted(home: Home, inner: FiledStorage) -> None:
    home.storage.ledger.decide(complete_decision(why=SECRET, before=SECRET, after=SECRET, by=SECRET))
    home.storage.ledger.append(iter([Activity(kind="shown", at=MOMENT, session=KEY, details={"a": [SECRET]})]))
    told = f"{list(inner.kept.decisions.values())} {inner.kept.activity}"
    assert SECRET not in told
    assert KEY not in told


def test_documents_are_redacted_when_they_are_written_and_when_they_move(home: Home, inner: FiledStorage) -> None:
    """A person may have written one by hand; where it lies then, it is theirs, where we put it, it is ours."""
    home.storage.documents.write("a.md", f"a {SECRET} <private>b</private>")
    assert inner.kept.documents["a.md"] == "a [redacted: word] <private>b</private>"
    inner.kept.documents["queue/a.md"] = f"by hand {SECRET}"
    home.storage.documents.move("queue/a.md", "decided/a.md")
    assert inner.kept.documents["decided/a.md"] == "by hand [redacted: word]"


def test_the_message_of_a_change_is_redacted(home: Home, inner: FiledStorage) -> None:
    with home.storage.operation(f"Remember {SECRET}"):
        pass
    assert inner.kept.history == ["Remember [redacted: word]"]


def test_turns_are_redacted_and_known_again(home: Home) -> None:
    """Whoever asks with the secret still in it gets the same answer."""
    messages = (Message("m1", Speaker.USER, f"use {SECRET}"), Message("m2", Speaker.TOOL, SECRET, request=SECRET))
    turn = Turn("fake", "s1", "t1", messages)
    home.storage.journal.write([JournalTurn(turn, MOMENT)])
    [block] = home.storage.journal.of_session("s1")
    assert SECRET not in block.said
    assert home.storage.journal.standing([turn]) == ["known"]


def test_proposals_are_redacted_before_a_queue_writes_them(tmp_path: Path) -> None:
    queue = FakeQueue()
    home = open_fake_home(tmp_path, queue=queue)
    proposal = complete_proposal(rule=SECRET, rationale=SECRET, translations={"zh": SECRET}, topic=SECRET)
    home.queue.add([proposal])
    home.queue.settle(proposal.model_copy(update={"metadata": {"a": SECRET}}))
    assert all(SECRET not in each.model_dump_json() for each in queue.all())


def test_what_has_no_secret_is_handed_on_as_it_is(home: Home, inner: FiledStorage) -> None:
    entry = complete_memory()
    assert home.storage.memories.put([entry])[0] is entry
    assert list(home.storage.memories.scan(Filter(statuses=None))) == [entry]


def test_what_a_storage_offers_beyond_the_port_is_found(home: Home, tmp_path: Path) -> None:
    assert isinstance(home.storage, Filed)
    assert home.storage.path_of("x") == Path("/somewhere/x")
    assert not isinstance(home.storage, Verified)
    assert home.storage.note == "mine"  # type: ignore[attr-defined]
    assert not isinstance(open_fake_home(tmp_path / "other").storage, Filed)


def test_private_text_is_dropped_and_counts(home: Home) -> None:
    entry = home.storage.memories.put([memory("Pin it. <private>Ada did not.</private>", tags=("a<private>b",))])[0]
    assert (entry.content, entry.tags) == ("Pin it. ", ("a",))


def test_without_a_redactor_nothing_is_written_and_everything_is_read(tmp_path: Path, inner: FiledStorage) -> None:
    """A setting that names none must not open the door."""
    entry = memory("Kept before.")
    inner.memories.put([entry])
    home = open_fake_home(tmp_path, storage=inner)
    (tmp_path / "config.toml").write_text('redactor = "none"\n', encoding="utf-8")
    home.registry.offer("stores", "other", lambda _home: inner, "test")
    assert list(home.storage.memories.scan(Filter(statuses=None))) == [entry]
    with pytest.raises(PluginError, match="none"):
        home.storage.memories.put([memory("Not kept.")])
    assert list(inner.kept.entries.values()) == [entry]


class TestQueue(ReviewQueueConformance):
    @pytest.fixture
    def queue(self) -> Any:
        return redacting_queue(FakeQueue(), FakeRedactor)


def test_what_was_taken_out_is_one_sentence_with_the_sorts() -> None:
    assert sentence([]) == ""
    assert sentence(["password", "npm token", "password"]) == "Taken out and not kept: npm token, 2 × password."
