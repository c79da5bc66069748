"""Reliability: whether what is said with a confidence of .8 is right in four cases of five.

The table, and the expected calibration error over its bins, are those of Naeini et al. (2015, "Obtaining well
calibrated probabilities using Bayesian binning"); the area under the curve is the chance that something right was given
more confidence than something wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

BINS = 5


@dataclass(frozen=True)
class Bin:
    """What was said with a confidence from `least` up to `most`, 0–1."""

    least: float
    most: float
    count: int
    confidence: float
    """Their mean confidence, 0–1."""
    right: float
    """The share that was right, 0–1."""


def reliability(confidences: Sequence[float], right: Sequence[bool], bins: int = BINS) -> list[Bin]:
    """Return the bins, lowest first, that hold something."""
    places: dict[int, list[int]] = {}
    for index, confidence in enumerate(confidences):
        places.setdefault(min(bins - 1, int(confidence * bins)), []).append(index)
    return [
        Bin(
            least=place / bins,
            most=(place + 1) / bins,
            count=len(inside),
            confidence=fmean(confidences[index] for index in inside),
            right=fmean(right[index] for index in inside),
        )
        for place, inside in sorted(places.items())
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Return the mean distance between confidence and being right, each bin weighed by what it holds, 0–1."""
    total = sum(each.count for each in bins)
    return sum(each.count * abs(each.confidence - each.right) for each in bins) / total if total else 0.0


def area_under_curve(confidences: Sequence[float], right: Sequence[bool]) -> float | None:
    """Return the chance that something right has more confidence than something wrong; None without one of each."""
    good = [confidence for confidence, is_right in zip(confidences, right, strict=True) if is_right]
    bad = [confidence for confidence, is_right in zip(confidences, right, strict=True) if not is_right]
    if not good or not bad:
        return None
    return fmean((one > other) + 0.5 * (one == other) for one in good for other in bad)
