"""A question is embedded beside whatever its asker goes on to do, and each asker gets the answer to its own."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from hardwon.kernel.ports import Embedder, Role
from hardwon.stores.search import question
from hardwon.stores.search.question import QuestionEmbedder
from hardwon.testing.fakes.embedder import FakeEmbedder

LATE = "The embedder did not answer in time; this is keyword search alone."


class Held(FakeEmbedder):
    """Answers when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        self.texts += texts
        assert self.let_go.wait(30)
        return super().embed(texts, role)


def expected(embedder: Embedder, text: str) -> tuple[str, Sequence[float]]:
    return embedder.name, embedder.embed([text], "query")[0]


def test_the_asker_is_not_kept_waiting_until_it_wants_the_answer() -> None:
    embedder = Held()
    answer = QuestionEmbedder(lambda: embedder).ask("lock")
    embedder.let_go.set()
    assert answer() == expected(embedder, "lock")


def test_each_asker_gets_the_answer_to_its_own_question() -> None:
    embedder = FakeEmbedder()
    asked = QuestionEmbedder(lambda: embedder)
    texts = [f"question {number}" for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(asked.embed, texts))
    assert answers == [expected(embedder, text) for text in texts]


def test_the_thread_ends_when_nobody_asks_and_another_one_answers_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "IDLE", 0.01)
    embedder, before = FakeEmbedder(), set(threading.enumerate())
    asked = QuestionEmbedder(lambda: embedder)
    for text in ("one", "two", "three"):
        assert asked.embed(text) == expected(embedder, text)
        for thread in set(threading.enumerate()) - before:
            thread.join(30)
            assert not thread.is_alive()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_is_answered_by_a_thread_of_its_own() -> None:
    """Those of its parent do not run in it."""
    embedder = FakeEmbedder()
    asked = QuestionEmbedder(lambda: embedder)
    assert asked.embed("before") == expected(embedder, "before")
    child = os.fork()
    if not child:
        is_answered = False
        try:
            is_answered = asked.embed("after") == expected(embedder, "after")
        finally:
            os._exit(not is_answered)
    assert os.waitpid(child, 0)[1] == 0


class Panic(BaseException):
    """As libraries in Rust raise it."""


@pytest.mark.parametrize("error", [ValueError, Panic, SystemExit])
def test_whatever_an_embedder_raises_is_said_at_once(error: type[BaseException]) -> None:
    """Nobody waits for a thread that is gone, and the next question is answered by it."""

    class Broken(FakeEmbedder):
        def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
            raise error("no such layer")

    answer = QuestionEmbedder(Broken).embed("lock")
    assert answer == f"This is keyword search alone: the embedder broke ({error.__name__}: no such layer)."


def test_a_question_whose_asker_went_is_not_embedded_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waited behind an embedder that hung costs nothing when it goes on."""
    monkeypatch.setattr(question, "PAUSE", 0.0)
    embedder = Held()
    asked = QuestionEmbedder(lambda: embedder)
    first = asked.ask("first", 30)
    gone = asked.ask("gone", 0.001)
    assert gone() == LATE
    embedder.let_go.set()
    assert first() == expected(embedder, "first")
    assert asked.embed("last") == expected(embedder, "last")
    assert "gone" not in embedder.texts
