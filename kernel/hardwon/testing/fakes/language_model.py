"""FakeLanguageModel: answers what a test put into it, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hardwon.kernel.asking.reading import NotJson, read_answer
from hardwon.kernel.errors import ModelFailure, Unavailable
from hardwon.kernel.ports import Cost, Prompt
from hardwon.kernel.ports.thinking import Answer

Scripted = Mapping[str, Any] | str | Exception | Callable[[], None]
"""An answer as plain values, as a model writes it, what goes wrong instead, or what happens before the next one."""


class FakeLanguageModel:
    """Gives prepared answers in order, each at the same price."""

    def __init__(self, answers: Iterable[Scripted] = (), cost: Cost | None = None, name: str = "fake") -> None:
        self._answers = list(answers)
        self._cost = cost or Cost()
        self._name = name
        self._lock = threading.Lock()
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return self._name

    def price(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return what every call takes."""
        return self._cost.dollars

    def complete(self, prompt: Prompt, schema: type[Answer]) -> tuple[Answer, Cost]:
        """Return the next answer as a value of `schema`. Raises what was put in, Unavailable when none is left."""
        with self._lock:
            self.prompts.append(prompt)
            if not self._answers:
                raise Unavailable("The fake language model has no answer left; give it one more.")
            answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Mapping):
            return schema.model_validate(answer), self._cost
        if callable(answer):
            answer()
            return self.complete(prompt, schema)
        try:
            return read_answer(answer, schema), self._cost
        except NotJson as error:
            raise ModelFailure(f"{error}.", "unusable", cost=self._cost, answer=answer) from None
