"""Examine: what was kept without being compared, such as a bulk import, meets what stands; a step of consolidation.

Each memory is examined once, and again when its words change. Which were, the home knows by name: another device's
memories and a long import come with ids that are older than what was examined meanwhile. Nothing is deleted, archived
or merged by it: what says the same is linked as evidence, what cannot both hold becomes a question. Where far more of a
run says the same or the opposite than ever does in life, something is wrong with the comparison, and nothing is
written.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import Kind, Status
from hardwon.kernel.project_names import visible_names
from hardwon.kernel.query import Filter
from hardwon.kernel.sameness.verdict import Sameness
from hardwon.kernel.text import index_terms
from hardwon.kernel.use_cases.hook_program import tell_hook
from hardwon.kernel.use_cases.projects import load_projects
from hardwon.kernel.use_cases.superseding import is_superseded
from hardwon.kernel.use_cases.write_gate.admitting import oppose
from hardwon.kernel.use_cases.write_gate.meeting import LOOKED_AT, STANDING, Met, meetings
from hardwon.kernel.use_cases.write_gate.nearness import Nearness
from hardwon.kernel.use_cases.write_gate.reinforcing import corroborated_by
from hardwon.kernel.use_cases.write_gate.second_opinion import SecondOpinion
from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.project_names import ProjectBook

FILE = "examined.json"
FORMAT_VERSION = 2
MOST_AT_ONCE = 1000
"""Memories that one run examines; the rest waits for the next one."""
MOST_FINDINGS = 100
"""Findings that one run writes."""
TOO_MANY, FEWEST_FOR_ALARM = 0.3, 20
"""From so large a share of the examined memories on, and so many of them, the findings are not believed."""
COMMON = 300
"""A word that so many memories hold says nothing of the subject."""


def examine(home: Home) -> dict[str, int]:
    """Examine the memories that no run examined yet; return how many, and what was written."""
    standing = [entry for entry in home.storage.memories.scan(Filter(statuses=STANDING)) if entry.kind is not Kind.RULE]
    marks = {entry.id: _mark(entry) for entry in standing}
    examined = _read(home).intersection(marks.values())
    waiting = sorted((each for each in standing if marks[each.id] not in examined), key=lambda each: each.id)
    fresh, later = waiting[:MOST_AT_ONCE], {entry.id for entry in waiting[MOST_AT_ONCE:]}
    if not fresh:
        return {}
    findings = _findings(home, fresh, [entry for entry in standing if entry.id not in later])
    touched = {entry.id for entry, _ in findings}
    counts = {"examined": len(fresh)}
    if len(touched) >= max(FEWEST_FOR_ALARM, TOO_MANY * len(fresh)):
        counts["not_believed"] = len(findings)
        home.console.say(
            f"{len(touched)} of {len(fresh)} new memories would say the same as others, or the opposite; that is not "
            "believed, and nothing was written. Look at what was imported (`hardwon log`)."
        )
    else:
        counts |= _write(home, findings[:MOST_FINDINGS])
    _save(home, examined.union(marks[entry.id] for entry in _done(fresh, findings)))
    return counts


def _done(fresh: Sequence[MemoryEntry], findings: Sequence[tuple[MemoryEntry, Met]]) -> Sequence[MemoryEntry]:
    """Return what the next run need not look at: the first memory at least."""
    left = findings[MOST_FINDINGS][0].id if len(findings) > MOST_FINDINGS else None
    return [entry for entry in fresh if left is None or entry.id < left] or fresh[:1]


def _findings(
    home: Home, fresh: Sequence[MemoryEntry], standing: Iterable[MemoryEntry]
) -> list[tuple[MemoryEntry, Met]]:
    """Return what each memory meets among those before it, in their order; nothing is locked or written."""
    book = load_projects(home)
    peers = _Peers(book, fresh, standing)
    helpers = Nearness(home), SecondOpinion(home)
    return [(entry, each) for entry in fresh for each in meetings(home, book, entry, peers.of(entry), *helpers)]


class _Peers:
    """The memories that hold where the examined ones do, by their words."""

    def __init__(self, book: ProjectBook, fresh: Iterable[MemoryEntry], standing: Iterable[MemoryEntry]) -> None:
        self._fresh = {entry.id for entry in fresh}
        projects = {entry.scope.project for entry in fresh}
        names = {name for each in projects for name in (visible_names(book, each) or ())} | {None}
        self._entries: dict[str, MemoryEntry] = {}
        self._by_word: Mapping[str, list[str]] = defaultdict(list)
        for entry in standing:
            if entry.scope.project in names:
                self._entries[entry.id] = entry
                for word in set(index_terms(entry.content)):
                    self._by_word[word].append(entry.id)

    def of(self, entry: MemoryEntry) -> list[MemoryEntry]:
        """Return the memories that share most words with this one, the likeliest first.

        Of two that are examined only the later one meets the other. A word that many hold says nothing of the subject.
        """
        shared: Counter[str] = Counter()
        for word in set(index_terms(entry.content)):
            holders = self._by_word.get(word, ())
            if len(holders) <= max(COMMON, len(self._entries) // 50):
                shared.update(holders)
        others = ((-count, id) for id, count in shared.items() if id < entry.id or id not in self._fresh)
        likeliest = sorted(others)[:LOOKED_AT]
        return [self._entries[id] for _, id in likeliest]


def _write(home: Home, findings: Sequence[tuple[MemoryEntry, Met]]) -> dict[str, int]:
    """Write what was found, as far as it still is so; return how often what."""
    if not findings:
        return {}
    counts: Counter[str] = Counter()
    with home.storage.operation(f"Examine new memories: {len(findings)} say the same as others, or the opposite"):
        for entry, each in findings:
            present = home.storage.memories.get([entry.id, each.known.id])
            if _is_still_so(home, present, entry, each):
                counts[each.verdict.sameness.value] += _take(home, present, entry, each)
    if counts[Sameness.DUPLICATE.value]:
        tell_hook(home)
    return {name: count for name, count in counts.items() if count}


def _is_still_so(home: Home, present: Mapping[str, MemoryEntry], entry: MemoryEntry, met: Met) -> bool:
    for before in (entry, met.known):
        now = present.get(before.id)
        if now is None or now.status is Status.ARCHIVED or now.content != before.content:
            return False
        if is_superseded(home, before.id):
            return False
    return True


def _take(home: Home, present: Mapping[str, MemoryEntry], entry: MemoryEntry, met: Met) -> bool:
    if met.verdict.sameness is Sameness.DUPLICATE:
        return corroborated_by(home, present[met.known.id], present[entry.id])
    return oppose(home, entry, met) is not None


def _mark(entry: MemoryEntry) -> str:
    return fingerprint(entry.id, entry.content)


def _read(home: Home) -> set[str]:
    """Return the marks of what was examined; none where that cannot be told: all is then, which changes nothing."""
    try:
        kept = json.loads((home.path / FILE).read_bytes())
        return set(map(str, kept["examined"])) if kept["format"] == FORMAT_VERSION else set()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()


def _save(home: Home, examined: Collection[str]) -> None:
    content = json.dumps({"format": FORMAT_VERSION, "examined": sorted(examined)}) + "\n"
    write_whole(home.path / FILE, content.encode("ascii"), durable=False)
