"""One vector space as search uses it: kept up to date with the store, in memory and on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hardwon.kernel.errors import StoreError
from hardwon.stores.search.impostors import Cohort
from hardwon.stores.search.near import Near
from hardwon.stores.search.recall_at_ten import measure
from hardwon.stores.vectors.arranging import Setting, arranged, way_for
from hardwon.stores.vectors.collection import Collection
from hardwon.stores.vectors.folder import Stamp, VectorFolder
from hardwon.stores.vectors.following import filled, followed
from hardwon.stores.vectors.graph import MISSING, is_installed

if TYPE_CHECKING:
    from hardwon.kernel.ports import Vectors
    from hardwon.kernel.records import Measurement
    from hardwon.stores.search.changes import DocumentChanges
    from hardwon.stores.vectors.selecting import Way

KEPT_IN_MEMORY = 256
"""Documents and rows that changed, up to which the next process reads them from the store again: some 3 ms."""


class Space:
    """The collection of one space. Not thread-safe: the owner holds a lock; what it hands out never changes."""

    def __init__(self, name: str, dimensions: int, vectors: Vectors, folder: Path | None, setting: Setting) -> None:
        self.name = name
        self.dimensions = dimensions
        self.setting: Setting = setting
        self._vectors = vectors
        self._folder = None if folder is None else VectorFolder(folder, name, dimensions)
        self._collection = Collection(name, dimensions)
        self._stamp: Stamp = None
        self._cohort = Cohort(name, dimensions)

    @property
    def notes(self) -> list[str]:
        """Return sentences on what the settings ask for and is not there."""
        return [MISSING] if self.setting == "hnsw" and not is_installed() else []

    def bring_up_to_date(self, changes: DocumentChanges) -> Collection:
        """Return the collection as the store now is; what a transaction may yet take back is not kept."""
        if self._folder is not None and self._folder.stamp != self._stamp:
            self._collection, self._stamp = self._folder.read()
        found = filled(followed(self._collection, changes), self._vectors)
        if not changes.is_settled:
            return found
        self._collection = found
        self._save()
        return self._collection

    def near(self, collection: Collection, question: Sequence[float], language: str) -> Near:
        """Return how near a question's vector lies to the documents of a collection."""
        vector = np.asarray(question, dtype=np.float32)
        measure = self._cohort.measure(self._vectors, language)
        # Graph and codes are made for directions that tell texts apart; a bare question points where all texts lie.
        way: Way = "scan" if measure is None else way_for(collection, self.setting)
        return Near(collection, vector, measure, way)

    def measure(self, changes: DocumentChanges) -> Measurement:
        """Return how well vectors near a question are found. Raises StoreError."""
        collection = self.bring_up_to_date(changes)
        return measure(collection, self._cohort, self._vectors, way_for(collection, self.setting))

    def arrange(self, changes: DocumentChanges) -> None:
        """Put everything in place that has a vector. Raises StoreError where the folder cannot be written."""
        if self._folder is None:
            return
        try:
            arranged(self._folder, changes, self._vectors, self.setting)
        except OSError as error:
            raise StoreError(f"{self._folder.path} cannot be written ({error.strerror}); check the disk.") from None

    def _save(self) -> None:
        """Write what changed, when it is much; where that cannot be, it stays in memory and is tried again."""
        if self._folder is None or self._collection.unsaved <= KEPT_IN_MEMORY:
            return
        try:
            written = self._folder.write(self._collection, self._stamp)
        except OSError:  # a full disk or a folder that may not be written to: search needs none of it
            return
        if written is not None:
            self._collection, self._stamp = written
