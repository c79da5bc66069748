"""The fixture that every suite over a Storage asks its subclass for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardwon.kernel.ports import MemoryStore, Storage


class OverStorage:
    """Asks for `storage`."""

    @pytest.fixture
    def storage(self) -> Iterator[Storage]:
        """Yield an open, empty Storage; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `storage` that yields an open, empty Storage.")

    @pytest.fixture
    def store(self, storage: Storage) -> MemoryStore:
        """Return the storage's memories."""
        return storage.memories
