"""Confidence by evidence: what a memory is worth, computed from what it was kept with and what became of it.

It begins at 0.5, or 1.0 where a person wrote the memory themselves. Each time it was recalled and useful, or another
source said the same, adds 0.1; the user's confirmation (they wrote the same once more) adds 0.3; a denial sets it to
0.1, whatever it was, until a later “useful” takes that back. It lies between 0 and 1 always. Nothing of this is written
into the memory: it is counted again from the ledger, so that computing it twice changes nothing and causes no commit.

Low confidence is *observed*: what is kept with less than 0.5 has that status, and what was denied since is treated so.
It is found by who asks for observed memories and not recalled unasked.
Standard library alone, since the hook program uses it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

WRITTEN = 1.0
"""Of what a person wrote for the memory themselves; words of theirs that were captured are not that."""
AGREED = 0.1
"""For each session in which it was useful, and each other source that says the same."""
CONFIRMED = 0.3
DENIED = 0.1
DOUBTFUL = 0.5
"""Below this confidence a memory is observed: kept, and not recalled unasked."""

USEFUL, WRONG, SAME, SAID_BY_USER = "useful", "wrong", "same", "said-by-user"


@dataclass(slots=True)
class Evidence:
    """What became of a memory since it was kept."""

    more: float = 0.0
    """What is added, since the last denial if there was one."""
    denied: bool = False


def weighed(events: Iterable[tuple[str, str | None]]) -> Evidence:
    """Return what events come to, oldest first: each says `useful`, `wrong`, `same` or `said-by-user`, and where.

    One session's praise counts once, however often it is repeated.
    """
    evidence = Evidence()
    counted: set[tuple[str, str]] = set()
    for says, session in events:
        if says == WRONG:
            evidence = Evidence(denied=True)
            counted.clear()
            continue
        if says == USEFUL and evidence.denied:
            evidence = Evidence()
        if session is not None and (says, session) in counted:
            continue
        if session is not None:
            counted.add((says, session))
        evidence.more += CONFIRMED if says == SAID_BY_USER else AGREED if says in (USEFUL, SAME) else 0.0
    evidence.more = round(min(1.0, evidence.more), 6)
    return evidence


def effective(stored: float, evidence: Evidence | None) -> float:
    """Return a memory's confidence now, 0–1: `stored` is what it was kept with."""
    if evidence is None:
        return stored
    return round(min(1.0, max(0.0, (DENIED if evidence.denied else stored) + evidence.more)), 6)


def is_denied(evidence: Evidence | None) -> bool:
    """Tell whether a memory lost so much that it is not recalled unasked, whatever its status."""
    return evidence is not None and evidence.denied and DENIED + evidence.more < DOUBTFUL


def as_data(evidence: Mapping[str, Evidence]) -> dict[str, list[float]]:
    """Return evidence by memory as JSON has it: what is added, and 1 where it was denied."""
    return {id: [each.more, float(each.denied)] for id, each in sorted(evidence.items())}


def from_data(data: object) -> dict[str, Evidence]:
    """Return evidence by memory from JSON; what has another shape is passed over."""
    found: dict[str, Evidence] = {}
    for id, each in data.items() if isinstance(data, dict) else ():
        if isinstance(each, list) and len(each) == 2 and all(isinstance(value, (int, float)) for value in each):
            found[str(id)] = Evidence(float(each[0]), bool(each[1]))
    return found
