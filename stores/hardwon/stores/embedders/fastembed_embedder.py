"""Models of the package `fastembed` (ONNX), downloaded by it when the user has chosen it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Unavailable
from hardwon.stores.embedders.common import library, safe, unit_vectors

if TYPE_CHECKING:
    from hardwon.kernel.ports import Role
    from hardwon.kernel.settings import Settings

DEFAULT_MODEL = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"


class FastEmbedEmbedder:
    """One loaded model."""

    def __init__(self, model: Any, model_name: str) -> None:
        self._model = model
        self._model_name = model_name

    @property
    def name(self) -> str:
        """Return the name of the vector space."""
        return f"fastembed/{self._model_name}"

    @cached_property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return len(self.embed(["."], "passage")[0])

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return one vector of unit length a text. Raises Unavailable."""
        if not texts:
            return []
        encode = self._model.query_embed if role == "query" else self._model.passage_embed
        return unit_vectors(list(encode(safe(texts))))


def open_embedder(settings: Settings) -> FastEmbedEmbedder:
    """Load the model that the settings name. Raises Unavailable."""
    fastembed = library("fastembed", "fastembed")
    name = settings.model or DEFAULT_MODEL
    try:
        return FastEmbedEmbedder(fastembed.TextEmbedding(model_name=name), name)
    except (OSError, ValueError, RuntimeError) as error:
        raise Unavailable(f"fastembed cannot load {name} ({error}); check the network once, or `model`.") from None
