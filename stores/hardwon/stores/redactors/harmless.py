"""Tells what a text has to be looked through for, so that not every put pays for all that a secret may look like.

Each rule of the detector goes by something without a blank in it that must be there: an anchor, a word, a prefix, a
long run of characters. Most pieces of any text were met before, so that looking them up takes a tenth of the time of
looking for all that they may be.
"""

from __future__ import annotations

import re

from hardwon.kernel.secret_assignments import HEADERS, NAMES
from hardwon.kernel.secret_patterns import runs
from hardwon.kernel.secrets import ANCHORS, PREFIXES, SHORTEST_TAIL
from hardwon.stores.redactors.plugins import LONG_RUN, WORDS
from hardwon.stores.redactors.random_texts import SHORTEST_SPOKEN_OF

NOTHING, NAMED, BEGUN, ANYTHING = range(4)
"""What may stand in a text or a piece of one: no secret; one that is called so (`assigned`, `named`); the beginning of
one that a line break cut; one of any kind."""
_LONGEST_REMEMBERED = 32
"""Characters of a piece that is remembered: longer ones hardly come twice."""
_REMEMBERED = 1 << 15
"""Pieces: some 4 MB."""
LONGEST = 1 << 15
"""Characters of a text that is told by its pieces: of a longer one most are new, and all rules together cost less."""


def _without_blanks(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the longest piece without a blank of each text."""
    return tuple(sorted({max(text.split(), key=len) for text in texts}))


_ANCHORS = _without_blanks(ANCHORS)
_HEADERS = _without_blanks(HEADERS)
_NAMES = _without_blanks((*NAMES, *WORDS))
_LONGEST_RUN = min(LONG_RUN, SHORTEST_SPOKEN_OF)
_PREFIX = re.compile(f"(?a){PREFIXES}")
_PREFIXED = re.compile(rf"(?a){PREFIXES}[\w.=-]{{{SHORTEST_TAIL}}}")


def may_hold(text: str) -> int:
    """Return NOTHING, NAMED or ANYTHING; all but the first say only that the text has to be looked through for it."""
    if len(text) > LONGEST:
        return ANYTHING
    pieces = text.split()
    try:
        most = max(map(_known.__getitem__, pieces), default=NOTHING)
    except KeyError:
        most = _learn(pieces)
    if most == BEGUN:
        return ANYTHING if "\n" in text and any(map(_goes_on, text.split("\n"))) else NAMED
    return most


def _goes_on(line: str) -> bool:
    """Tell whether a line ends with a piece that, with the next line, may be a token which a line break cut."""
    return _PREFIX.search(line, line.rfind(" ") + 1) is not None


_known: dict[str, int] = {}
"""What may stand in pieces of text, those of short ones."""


def _learn(pieces: list[str]) -> int:
    """Return the most that may stand in pieces of which some are new, remembering it of short ones."""
    kinds = [*map(_known.get, pieces)]
    new = [piece for piece, kind in zip(pieces, kinds, strict=True) if kind is None]
    if _found(" ".join(new)) == NOTHING:  # which costs hardly more than asking of one piece
        learned = dict.fromkeys(new, NOTHING)
    else:
        learned = {piece: _found(piece) for piece in new}
    if len(_known) + len(learned) > _REMEMBERED:
        _known.clear()
    _known.update((piece, kind) for piece, kind in learned.items() if len(piece) <= _LONGEST_REMEMBERED)
    return max([*filter(None, kinds), *learned.values()], default=NOTHING)


def _found(text: str) -> int:
    """Return what may stand in pieces of text with blanks between."""
    small = text.lower()
    if _holds(text, _ANCHORS) or _holds(small, _HEADERS) or any(runs(text, _LONGEST_RUN)) or _PREFIXED.search(text):
        return ANYTHING
    if _PREFIX.search(text):
        return BEGUN
    return NAMED if _holds(small, _NAMES) else NOTHING


def _holds(text: str, anchors: tuple[str, ...]) -> bool:
    for anchor in anchors:  # noqa: SIM110 - as a generator it takes twice as long
        if anchor in text:
            return True
    return False
