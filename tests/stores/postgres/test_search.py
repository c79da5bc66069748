"""Search on the server finds what search in a file finds, and says the same of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hardwon.kernel.candidate import Candidate
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, MemoryEntry, Status
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.scope import Scope
from hardwon.kernel.settings import PostgresSettings, Settings
from hardwon.kernel.use_cases.embedding import embed_missing
from hardwon.stores.postgres import sample, search
from hardwon.stores.postgres.arranging import arrange, measure
from hardwon.stores.postgres.storage import PostgresStorage
from hardwon.stores.sqlite.storage import SqliteStorage
from hardwon.stores.vectors.languages import LANGUAGES
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FakeEmbedder, FixedClock

from .conftest import OpenHome

SUBJECTS = (
    "连接池 超时",
    "connection pool exhausted",
    "flaky integration test",
    "数据库 迁移 失败",
    "retry with jitter",
)
QUESTIONS = (
    "connection pool",
    "连接池为什么超时",
    "迁移失败怎么办",
    "why is the test flaky",
    "jitter",
    "nothing of this",
)


def entries() -> list[MemoryEntry]:
    """Return memories in two languages, of three projects, the sixth of each subject archived."""
    return [
        memory(
            f"{subject} number {number} {'again ' * (number % 3)}",
            scope=Scope(project=(None, "shop", "api")[number % 3]),
            kind=Kind.RULE if number == 7 else Kind.LESSON,
            status=Status.ARCHIVED if number == 5 else Status.ACTIVE,
        )
        for subject in SUBJECTS
        for number in range(8)
    ]


@pytest.fixture
def both(open_home: OpenHome, tmp_path: Path, request: pytest.FixtureRequest) -> tuple[Home, Home]:
    """Return two homes with the same memories, edges and vectors: on the server, and in a file.

    On the server their numbers begin late and have a gap, as where many memories were forgotten.
    """
    on_server = open_home()
    in_file = Home(tmp_path / "file", clock=FixedClock(), settings=Settings(store="sqlite"))
    request.addfinalizer(in_file.close)
    in_file.create()
    in_file.__dict__["embedder"] = FakeEmbedder()
    server = PostgresStorage(on_server)
    on_server.__dict__["storage"], in_file.__dict__["storage"] = server, SqliteStorage(in_file)
    kept = entries()
    rules = [entry for entry in kept if entry.kind is Kind.RULE]
    lessons = [entry for entry in kept if entry.kind is Kind.LESSON]
    edges = [
        Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=lesson.id, asserted_at=MOMENT)
        for rule, lesson in zip(rules, lessons[::7], strict=False)
    ]
    for home in (on_server, in_file):
        home.storage.memories.put(kept[:10])
        server.database.reserve("memories", 7000)
        home.storage.memories.put(kept[10:])
        home.storage.memories.relate(edges)
        embed_missing(home)
    return on_server, in_file


NUMBERS = ("lexical", "weight", "usual", "coverage", "cosine", "semantic", "level")


def differences(there: Sequence[Candidate], here: Sequence[Candidate]) -> list[str]:
    """Return what is said of one memory and not of its like, a line each; numbers are as exact as halves of floats."""
    by_id = {each.id: each for each in here}
    found = [f"{id} on one side alone" for id in by_id.keys() ^ {each.id for each in there}]
    for one in there:
        if (other := by_id.get(one.id)) is None:
            continue
        pairs = [(name, getattr(one, name), getattr(other, name)) for name in (*NUMBERS, "kind", "length")]
        pairs.append(("members", _members(one), _members(other)))
        found += [f"{one.id} {name}: {a} there, {b} here" for name, a, b in pairs if not _alike(a, b)]
    return found


def _members(candidate: Candidate) -> list[str]:
    return sorted(member.id for member in candidate.members)


def _alike(one: object, other: object) -> bool:
    return abs(one - other) <= 0.02 if isinstance(one, float) and isinstance(other, float) else one == other


@pytest.mark.parametrize("by_words", [True, False], ids=["words", "hybrid"])
@pytest.mark.parametrize(
    "within",
    [Filter(), Filter(projects=("shop", None)), Filter(kinds=(Kind.RULE,)), Filter(as_of=MOMENT, known_at=MOMENT)],
    ids=["all", "a project", "rules", "then"],
)
def test_the_same_candidates_as_in_a_file(both: tuple[Home, Home], within: Filter, by_words: bool) -> None:
    """The same memories for each question, the same rules by their lessons, and the same said of each."""
    for text in QUESTIONS:
        query = Query(text=text, filter=within, by_words=by_words)
        found = differences(*(home.storage.memories.search(query).candidates for home in both))
        assert not found, f"{text}: {len(found)} differences, such as\n" + "\n".join(found[:8])


@pytest.mark.parametrize("few", [2, 10], ids=["by the index", "one by one"])
def test_what_few_memories_are_is_found_by_meaning_too(
    both: tuple[Home, Home], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the nearest of a large store hold few of those asked for, these are looked for by themselves."""
    for name, value in {"FEW": few, "EVEN": 0, "SPARE": 0.1, "DEEP": 3}.items():
        monkeypatch.setattr(search, name, value)
    query = Query(text="connection pool", filter=Filter(kinds=(Kind.RULE,)))
    there, here = (home.storage.memories.search(query).candidates for home in both)
    assert len(there) == len(SUBJECTS)
    # Lessons anywhere are looked at to the same small depth, so that rules find fewer members here.
    assert not [each for each in differences(there, here) if " members: " not in each]
    for home in both:
        home.close()


