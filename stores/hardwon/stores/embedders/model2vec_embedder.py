"""Static models of the package `model2vec`: weaker than a transformer and some hundred times as fast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Unavailable
from hardwon.stores.embedders.common import library, safe, unit_vectors

if TYPE_CHECKING:
    from hardwon.kernel.ports import Role
    from hardwon.kernel.settings import Settings

DEFAULT_MODEL = "minishlab/potion-multilingual-128M"


class Model2VecEmbedder:
    """One loaded model."""

    def __init__(self, model: Any, model_name: str) -> None:
        self._model = model
        self._model_name = model_name

    @property
    def name(self) -> str:
        """Return the name of the vector space."""
        return f"model2vec/{self._model_name}"

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return int(self._model.dim)

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return one vector of unit length a text; the role changes nothing."""
        return unit_vectors(self._model.encode(safe(texts))) if texts else []


def open_embedder(settings: Settings) -> Model2VecEmbedder:
    """Load the model that the settings name, a folder or a name on the hub. Raises Unavailable."""
    model2vec = library("model2vec", "model2vec")
    name = settings.model or DEFAULT_MODEL
    try:
        return Model2VecEmbedder(model2vec.StaticModel.from_pretrained(name), name)
    except (OSError, ValueError, RuntimeError) as error:
        raise Unavailable(f"model2vec cannot load {name} ({error}); check the network once, or `model`.") from None
