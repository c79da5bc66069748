"""What a new memory meets: those on its subject that stand, and what it is to each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.memory import Kind, Status
from hardwon.kernel.project_names import visible_names
from hardwon.kernel.query import Filter, Query
from hardwon.kernel.sameness.comparing import compare
from hardwon.kernel.sameness.verdict import Sameness, Verdict
from hardwon.kernel.use_cases.projects import load_projects
from hardwon.kernel.use_cases.superseding import began, is_superseded
from hardwon.kernel.use_cases.write_gate.overlap import covers, overlap

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.project_names import ProjectBook
    from hardwon.kernel.use_cases.write_gate.nearness import Nearness
    from hardwon.kernel.use_cases.write_gate.second_opinion import SecondOpinion

LOOKED_AT = 12
"""Memories on the subject that a new one is compared with, those that share most words."""
STANDING = (Status.OBSERVED, Status.ACTIVE, Status.CONFLICT)


@dataclass(frozen=True)
class Met:
    """A memory on the subject of a new one, and what the two are to each other."""

    known: MemoryEntry
    verdict: Verdict
    is_newer: bool
    """The new one was said later; a session that is read late may hold what was said before."""
    narrower: bool
    """One of them holds in a part of where the other one does: an exception."""


def met(home: Home, entry: MemoryEntry) -> list[Met]:
    """Return what a memory meets that says the same or that cannot hold beside it, the likeliest first."""
    book = load_projects(home)
    projects = visible_names(book, entry.scope.project) if entry.scope.project else (None,)
    found = home.storage.memories.search(
        Query(
            text=entry.content,
            filter=Filter(statuses=STANDING, namespace=entry.scope.namespace, projects=projects),
            limit=LOOKED_AT,
            by_words=True,
        )
    )
    likeliest = sorted(found.candidates, key=lambda each: (-each.lexical, each.id))[:LOOKED_AT]
    entries = home.storage.memories.get([each.id for each in likeliest])
    return meetings(home, book, entry, entries.values())


def meetings(
    home: Home,
    book: ProjectBook,
    entry: MemoryEntry,
    others: Iterable[MemoryEntry],
    nearness: Nearness | None = None,
    opinion: SecondOpinion | None = None,
) -> list[Met]:
    """Return what a memory is to others, those left out to which it is nothing; rules are weighed elsewhere."""
    found = []
    for other in others:
        if other.id == entry.id or Kind.RULE in (entry.kind, other.kind) or not overlap(book, entry, other):
            continue
        is_newer = began(entry) >= began(other)
        earlier, later = (other, entry) if is_newer else (entry, other)
        near = nearness.between(entry, other) if nearness else None
        verdict = compare(earlier.content, later.content, nearness=near)
        verdict = opinion.on(verdict, earlier, later) if opinion else verdict
        if verdict.sameness not in (Sameness.DUPLICATE, Sameness.CONTRADICTION) or is_superseded(home, other.id):
            continue
        if verdict.sameness is Sameness.CONTRADICTION and Kind.EVENT in (entry.kind, other.kind):
            continue  # what happened twice, differently, happened twice
        same_place = covers(book, entry, other) and covers(book, other, entry)
        if verdict.sameness is Sameness.DUPLICATE and not covers(book, other, entry):
            continue
        found.append(Met(other, verdict, is_newer, narrower=not same_place))
    return found
