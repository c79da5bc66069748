"""The review queue as rows, over a store that keeps proposals in a table of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hardwon.kernel.errors import PluginError
from hardwon.kernel.ports import KeepsProposals
from hardwon.review_queue.sheets import Sheet, SheetQueue

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import Proposals
    from hardwon.kernel.records import Problem


class TableQueue(SheetQueue):
    """A ReviewQueue of rows, none of which can be edited into something unreadable."""

    def __init__(self, home: Home) -> None:
        """Stand over the home's store. Raises PluginError where that keeps no proposals."""
        if not isinstance(home.storage, KeepsProposals):
            raise PluginError(
                f"The store {home.settings.store} has no table for proposals; set `review_queue` to `markdown`."
            )
        self._rows: Proposals = home.storage.proposals()

    def problems(self) -> list[Problem]:
        """Return nothing: a row that is damaged is the store's to report."""
        return []

    def _broken_ids(self) -> set[str]:
        return set()

    def _ids(self) -> list[str]:
        return self._rows.ids()

    def _sheets(self) -> Iterator[Sheet]:
        yield from (Sheet(*row) for row in self._rows.read().values())

    def _sheet(self, id: str) -> Sheet | None:
        row = self._rows.read([id]).get(id)
        return Sheet(*row) if row else None

    def _write(self, sheet: Sheet) -> None:
        self._rows.write(sheet.proposal, sheet.notes)
