"""Principles: whether a sentence can stand as a rule.

A rule says what to do in one sentence without names, so that it holds outside the project that paid for it. Whoever
words one is held to this, on every way in: a person, an agent, an import, a model, and the generalizer.

check        the faults of a sentence; faults: what they are called, in English and Chinese
leaks        what only one project has: paths, identifiers, versions, people, hosts; project_names: its own names
instruction  whether it says what to do, by english and chinese; verbs: the words that English sentences open with
measure      how long it is, how many sentences, in which language
"""

from __future__ import annotations

from hardwon.kernel.principle.check import faults_of, principle_problems
from hardwon.kernel.principle.faults import Fault
from hardwon.kernel.principle.instruction import is_normative
from hardwon.kernel.principle.measure import LONGEST, SHORTEST, length_in_words

__all__ = ["LONGEST", "SHORTEST", "Fault", "faults_of", "is_normative", "length_in_words", "principle_problems"]
