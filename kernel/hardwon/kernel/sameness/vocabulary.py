"""The lexicon in the form in which texts are looked up in it: built once a process."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hardwon.kernel.sameness import lexicon
from hardwon.kernel.stemming import stem


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Concepts by the words for them, and how concepts stand to each other."""

    english: Mapping[tuple[str, ...], str]
    """By the stems of a phrase."""
    longest_phrases: Mapping[str, int]
    """By the first stem of phrases: the words of the longest."""
    chinese: Mapping[str, str]
    longest_chinese: int
    opposites: Mapping[str, frozenset[str]]
    choices: Mapping[str, frozenset[int]]
    """By concept: the groups of which one takes the place of another."""
    places: Mapping[str, frozenset[int]]
    generic: frozenset[str]
    light: frozenset[str]
    negations: frozenset[str]
    connectors: frozenset[str]

    def opposite(self, one: str, other: str) -> bool:
        """Tell whether two concepts exclude each other."""
        return other in self.opposites.get(one, ())

    def choice(self, one: str, other: str) -> bool:
        """Tell whether one takes the place of the other."""
        return not self.choices.get(one, frozenset()).isdisjoint(self.choices.get(other, ()))

    def place(self, one: str, other: str) -> bool:
        """Tell whether they are two places, so that both may be true."""
        return not self.places.get(one, frozenset()).isdisjoint(self.places.get(other, ()))

    def concepts(self, words: str) -> frozenset[str]:
        """Return the concepts of words, for lists in code."""
        return frozenset(
            self.english.get((stem(word),), stem(word)) if word.isascii() else self.chinese.get(word, word)
            for word in words.split()
        )


@functools.cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary."""
    concepts: dict[str, str] = {}
    for group in _groups(lexicon.SYNONYMS):
        concepts |= {_key(word): _key(group[0]) for word in group if _key(word) not in concepts}
    negations = frozenset(_key(word) for group in _groups(lexicon.NEGATIONS) for word in group)
    light = frozenset(map(_key, lexicon.LIGHT.split()))
    connectors = frozenset(map(_key, lexicon.CONNECTORS.split()))
    related = (lexicon.OPPOSITES, lexicon.CHOICES, lexicon.PLACES)
    words = {_key(word) for text in related for group in _groups(text) for word in group} | negations | light
    concepts |= {word: word for word in words | connectors if word not in concepts}
    chinese = {word: concept for word, concept in concepts.items() if not word.isascii()}
    opposites = _opposites(concepts)
    generic = {concepts.get(_key(word), _key(word)) for word in lexicon.GENERIC.split()}
    english = {tuple(word.split()): concept for word, concept in concepts.items() if word.isascii()}
    longest_phrases: dict[str, int] = {}
    for phrase in english:
        longest_phrases[phrase[0]] = max(len(phrase), longest_phrases.get(phrase[0], 0))
    return Vocabulary(
        english=english,
        longest_phrases=longest_phrases,
        chinese=chinese,
        longest_chinese=max(map(len, chinese)),
        opposites=opposites,
        choices=_memberships(lexicon.CHOICES, concepts),
        places=_memberships(lexicon.PLACES, concepts),
        generic=frozenset(generic - opposites.keys()),
        light=light,
        negations=negations,
        connectors=connectors,
    )


def _groups(text: str) -> Iterator[list[str]]:
    for line in text.strip().splitlines():
        yield [word.strip() for word in line.split("|") if word.strip()]


def _key(word: str) -> str:
    return " ".join(map(stem, word.lower().split())) if word.isascii() else word.replace(" ", "")


def _opposites(concepts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for first, *others in _groups(lexicon.OPPOSITES):
        one = concepts[_key(first)]
        for each in others:
            other = concepts[_key(each)]
            found[one].add(other)
            found[other].add(one)
    return {word: frozenset(others) for word, others in found.items()}


def _memberships(text: str, concepts: Mapping[str, str]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for number, group in enumerate(_groups(text)):
        for word in group:
            found[concepts[_key(word)]].add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}
