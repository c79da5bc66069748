"""All that keeps a sentence from standing as a rule."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hardwon.kernel.principle.faults import Fault
from hardwon.kernel.principle.instruction import asks_for_care, is_normative
from hardwon.kernel.principle.leaks import leaks
from hardwon.kernel.principle.measure import LONGEST, SHORTEST, is_in, is_one_sentence, length_in_words
from hardwon.kernel.principle.project_names import is_named

LONGEST_READ = 1_000
"""Characters beyond which a text is no sentence, and is not looked at."""


def faults_of(sentence: str, names: Iterable[str] = (), languages: Collection[str] = ()) -> list[Fault]:
    """Return what keeps a sentence from standing as a rule; empty when it can.

    `names` are those of the projects, and of their packages, that it must not speak of; `languages` (ISO 639-1) those
    that it may be in, any where there are none.
    """
    if len(sentence) > LONGEST_READ:
        return [Fault("length")]
    faults = [*leaks(sentence), *(Fault("name", name) for name in names if is_named(sentence, name))]
    if not is_normative(sentence):
        faults.append(Fault("fact"))
    elif care := asks_for_care(sentence):
        faults.append(Fault("care", care))
    if not SHORTEST <= length_in_words(sentence) <= LONGEST:
        faults.append(Fault("length"))
    if not is_one_sentence(sentence):
        faults.append(Fault("sentences"))
    if not is_in(sentence, languages):
        faults.append(Fault("language"))
    return faults


def principle_problems(sentence: str, names: Iterable[str] = ()) -> list[str]:
    """Return what keeps a sentence from standing as a rule, each in a few words; empty when it can."""
    return [fault.told() for fault in faults_of(sentence, names)]
