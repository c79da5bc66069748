"""Which lessons were weighed against which rules, kept from run to run: only what is new or changed is weighed again.

Derived: where it is gone, everything is weighed once more, which links nothing twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.ports import Founded
from hardwon.kernel.use_cases.consolidating.derived import FOLDER
from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

FILE = "weighed.json"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Weighed:
    """What was weighed on one basis; another program, catalogue or embedder begins anew."""

    basis: str
    lessons: frozenset[str]
    rules: frozenset[str]

    def fresh(self, lessons: Iterable[MemoryEntry], rules: Iterable[MemoryEntry]) -> list[MemoryEntry]:
        """Return the lessons to weigh: those that are new or changed, and all of them where a rule is."""
        if any(_mark(rule) not in self.rules for rule in rules):
            return list(lessons)
        return [lesson for lesson in lessons if _mark(lesson) not in self.lessons]


def read_weighed(home: Home) -> Weighed:
    """Return what earlier runs weighed; nothing where that cannot be told."""
    generalizer = home.generalizer
    basis = generalizer.basis() if isinstance(generalizer, Founded) else ""
    nothing = Weighed(basis, frozenset(), frozenset())
    try:
        content = json.loads((home.path / FOLDER / FILE).read_bytes())
        if content["version"] != FORMAT_VERSION or not basis or content["basis"] != basis:
            return nothing
        return Weighed(basis, frozenset(map(str, content["lessons"])), frozenset(map(str, content["rules"])))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return nothing


def keep_weighed(home: Home, basis: str, lessons: Iterable[MemoryEntry], rules: Iterable[MemoryEntry]) -> None:
    """Keep that these lessons were weighed against these rules. Raises OSError."""
    content = {
        "version": FORMAT_VERSION,
        "basis": basis,
        "lessons": sorted(map(_mark, lessons)),
        "rules": sorted(map(_mark, rules)),
    }
    write_whole(home.path / FOLDER / FILE, json.dumps(content).encode("ascii"), durable=False)


def _mark(entry: MemoryEntry) -> str:
    return fingerprint(entry.id, entry.revision)
