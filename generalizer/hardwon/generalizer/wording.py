"""Wording: which sentence a cluster proposes as its rule, in which language, and how sure its parts are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.generalizer.catalogue import Concept
from hardwon.kernel.lesson_fields import is_derived
from hardwon.kernel.principle import principle_problems
from hardwon.kernel.text import language_of

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix
    from hardwon.kernel.memory import MemoryEntry


SURE = 0.5
"""The share of belief in one concept from which its principle is preferred to the lessons' own."""
SEPARATORS = {"zh": "；"}
"""Between the tasks of a situation, where a language has a sign of its own for it."""
ENOUGH = 0.25
"""The share below which the catalogue has no word for the cluster."""


@dataclass(frozen=True)
class Wording:
    """What a cluster proposes: a sentence in one language, the same in others, and where it comes from."""

    rule: str
    translations: dict[str, str]
    source: str
    """catalogue, principle or none."""
    situation: str = ""
    """Tasks that the rule is for, a line a language."""


NO_WORDING = Wording("", {}, "none")


@dataclass(frozen=True)
class Leading:
    """The concept that a cluster believes in most, and the mean share of belief, 0–1."""

    concept: Concept
    share: float


def leading_concept(beliefs: Matrix, concepts: Sequence[Concept]) -> Leading:
    """Return what the members (k × concepts) believe in most."""
    mean = beliefs.mean(axis=0)
    best = int(mean.argmax())
    return Leading(concepts[best], float(mean[best]))


def main_language(lessons: Sequence[MemoryEntry], setting: str) -> str:
    """Return the language to propose in: the user's setting, else that of most lessons."""
    counts = Counter(language_of(lesson.content) for lesson in lessons)
    return setting or min(counts, key=lambda code: (-counts[code], code))


def choose_wording(lessons: Sequence[MemoryEntry], leading: Leading, meanings: Matrix | None, language: str) -> Wording:
    """Return the rule: the catalogue's where it is sure, else the lessons' own, else what the catalogue suggests."""
    catalogued = _catalogued(leading.concept, language)
    if leading.share >= SURE:
        return catalogued
    own = _own_principle(lessons, meanings, language)
    if own is not NO_WORDING:
        return own
    return catalogued if leading.share >= ENOUGH else NO_WORDING


def _catalogued(concept: Concept, language: str) -> Wording:
    principle = concept.principle
    spoken = language if language in principle else next(iter(principle))
    others = {code: text for code, text in principle.items() if code != spoken}
    tasks = sorted(concept.tasks.items(), key=lambda each: each[0] != spoken)
    situation = "\n".join(SEPARATORS.get(code, "; ").join(texts) for code, texts in tasks)
    return Wording(principle[spoken], others, "catalogue", situation)


def _own_principle(lessons: Sequence[MemoryEntry], meanings: Matrix | None, language: str) -> Wording:
    """Return the member's principle nearest to the others' that can stand as a rule; it takes two to agree.

    What somebody wrote goes before what was derived from a text.
    """
    import numpy as np

    names = sorted({lesson.scope.project for lesson in lessons if lesson.scope.project})
    told = [index for index, lesson in enumerate(lessons) if lesson.lesson.principle]
    if len(told) < 2:
        return NO_WORDING
    nearness = (meanings[told] @ meanings[told].T).sum(axis=1) if meanings is not None else np.zeros(len(told))
    for place in sorted(range(len(told)), key=lambda place: (is_derived(lessons[told[place]]), -nearness[place])):
        principle = (lessons[told[place]].lesson.principle or "").strip()
        if language_of(principle) == language and not principle_problems(principle, names):
            return Wording(principle, {}, "principle")
    return NO_WORDING
