"""Calibration: from which cosine on two texts speak of one subject, for the embedder that the home uses.

Pairs of texts of which it is known what the later one is to the earlier one: JSON Lines of `earlier`, `later` and
`relation` (duplicate, refinement, contradiction, distinct). Those that ship serve where the user has none.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.generalizer.evaluation.rehearsal import rehearsal
from hardwon.kernel.errors import InvalidInput, Unavailable
from hardwon.kernel.regular_file import read_regular_text
from hardwon.kernel.sameness.comparing import compare
from hardwon.kernel.sameness.thresholds import PAIRS, Thresholds, fitted, load_thresholds, nearness, save_thresholds
from hardwon.kernel.sameness.verdict import Sameness
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.embedding import vectors_of

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


@dataclass(frozen=True)
class Pair:
    """Two texts, and what the later one is to the earlier one."""

    earlier: str
    later: str
    sameness: Sameness

    @property
    def language(self) -> str:
        """Return the ISO 639-1 code of the later one's language."""
        return language_of(self.later)


@dataclass(frozen=True)
class Calibration:
    """What was fitted, and what comparing makes of the pairs with it."""

    embedder: str
    pairs: int
    before: Mapping[str, float]
    """By language."""
    after: Mapping[str, float]
    found: Mapping[tuple[Sameness, Sameness], int]
    """By what a pair is and what it was taken for."""


def read_pairs(path: Path) -> list[Pair]:
    """Read pairs. Raises InvalidInput that names the line."""
    try:
        lines = read_regular_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); name a file of JSON Lines.") from None
    return [_pair(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]


def _pair(line: str, where: str) -> Pair:
    try:
        row = json.loads(line)
        return Pair(str(row["earlier"]), str(row["later"]), Sameness(row["relation"]))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        known = ", ".join(Sameness)
        raise InvalidInput(
            f"{where} is no pair ({error}); give `earlier`, `later` and a `relation` of {known}."
        ) from None


def calibrate(home: Home, path: Path | None = None) -> Calibration:
    """Fit the thresholds of the home's embedder and keep them in the home.

    Raises Unavailable where no embedder runs, InvalidInput for pairs that cannot be read or are too few.
    """
    pairs = read_pairs(path or PAIRS)
    with rehearsal(home) as rehearsed:
        embedder = rehearsed.embedder
        if embedder is None:
            raise Unavailable("The setting `embedder` is none, so there is nothing to calibrate; choose one first.")
        cosines = _cosines(rehearsed, pairs)
        name = embedder.name
    thresholds = load_thresholds(home.path)
    after = fitted((pair.language, cosine, pair.sameness) for pair, cosine in zip(pairs, cosines, strict=True))
    if not after:
        raise InvalidInput("No language has ten pairs on one subject and ten others; give more pairs.")
    before = thresholds.get(name) or thresholds.get(name.partition("/")[2]) or {}
    own = {**thresholds, name: {**before, **after}}
    save_thresholds(home.path, own)
    return Calibration(name, len(pairs), before, after, _found(pairs, cosines, name, own))


def _cosines(home: Home, pairs: Sequence[Pair]) -> list[float]:
    import numpy as np

    vectors = vectors_of(home, [text for pair in pairs for text in (pair.earlier, pair.later)], "Embedding pairs")
    assert vectors is not None  # there is an embedder
    rows = {text: np.frombuffer(vector, dtype="<f4") for text, vector in vectors.items()}
    return [float(rows[pair.earlier] @ rows[pair.later]) for pair in pairs]


def _found(
    pairs: Sequence[Pair], cosines: Sequence[float], embedder: str, thresholds: Thresholds
) -> dict[tuple[Sameness, Sameness], int]:
    taken = Counter(
        (
            pair.sameness,
            compare(pair.earlier, pair.later, nearness=nearness(cosine, embedder, pair.language, thresholds)).sameness,
        )
        for pair, cosine in zip(pairs, cosines, strict=True)
    )
    return dict(taken)
