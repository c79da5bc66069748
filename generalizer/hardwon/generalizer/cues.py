"""Finds a catalogue's cues in texts, all of them in one pass over a text's words.

The grammar of a cue is in catalogue/README.md. English parts are matched on words with their inflection taken off,
Chinese parts anywhere in the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]")
_ENDINGS = ("ies", "ied", "ing", "ed", "es", "s")


def plain_words(text: str) -> list[str]:
    """Return the lower-case words of a text; identifiers fall into their parts at signs and at a change of case."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    words = _WORD.findall(apart.lower())
    return words if apart == text else words + _WORD.findall(text.lower())


@lru_cache(maxsize=50_000)
def base_form(word: str) -> str:
    """Take a regular English inflection off, the same way for cue and text; three letters stay at least."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            stem = word[: -len(ending)] + ("y" if ending in ("ies", "ied") else "")
            return stem[:-1] if stem.endswith("e") and len(stem) > 3 else stem
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


@dataclass(frozen=True)
class _Word:
    text: str
    prefix: bool

    def fits(self, word: str) -> bool:
        return word.startswith(self.text) if self.prefix else base_form(word) == self.text


@dataclass(frozen=True)
class Hit:
    """A cue that a text holds: which concept it speaks for, and whether it is a strong one."""

    concept: int
    cue: str
    strong: bool


class CueMatcher:
    """Matches the cues of several concepts. `cues[i]` are those of concept i."""

    def __init__(self, cues: Sequence[Sequence[str]]) -> None:
        self._cues: list[tuple[Hit, tuple[int, ...]]] = []
        self._phrases: list[tuple[_Word, ...]] = []
        self._chinese: dict[str, list[tuple[int, str]]] = defaultdict(list)
        self._exact: dict[str, list[int]] = defaultdict(list)
        self._pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._prefix: dict[str, list[int]] = defaultdict(list)
        self._parts: dict[str, int] = {}
        for concept, texts in enumerate(cues):
            for text in texts:
                bare = text.removeprefix("~")
                parts = tuple(self._part(part.strip()) for part in bare.split(" + ") if part.strip())
                if parts:
                    self._cues.append((Hit(concept, bare, strong=not text.startswith("~")), parts))
        self._by_part: dict[int, list[int]] = defaultdict(list)
        for index, (_, parts) in enumerate(self._cues):
            for part in parts:
                self._by_part[part].append(index)
        self._longest_prefix = max(map(len, self._prefix), default=0)

    def _part(self, text: str) -> int:
        known = self._parts.get(text)
        if known is not None:
            return known
        number = self._parts[text] = len(self._phrases)
        if _CJK.search(text):
            self._phrases.append(())
            self._chinese[text[0].lower()].append((number, text.lower()))
            return number
        words = []
        for token in text.lower().split():
            pieces = _WORD.findall(token)
            starred = token.endswith("*")
            words += [_Word(base_form(piece), prefix=False) for piece in pieces[:-1]]
            words += [_Word(piece if starred else base_form(piece), prefix=starred) for piece in pieces[-1:]]
        self._phrases.append(tuple(words))
        if words:
            self._index(number, words)
        return number

    def _index(self, number: int, words: Sequence[_Word]) -> None:
        """Note by which words a phrase is looked up: its first two where both are whole, since few texts have both."""
        if words[0].prefix:
            self._prefix[words[0].text].append(number)
        elif len(words) > 1 and not words[1].prefix:
            self._pairs[words[0].text, words[1].text].append(number)
        else:
            self._exact[words[0].text].append(number)

    def hits(self, text: str) -> list[Hit]:
        """Return every cue that the text holds, each once."""
        present = self._parts_in(text)
        touched = {cue for part in present for cue in self._by_part[part]}
        return [self._cues[cue][0] for cue in sorted(touched) if all(part in present for part in self._cues[cue][1])]

    def _parts_in(self, text: str) -> set[int]:
        words = plain_words(text)
        present: set[int] = set()
        forms = [base_form(word) for word in words]
        for position, (word, (form, following)) in enumerate(zip(words, pairwise([*forms, ""]), strict=True)):
            starts = [*self._exact.get(form, ()), *self._pairs.get((form, following), ())]
            for length in range(1, min(len(word), self._longest_prefix) + 1):
                starts += self._prefix.get(word[:length], ())
            present.update(part for part in starts if part not in present and self._stands_at(part, words, position))
        if _CJK.search(text):
            lowered = text.lower()
            for first in set(lowered).intersection(self._chinese):
                present.update(part for part, substring in self._chinese[first] if substring in lowered)
        return present

    def _stands_at(self, part: int, words: list[str], position: int) -> bool:
        """Tell whether the rest of a phrase follows, of which the first word is at this position."""
        rest = self._phrases[part][1:]
        there = words[position + 1 : position + 1 + len(rest)]
        return len(there) == len(rest) and all(map(_Word.fits, rest, there))
