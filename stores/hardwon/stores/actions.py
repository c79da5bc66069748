"""The actions of the stores."""

from __future__ import annotations

from typing import Annotated, Protocol, runtime_checkable

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.counting import counted
from hardwon.kernel.home import Home


@runtime_checkable
class Indexed(Protocol):
    """A storage with an index that can be built anew."""

    def reindex(self, *, follow_deletions: bool = False) -> None:
        """Build the index anew. Raises StoreBusy, StoreError."""
        ...


def reindex(
    home: Home,
    *,
    follow_deletions: Annotated[bool, "retire the memories of files that vanished, however many"] = False,
) -> Report:
    """Build anew what is derived: the index of the files, or of a database what search knows."""
    from hardwon.kernel.query import Filter

    storage = home.storage
    if not isinstance(storage, Indexed):
        told = f"The store {home.settings.store} has no index to build; nothing needs to be done."
        return Report({"memories": 0, "problems": []}, told)
    storage.reindex(follow_deletions=follow_deletions)
    count = sum(1 for _ in storage.memories.scan(Filter(statuses=None)))
    problems = storage.problems()
    told = f"{counted(count, 'memory is', 'memories are')} indexed."
    lines = [told, *(f"- {each.where}: {each.what}" for each in problems)]
    data = {"memories": count, "problems": [each.model_dump() for each in problems]}
    return Report(data, "\n".join(lines), failed=bool(problems))


REINDEX = Action(reindex, "reindex")
