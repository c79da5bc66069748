"""The actions of the stores."""

from __future__ import annotations

from typing import Annotated

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.home import Home


def reindex(
    home: Home,
    *,
    follow_deletions: Annotated[bool, "retire the memories of files that vanished, however many"] = False,
) -> Report:
    """Build the index anew from the files, which it is derived from."""
    storage = home.storage
    build = getattr(storage, "reindex", None)
    if build is None:
        raise InvalidInput("This store has no index of its own to build; nothing needs to be done.")
    build(follow_deletions=follow_deletions)
    from hardwon.kernel.query import Filter

    count = sum(1 for _ in storage.memories.scan(Filter(statuses=None)))
    problems = storage.problems()
    lines = [f"{count} memories are indexed.", *(f"- {each.where}: {each.what}" for each in problems)]
    data = {"memories": count, "problems": [each.model_dump() for each in problems]}
    return Report(data, "\n".join(lines), failed=bool(problems))


REINDEX = Action(reindex, "reindex")
