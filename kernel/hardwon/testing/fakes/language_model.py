"""FakeLanguageModel: answers what a test put into it, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.ports import Cost, Prompt
from hardwon.kernel.ports.thinking import Answer


class FakeLanguageModel:
    """Gives prepared answers in order, each at the same price."""

    def __init__(self, answers: Iterable[Mapping[str, Any]] = (), cost: Cost | None = None) -> None:
        self._answers = list(answers)
        self._cost = cost or Cost()
        self.prompts: list[Prompt] = []

    @property
    def name(self) -> str:
        """Return the name of the model."""
        return "fake"

    def complete(self, prompt: Prompt, schema: type[Answer]) -> tuple[Answer, Cost]:
        """Return the next answer as a value of `schema`. Raises Unavailable when none is left."""
        self.prompts.append(prompt)
        if not self._answers:
            raise Unavailable("The fake language model has no answer left; give it one more.")
        return schema.model_validate(self._answers.pop(0)), self._cost
