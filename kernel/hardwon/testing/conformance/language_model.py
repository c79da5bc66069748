"""LanguageModelConformance: a value of the schema, and what it cost."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from hardwon.kernel.errors import ModelFailure
from hardwon.kernel.ports import Cost, LanguageModel, Prompt


class Verdict(BaseModel):
    """The schema that the suite asks for."""

    same: bool
    reason: str


PROMPT = Prompt("same-1", "Do two texts say the same? Say why.\n\n", "“sleep in tests” and “wait in tests”")


class LanguageModelConformance:
    """What every LanguageModel promises.

    Give the fixture `model`, able to answer a Verdict at least once, and `babbling`, whose next answer is prose.
    """

    @pytest.fixture
    def model(self) -> LanguageModel:
        """Return the model; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `model`.")

    @pytest.fixture
    def babbling(self) -> LanguageModel:
        """Return a model whose next answer is prose; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `babbling`.")

    def test_it_has_a_name(self, model: LanguageModel) -> None:
        """The ledger says which model a value came from."""
        assert model.name

    def test_the_answer_is_a_value_of_the_schema(self, model: LanguageModel) -> None:
        """Validated, never raw text; the cost is in US dollars and not negative."""
        value, cost = model.complete(PROMPT, Verdict)
        assert isinstance(value, Verdict)
        assert cost.dollars is None or cost.dollars >= 0.0
        assert min(cost.tokens_in, cost.tokens_out, cost.tokens_in - cost.tokens_cached) >= 0

    def test_what_cannot_be_used_is_shown_and_paid_for(self, babbling: LanguageModel) -> None:
        """The answer and its cost come with the failure: whoever asked may have it repaired, and must count it."""
        with pytest.raises(ModelFailure) as failed:
            babbling.complete(PROMPT, Verdict)
        assert failed.value.outcome == "unusable"
        assert failed.value.answer
        assert isinstance(failed.value.cost, Cost)
