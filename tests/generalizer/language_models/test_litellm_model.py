"""The adapter over litellm's real client against a scripted server: every way in which a call may end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from email.utils import format_datetime
from typing import Any, Literal

import pytest

from hardwon.generalizer.language_models.litellm_model import LiteLLMModel
from hardwon.kernel.asking.reading import ModelAnswer
from hardwon.kernel.clock import SystemClock
from hardwon.kernel.errors import ModelFailure
from hardwon.kernel.ports import Cost, Prompt
from hardwon.kernel.settings import LanguageModelSettings
from hardwon.testing.conformance import LanguageModelConformance

# The library leaves sockets and an event loop to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
PROMPT = Prompt("word-1", "Say a word.\n", "about x")
Behave = Callable[..., None]


class Word(ModelAnswer):
    word: str


class Verdict(ModelAnswer):
    same: bool
    reason: Literal["words", "numbers"] | None = None


class TestConformance(LanguageModelConformance):
    @pytest.fixture
    def model(self, model: LiteLLMModel, behave: Behave) -> LiteLLMModel:
        behave(("says", '{"same": true, "reason": "Both wait."}'))
        return model

    @pytest.fixture
    def babbling(self, settings: LanguageModelSettings, behave: Behave) -> LiteLLMModel:
        behave(("says", "I would say that they are the same."))
        return LiteLLMModel(settings)


def test_what_goes_over_the_wire(model: LiteLLMModel, server: Any, behave: Behave) -> None:
    """The static part first and the same each time, the schema as the provider enforces it, and no more than asked."""
    behave(("says", '{"word": "yes"}'))
    value, cost = model.complete(PROMPT, Word)
    model.complete(Prompt("word-1", "Say a word.\n", "about y"), Word)
    assert value == Word(word="yes")
    assert cost == Cost(dollars=0.0, tokens_in=2_300, tokens_cached=2_176, tokens_out=12)
    first, second = server.asked
    system, user = first["messages"]
    assert system["role"] == "system"
    assert system["content"].startswith("Say a word.\n")
    assert system == second["messages"][0]
    assert user == {"role": "user", "content": "about x"}
    schema = first["response_format"]["json_schema"]
    assert schema["strict"]
    assert schema["schema"]["required"] == ["word"]
    assert schema["schema"]["additionalProperties"] is False
    assert first["model"] == "scripted"
    assert set(first) == {"model", "messages", "max_tokens", "temperature", "response_format"}


def test_every_name_is_required_in_a_strict_schema() -> None:
    """Providers refuse one with a name that may be left out; pydantic lets it be left out all the same."""
    from hardwon.generalizer.language_models.messages import strict_schema

    schema = strict_schema(Verdict)
    assert schema["required"] == ["same", "reason"]
    assert "default" not in schema["properties"]["reason"]


def test_names_of_properties_are_no_keywords() -> None:
    """A property may be called “title”."""
    from hardwon.generalizer.language_models.messages import strict_schema

    class Titled(ModelAnswer):
        title: str
        default: int

    assert list(strict_schema(Titled)["properties"]) == ["title", "default"]


def test_anthropic_is_told_what_to_cache() -> None:
    from hardwon.generalizer.language_models.messages import messages_of

    (part,) = messages_of("anthropic/claude-sonnet-4-5", PROMPT, Word)[0]["content"]
    assert part["cache_control"] == {"type": "ephemeral"}
    assert isinstance(messages_of("openai/gpt-5-mini", PROMPT, Word)[0]["content"], str)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot help with that.",
        "",
        None,
        "[]",
        '{"word": ["a"]}',
        '{"other": "x"}',
        '{"word": "cut o',
        '{"word": null}',
    ],
)
def test_an_answer_of_no_use_is_shown_and_paid_for(model: LiteLLMModel, behave: Behave, text: str | None) -> None:
    behave(("says", text))
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome == "unusable"
    assert failed.value.answer == (text or "")
    assert failed.value.cost == Cost(0.0, 2_300, 2_176, 12)


def test_an_answer_that_was_filtered_was_declined(model: LiteLLMModel, behave: Behave) -> None:
    behave(("says", "", "content_filter"))
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome == "declined"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (400, "rejected"),
        (401, "rejected"),
        (403, "rejected"),
        (404, "rejected"),
        (408, "timeout"),
        (422, "rejected"),
        (429, "rate-limited"),
        (500, "broken"),
        (502, "broken"),
        (503, "broken"),
        (529, "broken"),
    ],
)
def test_what_a_provider_refuses(model: LiteLLMModel, server: Any, behave: Behave, status: int, outcome: str) -> None:
    """Each status by its kind, after one request: whether to ask again is the caller's to say."""
    behave(("refuses", status))
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome == outcome
    assert len(server.asked) == 1


@pytest.mark.parametrize("given", ["17", "in-17-seconds"])
def test_how_long_a_provider_wants_to_be_left_alone(model: LiteLLMModel, server: Any, given: str) -> None:
    """In seconds or as a date."""
    from datetime import timedelta

    until = SystemClock().now() + timedelta(seconds=60)
    value = given if given.isdigit() else format_datetime(until, usegmt=True)
    server.behaviours = [lambda handler: handler.send(429, b'{"error": {"message": "no"}}', {"retry-after": value})]
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.retry_after is not None
    assert 10 <= failed.value.retry_after <= 60


@pytest.mark.parametrize("content", [b"", b"not json", b"{}", b'{"choices": []}', b"<html>busy</html>", b"[]", b"\xff"])
def test_what_is_no_answer_of_the_protocol(model: LiteLLMModel, server: Any, behave: Behave, content: bytes) -> None:
    behave(("sends", content))
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome in ("broken", "unusable")


