"""LanguageModelConformance: a value of the schema, and what it cost."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from hardwon.kernel.ports import LanguageModel, Prompt


class Verdict(BaseModel):
    """The schema that the suite asks for."""

    same: bool
    reason: str


class LanguageModelConformance:
    """What every LanguageModel promises. Give the fixture `model`, able to answer a Verdict at least once."""

    @pytest.fixture
    def model(self) -> LanguageModel:
        """Return the model; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `model`.")

    def test_it_has_a_name(self, model: LanguageModel) -> None:
        """The ledger says which model a value came from."""
        assert model.name

    def test_the_answer_is_a_value_of_the_schema(self, model: LanguageModel) -> None:
        """Validated, never raw text; the cost is in US dollars and not negative."""
        prompt = Prompt("same-1", "Do two texts say the same? Say why.\n\n", "“sleep in tests” and “wait in tests”")
        value, cost = model.complete(prompt, Verdict)
        assert isinstance(value, Verdict)
        assert cost.dollars >= 0.0
        assert min(cost.tokens_in, cost.tokens_out, cost.tokens_in - cost.tokens_cached) >= 0
