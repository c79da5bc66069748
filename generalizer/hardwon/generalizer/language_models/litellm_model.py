"""Any provider's language model through the package `litellm`, which takes seconds to import: only for a call."""

from __future__ import annotations

import contextlib
import importlib
import logging
import math
import os
import warnings
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hardwon.generalizer.language_models.failures import failure_of
from hardwon.generalizer.language_models.messages import messages_of, strict_schema
from hardwon.kernel.asking.reading import NotJson, read_answer
from hardwon.kernel.errors import ModelFailure, Unavailable
from hardwon.kernel.litellm_switches import is_loopback, keep_litellm_to_itself, never_proxy_loopback
from hardwon.kernel.ports import LONGEST_ANSWER, Cost
from hardwon.kernel.ranking import tokens_of
from hardwon.kernel.redirects import without_redirects

if TYPE_CHECKING:
    from hardwon.kernel.ports import Prompt
    from hardwon.kernel.ports.thinking import Answer
    from hardwon.kernel.settings import LanguageModelSettings, Settings

MOST_TOKENS = 1_000_000_000
"""No call takes as many: a provider that says so is not believed."""
NO_KEY = "none"
"""What is sent where a server of this machine asks for no key."""


class LiteLLMModel:
    """One provider's model."""

    def __init__(self, settings: LanguageModelSettings) -> None:
        self._settings = settings
        self._takes_schema = True
        """Until the provider says that it does not."""

    @property
    def name(self) -> str:
        """Return the provider's name of the model."""
        return self._settings.model

    @cached_property
    def _litellm(self) -> Any:
        """Return the package, imported without a network call. Raises Unavailable."""
        keep_litellm_to_itself()
        never_proxy_loopback(self._settings.api_base)
        try:
            with _quiet():
                litellm: Any = importlib.import_module("litellm")
        except ImportError as error:
            raise Unavailable(
                f"litellm is not installed ({error}); install hardwon[litellm], or set language_model.model to nothing."
            ) from None
        litellm.telemetry = False
        litellm.suppress_debug_info = True
        for logger in ("LiteLLM", "httpx", "openai"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        return litellm

    def price(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return US dollars; 0 for a server of this machine whose model has no price, None where nobody knows."""
        litellm = self._litellm
        try:
            with _quiet():
                asked, answered = litellm.cost_per_token(
                    model=self.name, prompt_tokens=tokens_in, completion_tokens=tokens_out
                )
        except Exception:  # it raises classes of its own for what it does not know
            return 0.0 if is_loopback(self._settings.api_base) else None
        return float(asked + answered)

    def complete(self, prompt: Prompt, schema: type[Answer]) -> tuple[Answer, Cost]:
        """Return the validated value and what it took. Raises ModelFailure, and Unavailable without the package."""
        litellm = self._litellm
        with_schema = self._takes_schema
        try:
            with _quiet(), without_redirects():
                response = litellm.completion(**self._request(prompt, schema, with_schema))
            text, finished = _said(response)
            cost = self._cost(litellm, response, prompt, text)
        except Exception as error:  # litellm raises its own classes, its providers' and httpx's
            failure = failure_of(self.name, error)
            if with_schema and failure.outcome == "rejected" and "response_format" in str(error):
                # The caller's one repair asks again, and then without it.
                self._takes_schema = False
                failure.outcome = "unusable"
            raise failure from None
        return self._read(text, finished, schema, cost), cost

    def _request(self, prompt: Prompt, schema: type[Answer], with_schema: bool) -> dict[str, Any]:
        settings = self._settings
        request: dict[str, Any] = {
            "model": self.name,
            "messages": messages_of(self.name, prompt, schema),
            "timeout": settings.timeout,
            "num_retries": 0,
            "max_retries": 0,
            "max_tokens": LONGEST_ANSWER,
            "temperature": 0,
            "drop_params": True,  # some models take no temperature
        }
        if with_schema:
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": schema.__name__, "schema": strict_schema(schema), "strict": True},
            }
        if settings.api_base:
            request["api_base"] = settings.api_base
        if key := self._key():
            request["api_key"] = key
        return request

    def _key(self) -> str:
        """Return the key to send; empty leaves it to the provider's usual variable. Raises ModelFailure."""
        name = self._settings.api_key
        if name and not os.environ.get(name):
            raise ModelFailure(
                f"The environment variable {name} (language_model.api_key) is not set; set it to the provider's key.",
                "rejected",
            )
        if name:
            return os.environ[name]
        return NO_KEY if is_loopback(self._settings.api_base) else ""

    def _read(self, text: str, finished: str, schema: type[Answer], cost: Cost) -> Answer:
        """Return the value in an answer. Raises ModelFailure."""
        if finished == "content_filter":
            raise ModelFailure(f"{self.name} does not want to answer; nothing is to be done.", "declined", cost=cost)
        try:
            return read_answer(text, schema)
        except NotJson as error:
            cut = " (it reached its longest length)" if finished == "length" else ""
            said = f"The answer of {self.name} cannot be used: {error}{cut}."
            raise ModelFailure(said, "unusable", cost=cost, answer=text) from None

    def _cost(self, litellm: Any, response: Any, prompt: Prompt, text: str) -> Cost:
        """Return what the provider says that it took; what it does not say, or says in no number, is estimated."""
        usage = getattr(response, "usage", None)
        details = getattr(usage, "prompt_tokens_details", None)
        asked = _count(usage, "prompt_tokens") or tokens_of(prompt.prefix) + tokens_of(prompt.tail)
        answered = _count(usage, "completion_tokens") or tokens_of(text)
        try:
            with _quiet():
                dollars: float | None = float(litellm.completion_cost(response, model=self.name))
        except Exception:  # as for `price`
            dollars = None
        if dollars is None or not 0.0 <= dollars < math.inf:
            dollars = self.price(asked, answered)
        return Cost(dollars, asked, min(_count(details, "cached_tokens"), asked), answered)


def _count(usage: Any, name: str) -> int:
    """Return how many tokens a provider says that there were; 0 where it says none that can be."""
    given = getattr(usage, name, None)
    return int(given) if isinstance(given, (int, float)) and 0 < given < MOST_TOKENS else 0


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the package's warnings, which are meant for its authors, from the user's terminal."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _said(response: Any) -> tuple[str, str]:
    """Return what an answer says, and why it ended."""
    choice = response.choices[0]
    return str(choice.message.content or ""), str(choice.finish_reason or "")


def open_language_model(settings: Settings) -> LiteLLMModel:
    """Return the model that the settings name."""
    return LiteLLMModel(settings.language_model)