def test_a_connection_that_is_cut(model: LiteLLMModel, behave: Behave) -> None:
    behave("hangs_up")
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome in ("broken", "unreachable")


def test_nobody_is_there() -> None:
    model = LiteLLMModel(LanguageModelSettings(model="openai/scripted", api_base="http://127.0.0.1:9/v1", timeout=20))
    with pytest.raises(ModelFailure, match=r"language_model\.api_base") as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome == "unreachable"


def test_a_server_that_never_answers_is_a_timeout(settings: LanguageModelSettings, behave: Behave) -> None:
    behave("never_answers")
    model = LiteLLMModel(settings.model_copy(update={"timeout": 0.5}))
    model.price(1, 1)
    started = time.monotonic()
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome == "timeout"
    assert time.monotonic() - started < 30


def test_without_the_schema_where_the_provider_knows_none(model: LiteLLMModel, server: Any, behave: Behave) -> None:
    """The first refusal counts as an answer of no use, so that the caller's repair asks in words alone."""
    behave(("refuses", 400, "response_format is not supported"), ("says", '```json\n{"word": "yes"}\n```'))
    with pytest.raises(ModelFailure) as failed:
        model.complete(PROMPT, Word)
    assert failed.value.outcome == "unusable"
    assert model.complete(PROMPT, Word)[0] == Word(word="yes")
    assert "response_format" not in server.asked[1]


class TestKeys:
    def test_the_key_comes_from_the_variable_that_is_named(
        self, settings: LanguageModelSettings, server: Any, behave: Behave, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        behave(("says", '{"word": "yes"}'))
        monkeypatch.setenv("MY_KEY", "abc")
        LiteLLMModel(settings.model_copy(update={"api_key": "MY_KEY"})).complete(PROMPT, Word)
        assert server.headers[0]["authorization"] == "Bearer abc"

    def test_a_variable_that_is_not_set_is_named(self, settings: LanguageModelSettings, server: Any) -> None:
        with pytest.raises(ModelFailure, match="MY_MISSING_KEY"):
            LiteLLMModel(settings.model_copy(update={"api_key": "MY_MISSING_KEY"})).complete(PROMPT, Word)
        assert server.asked == []


class TestProxies:
    @pytest.mark.parametrize("proxy", ["http://127.0.0.1:9", "socks5://127.0.0.1:9", "socks5h://127.0.0.1:9"])
    def test_a_model_of_this_machine_is_never_asked_through_one(
        self, settings: LanguageModelSettings, behave: Behave, monkeypatch: pytest.MonkeyPatch, proxy: str
    ) -> None:
        behave(("says", '{"word": "yes"}'))
        for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
            if name.lower() == "all_proxy" or proxy.startswith("http"):
                monkeypatch.setenv(name, proxy)
        monkeypatch.setenv("NO_PROXY", "example.org")
        monkeypatch.delenv("no_proxy", raising=False)
        assert LiteLLMModel(settings).complete(PROMPT, Word)[0] == Word(word="yes")

    def test_others_are(self, server: Any, behave: Behave, monkeypatch: pytest.MonkeyPatch) -> None:
        """The request for a model elsewhere arrives at the proxy."""
        behave(("says", '{"word": "yes"}'))
        monkeypatch.setenv("http_proxy", server.address.removesuffix("/v1"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        elsewhere = LanguageModelSettings(model="openai/scripted", api_base="http://model.invalid/v1", timeout=20)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        assert LiteLLMModel(elsewhere).complete(PROMPT, Word)[0] == Word(word="yes")


class TestPrices:
    def test_a_model_of_this_machine_costs_nothing(self, model: LiteLLMModel) -> None:
        assert model.price(1_000, 1_000) == 0.0

    def test_a_known_one_costs_what_it_costs(self) -> None:
        price = LiteLLMModel(LanguageModelSettings(model="openai/gpt-4o-mini")).price(1_000, 1_000)
        assert price is not None
        assert 0 < price < 0.01

    def test_of_an_unknown_one_nobody_knows(self) -> None:
        assert LiteLLMModel(LanguageModelSettings(model="openai/never-heard-of")).price(1_000, 1_000) is None


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("provider", ["openai/test", "ollama_chat/test"])
def test_what_is_asked_goes_nowhere_else(
    settings: LanguageModelSettings, server: Any, behave: Behave, provider: str, status: int
) -> None:
    """A provider that sends its caller on to another address gets no answer, and nobody else is asked."""
    elsewhere = f"http://localhost:{server.address.rpartition(':')[2]}"
    behave(("sends_on", status, elsewhere), ("says", '{"word": "elsewhere"}'))
    with pytest.raises(ModelFailure, match="its address") as caught:
        LiteLLMModel(settings.model_copy(update={"model": provider})).complete(PROMPT, Word)
    assert caught.value.outcome == "rejected"
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": -(10**9), "completion_tokens": -(10**9), "total_tokens": -(10**9)},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": 10**30, "completion_tokens": 10**30, "total_tokens": 10**30},
    ],
)
def test_what_a_provider_does_not_count_is_estimated(
    model: LiteLLMModel, behave: Behave, usage: dict[str, int] | None
) -> None:
    """A cap in tokens holds for those too who count nothing, or nothing that can be."""
    message = {"role": "assistant", "content": '{"word": "yes"}'}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    whole = {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
    behave(("sends", json.dumps(whole).encode()))
    _, cost = model.complete(PROMPT, Word)
    assert 0 < cost.tokens_in < 1_000
    assert 0 < cost.tokens_out < 1_000
    assert cost.dollars == 0.0
