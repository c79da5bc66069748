"""Any provider's embeddings through the package `litellm`. What is embedded leaves this machine: the user chose it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.litellm_switches import keep_litellm_to_itself
from hardwon.kernel.redirects import without_redirects
from hardwon.stores.embedders.common import library, safe, unit_vectors

if TYPE_CHECKING:
    from hardwon.kernel.ports import Role
    from hardwon.kernel.settings import Settings

TIMEOUT = 30.0
"""Seconds for one call; it is not repeated here, the next write tries again."""


class LiteLLMEmbedder:
    """One provider's model."""

    def __init__(self, litellm: Any, model: str) -> None:
        self._litellm = litellm
        self._model = model

    @property
    def name(self) -> str:
        """Return the name of the vector space."""
        return f"litellm/{self._model}"

    @cached_property
    def dimensions(self) -> int:
        """Return the length of a vector; asks the provider once."""
        return len(self.embed(["."], "passage")[0])

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return one vector of unit length a text. Raises Unavailable whatever the provider answers instead."""
        if not texts:
            return []
        try:
            with without_redirects():
                answer = self._litellm.embedding(model=self._model, input=safe(texts), timeout=TIMEOUT, num_retries=0)
            vectors = [item["embedding"] for item in sorted(answer.data, key=lambda item: int(item["index"]))]
        except Exception as error:  # litellm raises its own classes, its providers' and httpx's.
            reason = str(error).strip().splitlines()[0] if str(error).strip() else "no reason given"
            what = f"{type(error).__name__}: {reason[:200]}"
            raise Unavailable(f"{self._model} gave no embeddings ({what}); check its key and the network.") from None
        if len(vectors) != len(texts):
            raise Unavailable(
                f"{self._model} gave {len(vectors)} vectors for {len(texts)} texts; choose another model."
            )
        return unit_vectors(vectors)


def open_embedder(settings: Settings) -> LiteLLMEmbedder:
    """Load litellm without a network call. Raises Unavailable."""
    if not settings.model:
        raise Unavailable(
            'The embedder litellm needs a model; set for example `model = "openai/text-embedding-3-small"`.'
        )
    keep_litellm_to_itself()
    litellm = library("litellm", "litellm")
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return LiteLLMEmbedder(litellm, settings.model)
