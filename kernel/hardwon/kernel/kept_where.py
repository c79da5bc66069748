"""Which stores hold a memory in a home, by the files that each keeps its truth in.

A setting that is changed by hand, or a default that changed with a version, must not show an empty memory beside a full
one: it is refused, with the command that moves it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict
from hardwon.kernel.query import Filter

if TYPE_CHECKING:
    from hardwon.kernel.ports import Storage

ASIDE = "aside"
"""The folder of a home that what was in the way of a migration is moved to."""


@dataclass(frozen=True)
class Places:
    """Where the stores of a home keep what they keep."""

    home: Path
    patterns: Mapping[str, Sequence[str]]
    """As plugins told them (`register_store_places`), by store."""

    def of(self, store: str) -> list[Path]:
        """Return the files and folders in the home that are a store's own, the truth first; none for one elsewhere."""
        return [path for pattern in self.patterns.get(store, ()) for path in sorted(self.home.glob(pattern))]

    def holds(self, store: str) -> bool:
        """Tell whether a store keeps something in the home."""
        return store in self.patterns and (self.home / self.patterns[store][0]).exists()

    def others(self, store: str) -> list[str]:
        """Return the other stores that keep something in the home."""
        return sorted(name for name in self.patterns if name != store and self.holds(name))

    def left_behind(self, store: str) -> list[Path]:
        """Return what lies in the home of the memory as it was: in stores that it was moved from, and set aside."""
        return [*(self.of(name)[0] for name in self.others(store)), *sorted((self.home / ASIDE).glob("*"))]

    def check_before(self, store: str) -> None:
        """Raise Conflict where a store would begin with nothing while another one of this home holds the memory."""
        if store in self.patterns and not self.holds(store):
            self._refuse(store)

    def check_opened(self, store: str, storage: Storage) -> None:
        """Raise Conflict where a store that lies outside the home is empty, while one in the home is not."""
        if store in self.patterns or not self.others(store):
            return
        if next(iter(storage.memories.scan(Filter(statuses=None))), None) is None:
            storage.close()
            self._refuse(store)

    def _refuse(self, store: str) -> None:
        others = self.others(store)
        if others:
            raise Conflict(
                f"The settings of {self.home} name the store {store}, which holds nothing, while the memory lies in "
                f'{others[0]}; set store = "{others[0]}" again, and run `hardwon migrate --to {store}` to move it.'
            )
