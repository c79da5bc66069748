"""Where two memories hold: whether somewhere both do, and whether one does wherever the other does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.kernel.project_names import visible_names

if TYPE_CHECKING:
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.project_names import ProjectBook
    from hardwon.kernel.scope import Scope

_NARROWING = ("languages", "frameworks", "roles", "tags")


def overlap(book: ProjectBook, one: MemoryEntry, other: MemoryEntry) -> bool:
    """Tell whether there may be a reader for whom both hold: not on two branches, for two agents, in two projects."""
    first, second = one.scope, other.scope
    if first.namespace != second.namespace or _differ(one.branch, other.branch) or _differ(first.agent, second.agent):
        return False
    for name in _NARROWING:
        wanted, also = _lowered(first, name), _lowered(second, name)
        if wanted and also and wanted.isdisjoint(also):
            return False
    return _is_below(book, first.project, second.project) or _is_below(book, second.project, first.project)


def covers(book: ProjectBook, wide: MemoryEntry, narrow: MemoryEntry) -> bool:
    """Tell whether one memory holds for every reader for whom the other one does."""
    first, second = wide.scope, narrow.scope
    if first.agent not in (None, second.agent) or wide.branch not in (None, narrow.branch):
        return False
    for name in _NARROWING:
        wanted = _lowered(first, name)
        if wanted and not (_lowered(second, name) and _lowered(second, name) <= wanted):
            return False
    return _is_below(book, second.project, first.project)


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _lowered(scope: Scope, name: str) -> set[str]:
    return {value.casefold() for value in getattr(scope.applies_when, name)}


def _is_below(book: ProjectBook, project: str | None, above: str | None) -> bool:
    """Tell whether a project is the other one or a package of it; everything is below everywhere."""
    return above is None or (project is not None and above in (visible_names(book, project) or ()))