def test_what_stands_for_the_store_is_read_when_it_changed(
    open_home: OpenHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a large store after some seconds; no question reads it for itself."""
    home = open_home()
    home.__dict__["storage"] = storage = PostgresStorage(home)
    read: list[str] = []
    rows = storage.database.rows

    def noted(sql: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        read.extend([sql] if "halfvec_send" in sql else [])
        return rows(sql, values)

    monkeypatch.setattr(storage.database, "rows", noted)

    def reads(subject: str | None = None) -> int:
        if subject:
            storage.memories.put([memory(subject)])
            embed_missing(home)
        for question in QUESTIONS:
            storage.memories.search(Query(text=question))
        found = len(read)
        read.clear()
        return found

    assert [reads("pool"), reads(), reads("jitter"), reads()] == [1, 0, 1, 0]
    monkeypatch.setattr(sample, "MANY", 0)
    assert [reads("flaky"), reads()] == [0, 0]
    monkeypatch.setattr(sample, "FRESH", -1.0)
    assert reads() == len(QUESTIONS)
    storage.close()


def test_chinese_is_found_by_its_words(both: tuple[Home, Home]) -> None:
    """A word within a sentence without blanks, as PostgreSQL's own parsers would not find it."""
    home, _ = both
    found = home.storage.memories.search(Query(text="超时", by_words=True)).candidates
    assert len(found) == 7


def test_the_index_of_vectors_finds_the_nearest(both: tuple[Home, Home]) -> None:
    """With it, search finds what it finds without; how well is measured for `doctor`."""
    home, _ = both
    storage = home.storage
    assert isinstance(storage, PostgresStorage)
    space = storage.vectors.number("fake-1")
    assert space is not None
    query = Query(text="connection pool", filter=Filter(projects=("shop",)))
    before = {each.id for each in storage.memories.search(query).candidates}
    assert arrange(storage.database, space, "auto") == []
    assert sorted(arrange(storage.database, space, "hnsw")) == [
        f"search_texts_near_{space}_{each}" for each in LANGUAGES
    ]
    assert arrange(storage.database, space, "hnsw") == []
    assert {each.id for each in storage.memories.search(query).candidates} == before
    measured = measure(storage.database, space)
    assert measured.problems == ()
    assert "of the 10 nearest texts" in measured.told[0]
    arrange(storage.database, space, "exact")
    assert "one by one" in measure(storage.database, space).told[0]


def test_two_embedders_never_mix(open_home: OpenHome, postgres: PostgresSettings) -> None:
    """Each machine searches the space of its own embedder, and both find all that is embedded there."""
    one, other = open_home("one"), open_home("other")
    other.__dict__["embedder"] = FakeEmbedder("fake-2", dimensions=32)
    for home in (one, other):
        home.__dict__["storage"] = PostgresStorage(home)
    one.storage.memories.put([memory("connection pool"), memory("retry with jitter")])
    embed_missing(one)
    assert "until embedded" in other.storage.memories.search(Query(text="pool")).notes[0]
    embed_missing(other)
    for home in (one, other):
        found = home.storage.memories.search(Query(text="pool"))
        assert found.notes == []
        assert all(each.cosine is not None for each in found.candidates)


def test_a_vector_that_search_was_not_told_of_is_taken_in(open_home: OpenHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a process was killed between keeping the vector and telling search: the next background mends it."""
    home = open_home()
    home.__dict__["storage"] = storage = PostgresStorage(home)
    [kept] = storage.memories.put([memory("connection pool exhausted")])
    with monkeypatch.context() as killed:
        killed.setattr("hardwon.stores.postgres.indexing.add_vectors", lambda *_: None)
        embed_missing(home)
    assert embed_missing(home) == 0
    query = Query(text="connection pool", filter=Filter(ids=(kept.id,)))
    [found] = storage.memories.search(query).candidates
    assert found.cosine is None
    storage.arrange_vectors()
    [found] = storage.memories.search(query).candidates
    assert found.cosine is not None
