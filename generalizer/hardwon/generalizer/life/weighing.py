"""Weighing: which lessons speak for which standing rules, and which against. What is not sure bears on none.

A lesson speaks for a rule when it is near to its lessons and to its own words, clearly nearer than to any other rule's,
and speaks of their cause by itself. It speaks against one when it is as near in subject and denies what the rule
demands. Where no embedder runs, only a recognised cause counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.generalizer.life.looked_at import LookedAt, look_at, nearness
from hardwon.generalizer.opposition import may_oppose, opposes
from hardwon.kernel.memory import Status
from hardwon.kernel.ports import Bearing
from hardwon.kernel.sameness.comparing import compare
from hardwon.kernel.sameness.verdict import Sameness

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.generalizer.catalogue import Concept
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry

BLOCK = 512
"""Lessons that are weighed at a time."""
NEAR = 0.4
"""The least nearness to a rule's lessons. This and the following were chosen on the development set, see
docs/decisions/0029-the-life-of-a-rule.md."""
SHARE_OF_COHESION = 0.8
"""And the least share of what the rule's lessons are to one another."""
MARGIN = 0.12
"""How much nearer than to any second rule."""
NEAR_WORDS = 0.5
"""The least similarity to the rule's own words."""
SPEAKS = 0.28
"""The least recognition score (cosine plus cues) of the rule's cause in the lesson's own text."""
SHARE_OF_MEDIAN = 0.8
"""And the least share of what the rule's own lessons have in the median."""
SUBJECT = 0.2
"""The least nearness to a rule's lessons or words of what may speak against it: a denial is a sign by itself."""
BELIEF = 0.5
"""The belief in the rule's cause that counts where no embedder runs."""


def weigh(
    home: Home, concepts: Sequence[Concept], lessons: Sequence[MemoryEntry], rules: Sequence[MemoryEntry]
) -> list[Bearing]:
    """Return which of these lessons speak for or against which of these rules."""
    wanted = [lesson for lesson in lessons if lesson.status is not Status.ARCHIVED]
    looked = look_at(home, concepts, rules, wanted)
    if looked is None:
        return []
    found: list[Bearing] = []
    for start in range(0, len(looked.others), BLOCK):
        found += _weigh_some(looked, looked.others[start : start + BLOCK])
    return found


def _weigh_some(looked: LookedAt, rows: Sequence[int]) -> list[Bearing]:
    import numpy as np

    near = np.stack([nearness(looked.evidence, rows, rule.lessons) for rule in looked.rules], axis=1)
    words = looked.evidence.similar(rows, [rule.own for rule in looked.rules])
    found = []
    for at, row in enumerate(rows):
        order = np.argsort(-near[at], kind="stable")
        best = int(order[0])
        second = float(near[at, order[1]]) if len(order) > 1 else 0.0
        bearing = _bearing(looked, row, best, (float(near[at, best]), second), float(words[at, best]))
        found += [bearing] if bearing else []
    return found


def _bearing(looked: LookedAt, row: int, place: int, near: tuple[float, float], words: float) -> Bearing | None:
    """Return what a lesson says of the rule that it is nearest to; None where it has nothing to do with it."""
    lesson, rule = looked.entries[row], looked.rules[place]
    known = {rule.own, *rule.lessons, *rule.against}
    if row in known or not _may_bear(lesson, rule.backing.rule):
        return None
    clearly = near[0] - near[1] >= MARGIN
    if clearly and max(near[0], words) >= SUBJECT and denies(lesson, rule.backing.rule):
        return Bearing(rule.backing.rule.id, lesson.id, agrees=False, strength=max(near[0], words))
    if any(may_oppose(lesson, sentence) for sentence in _sentences(rule.backing.rule)):
        return None
    least = max(NEAR, SHARE_OF_COHESION * looked.cohesion[place])
    in_words = words >= NEAR_WORDS or looked.evidence.meanings is None
    sure = clearly and near[0] >= least and in_words and _speaks(looked, row, place)
    return Bearing(rule.backing.rule.id, lesson.id, agrees=True, strength=near[0]) if sure else None


def _may_bear(lesson: MemoryEntry, rule: MemoryEntry) -> bool:
    """Tell whether the rule holds where the lesson was learned."""
    scope, own = rule.scope, lesson.scope
    return scope.namespace == own.namespace and scope.project in (None, own.project)


def denies(lesson: MemoryEntry, rule: MemoryEntry) -> bool:
    """Tell whether a lesson says the opposite of a rule, in any of the rule's languages."""
    sentences = _sentences(rule)
    if any(opposes(lesson, sentence) for sentence in sentences):
        return True
    principle = lesson.lesson.principle
    return bool(principle) and any(
        compare(sentence, principle or "").sameness is Sameness.CONTRADICTION for sentence in sentences
    )


def _sentences(rule: MemoryEntry) -> list[str]:
    """Return the rule in each of its languages."""
    return [part for part in rule.content.split("\n\n") if part.strip()]


def _speaks(looked: LookedAt, row: int, place: int) -> bool:
    """Tell whether the lesson's own text speaks of the cause that the rule's lessons agree on."""
    import numpy as np

    evidence, concept = looked.evidence, looked.leading[place][0]
    if evidence.scores is None:
        return float(evidence.beliefs[row, concept]) >= BELIEF
    own: Matrix = evidence.scores[list(looked.rules[place].lessons), concept]
    return float(evidence.scores[row, concept]) >= max(SPEAKS, SHARE_OF_MEDIAN * float(np.median(own)))
