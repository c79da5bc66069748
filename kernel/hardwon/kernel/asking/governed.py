"""GovernedModel: a language model under the user's caps. Whoever asks a model asks this one.

What is asked is redacted, looked for among the known answers, reserved, asked within a deadline, and told in the
activity, a line a call. An answer that cannot be used is repaired by one further call that shows what is wrong with it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hardwon.kernel.asking.answers import Answers, key_of
from hardwon.kernel.asking.calls import Calls
from hardwon.kernel.errors import ModelFailure, StoreBusy, Unavailable
from hardwon.kernel.ports import Cost, Priced, Prompt
from hardwon.kernel.redacting.values import redacted

if TYPE_CHECKING:
    from hardwon.kernel.asking.reading import Schema
    from hardwon.kernel.ports import Clock, LanguageModel, Ledger, Redactor
    from hardwon.kernel.settings import LanguageModelSettings

Value = TypeVar("Value")
Check = Callable[[Value], Sequence[str]]
"""Returns what is wrong with an answer though it fits its schema, as the model is told it."""
LONGEST_SHOWN = 4_000
"""Characters of an answer that are shown to the model again."""
REPAIR = """

--- Your last answer ---
{answer}
--- It cannot be taken ---
{problems}
Give the whole answer again, as JSON alone, without these faults."""


@dataclass(frozen=True)
class Surroundings:
    """What a governed model needs of its home, opened when it is needed."""

    path: Path
    clock: Clock
    ledger: Callable[[], Ledger]
    redactor: Callable[[], Redactor]


@dataclass(frozen=True)
class MissingModel:
    """A model whose adapter cannot be opened: the offline way is taken, and the activity says why."""

    name: str
    reason: str

    def complete(self, prompt: Prompt, schema: type[Schema]) -> tuple[Schema, Cost]:
        """Raise Unavailable."""
        raise Unavailable(self.reason)


class GovernedModel:
    """One language model, and what may be asked of it. It is a LanguageModel itself."""

    def __init__(
        self,
        model: LanguageModel,
        caps: LanguageModelSettings,
        home: Surroundings,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._model = model
        self._home = home
        self._answers = Answers(home.path)
        self._calls = Calls(model.name, caps, home.path, home.clock, home.ledger, wait, self._without_secrets)
        self._timeout = caps.timeout
        self._last_failure = ""
        self._told: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Return the provider's name of the model."""
        return self._model.name

    def reason_not_to_ask(self) -> str:
        """Return why nothing can be asked now, as far as that was met already; empty where nothing is known of it."""
        return self._calls.closed_because()

    @property
    def last_failure(self) -> str:
        """Return why this process last got no answer; empty where it always did."""
        return self._last_failure

    def complete(self, prompt: Prompt, schema: type[Schema]) -> tuple[Schema, Cost]:
        """Return the value, and what it took now. Raises Unavailable."""
        before = self._calls.taken
        value = self.ask(prompt, schema)
        return value, self._calls.taken_since(before)

    def ask(self, prompt: Prompt, schema: type[Schema], check: Check[Schema] | None = None) -> Schema:
        """Return the answer, known or new. Raises Unavailable with the reason; that is in the activity already."""
        prompt = self._redacted(prompt)
        key = key_of(self.name, prompt, schema)
        known = self._answers.find(key, schema)
        if known is not None and not (check and check(known)):
            return known
        try:
            value = self._asked(prompt, schema, check)
        except (Unavailable, StoreBusy) as error:
            self._last_failure = str(error)
            if isinstance(error, StoreBusy):
                raise Unavailable(str(error)) from None
            raise
        kept, _ = redacted(self._home.redactor(), value)
        self._answers.keep(key, self.name, prompt.task, kept.model_dump(mode="json"))
        return kept

    def _redacted(self, prompt: Prompt) -> Prompt:
        return Prompt(prompt.task, prompt.prefix, self._without_secrets(prompt.tail))

    def _without_secrets(self, text: str) -> str:
        return redacted(self._home.redactor(), text)[0]

    def _asked(self, prompt: Prompt, schema: type[Schema], check: Check[Schema] | None) -> Schema:
        """Return the answer after one call, or after a second that shows what was wrong with the first."""
        try:
            value = self._call(prompt, schema)
        except ModelFailure as failure:
            if failure.outcome != "unusable":
                raise
            return self._repaired(prompt, schema, check, [str(failure)], failure.answer)
        problems = list(check(value)) if check else []
        return self._repaired(prompt, schema, check, problems, value.model_dump_json()) if problems else value

    def _repaired(
        self, prompt: Prompt, schema: type[Schema], check: Check[Schema] | None, problems: Sequence[str], answer: str
    ) -> Schema:
        """Return what the model makes of its answer when it is shown what is wrong with it. Raises ModelFailure."""
        shown = REPAIR.format(answer=answer[:LONGEST_SHOWN], problems="\n".join(f"- {each}" for each in problems))
        value = self._call(self._redacted(Prompt(prompt.task, prompt.prefix, prompt.tail + shown)), schema)
        left = list(check(value)) if check else []
        if left:
            raise ModelFailure(
                f"{self.name} gave twice an answer that cannot be taken ({'; '.join(left)}); the offline way is taken.",
                "unusable",
            )
        return value

    def _call(self, prompt: Prompt, schema: type[Schema]) -> Schema:
        """Make one call if it may be made now. Raises ModelFailure, Unavailable."""
        try:
            # Asked for the price, an adapter imports what it needs: that is no part of the call's time.
            price = self._model.price if isinstance(self._model, Priced) else None
            call = self._calls.begin(prompt, price)
        except Unavailable as refused:
            self._tell(prompt.task, str(refused))
            raise
        return self._calls.make(call, lambda: self._model.complete(prompt, schema), self._timeout)

    def _tell(self, task: str, reason: str) -> None:
        """Say once in the activity why a task was not asked: a backlog would fill it with one sentence."""
        with self._lock:
            if (task, reason) in self._told:
                return
            self._told.add((task, reason))
        self._calls.record_refusal(task, reason)
