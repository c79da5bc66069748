"""Edges of succession that go round in a circle, which two devices or a person's hand can make, and leave no head.

So of a circle those do not count by which an older memory, of the smaller id, supersedes a younger one: its youngest is
the head, from whichever memory one asks. Standard library alone: the hook program asks too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence


class Circles:
    """Which circle each memory stands in, found when it is first asked for; every edge is read once for it."""

    def __init__(self, sources: Callable[[str], Sequence[str]]) -> None:
        """Take what names the sources of the edges by which something took a memory's place."""
        self._sources = sources
        self._circle: dict[str, str] = {}
        """By memory, one of its circle, alike for all of them; alone, itself."""

    def superseders(self, id: str) -> list[str]:
        """Return what superseded a memory, by the edges that count."""
        sources = self._sources(id)
        if all(each > id for each in sources):  # as nearly always: nothing is older than what it supersedes
            return list(sources)
        if id not in self._circle:
            for group in components([id], self._not_placed):
                self._circle |= dict.fromkeys(group, group[0])
        return [each for each in sources if each > id or self._circle[each] != self._circle[id]]

    def _not_placed(self, id: str) -> list[str]:
        """Return the sources whose circle is not known: one that is known has no other member."""
        return [each for each in self._sources(id) if each not in self._circle]


def components(ids: Iterable[str], ends: Callable[[str], Sequence[str]]) -> Iterator[list[str]]:
    """Walk all that is reached from these, in groups of which each member leads to each other; what is reached first.

    Tarjan's strongly connected components (SIAM J. Comput. 1972), on a stack of its own.
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    open_: list[str] = []
    done: set[str] = set()
    for start in ids:
        path = [] if start in number else [(start, iter(ends(start)))]
        while path:
            id, rest = path[-1]
            if id not in number:
                number[id] = low[id] = len(number)
                open_.append(id)
            for end in rest:
                if end not in number:
                    path.append((end, iter(ends(end))))
                    break
                if end not in done:
                    low[id] = min(low[id], number[end])
            else:
                path.pop()
                if path:
                    parent = path[-1][0]
                    low[parent] = min(low[parent], low[id])
                if low[id] == number[id]:
                    group = _cut(open_, id)
                    done.update(group)
                    yield group


def _cut(open_: list[str], id: str) -> list[str]:
    group = [open_.pop()]
    while group[-1] != id:
        group.append(open_.pop())
    return group
