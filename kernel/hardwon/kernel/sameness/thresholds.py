"""From which cosine on two texts speak of one subject: for each embedder and language another figure, kept as data.

Models differ in the level of their cosines, and so do languages in one model, so that one constant would be wrong
everywhere. The shipped figures can be refitted with pairs of one's own (`hardwon evaluate --calibrate`), which writes
them into the home. For an embedder without a figure, nearness says nothing and shared words alone decide.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from hardwon.kernel.sameness.verdict import Sameness
from hardwon.kernel.whole_file import write_whole

FILE = "sameness.json"
FORMAT_VERSION = 1
PAIRS = Path(__file__).with_name("pairs.jsonl")
"""Pairs of texts that a figure can be fitted to where the user has none (tests/data/sameness/README.md)."""
SHIPPED: Mapping[str, Mapping[str, float]] = {"multilingual-e5-small-q4": {"en": 0.92, "zh": 0.953}}
"""By embedder, without the version of its engine, then by language. Where paraphrases part best from other texts on
one topic (60 pairs of each, in both languages)."""
FEWEST = 10
"""Pairs of each sort that a figure is fitted to."""

Thresholds = Mapping[str, Mapping[str, float]]


def load_thresholds(home: Path) -> Thresholds:
    """Return the figures that hold in a home: its own before the shipped ones; a broken file is passed over."""
    try:
        kept = json.loads((home / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return SHIPPED
    own = kept.get("thresholds") if isinstance(kept, dict) and kept.get("format") == FORMAT_VERSION else None
    return {**SHIPPED, **own} if isinstance(own, dict) else SHIPPED


def save_thresholds(home: Path, thresholds: Thresholds) -> None:
    """Write a home's own figures whole or not at all. Raises OSError."""
    content = json.dumps({"format": FORMAT_VERSION, "thresholds": thresholds}, indent=1, sort_keys=True) + "\n"
    write_whole(home / FILE, content.encode(), durable=True)


def nearness(cosine: float | None, embedder: str, language: str, thresholds: Thresholds) -> float | None:
    """Return a cosine as a multiple of its threshold; None where there is no figure for this embedder."""
    known = thresholds.get(embedder) or thresholds.get(embedder.partition("/")[2] or embedder)
    figure = known.get(language) if known else None
    return None if cosine is None or not figure else cosine / figure


def fitted(pairs: Iterable[tuple[str, float, Sameness]]) -> dict[str, float]:
    """Return by language the cosine that parts pairs on one subject best from DISTINCT ones.

    A pair is its language, its cosine and what it is. A language with fewer than 10 pairs of either sort has no figure.
    """
    by_language: dict[str, list[tuple[float, bool]]] = {}
    for language, cosine, sameness in pairs:
        by_language.setdefault(language, []).append((cosine, sameness is not Sameness.DISTINCT))
    return {
        language: _best(some)
        for language, some in sorted(by_language.items())
        if min(sum(same for _, same in some), sum(not same for _, same in some)) >= FEWEST
    }


def _best(pairs: list[tuple[float, bool]]) -> float:
    """Return the lowest of the cosines with the highest mean of both shares of right answers (Youden's index)."""
    same = sum(is_same for _, is_same in pairs)
    other = len(pairs) - same

    def right(threshold: float) -> float:
        above = [is_same for cosine, is_same in pairs if cosine >= threshold]
        return sum(above) / same - sum(not each for each in above) / other

    best: float = max(sorted({cosine for cosine, _ in pairs}), key=right)
    return round(best, 4)
