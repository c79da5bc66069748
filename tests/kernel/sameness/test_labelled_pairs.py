"""What is called the same, more or the opposite mostly is: measured on labelled pairs in English and Chinese."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from hardwon.kernel.sameness.comparing import compare
from hardwon.kernel.sameness.thresholds import PAIRS
from hardwon.kernel.sameness.verdict import Sameness

HELD_OUT, LAST = (Path(__file__).parents[2] / "data" / "sameness" / name for name in ("held_out.jsonl", "last.jsonl"))
PRECISION = {Sameness.DUPLICATE: 0.95, Sameness.CONTRADICTION: 0.85}
"""A wrong merge is worse than a missed one, and worse than a needless question."""
RECALL = {Sameness.DUPLICATE: 0.7, Sameness.CONTRADICTION: 0.75}


def pairs(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def confusion(some: list[dict[str, str]]) -> Counter[tuple[Sameness, Sameness]]:
    return Counter((Sameness(pair["relation"]), compare(pair["earlier"], pair["later"]).sameness) for pair in some)


def table(found: Counter[tuple[Sameness, Sameness]]) -> str:
    head = " ".join(f"{each.value:>14}" for each in Sameness)
    rows = [" ".join([f"{label:>14}", *(f"{found[label, said]:14}" for said in Sameness)]) for label in Sameness]
    return "\n".join([f"{'is / said':>14} {head}", *rows])


@pytest.mark.parametrize("file", [PAIRS, HELD_OUT, LAST], ids=["shipped", "held out", "last"])
@pytest.mark.parametrize("sameness", PRECISION)
def test_what_is_said_of_labelled_pairs_is_mostly_right(file: Path, sameness: Sameness) -> None:
    found = confusion(pairs(file))
    print(f"\n{file.name}\n{table(found)}")
    right = found[sameness, sameness]
    said = sum(count for (_, each), count in found.items() if each is sameness)
    there = sum(count for (label, _), count in found.items() if label is sameness)
    assert right >= PRECISION[sameness] * said, table(found)
    assert right >= RECALL[sameness] * there, table(found)


@pytest.mark.parametrize("file", [PAIRS, HELD_OUT, LAST], ids=["shipped", "held out", "last"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_both_languages_are_understood(file: str, language: str) -> None:
    found = confusion([pair for pair in pairs(file) if pair["language"] == language])
    for sameness in PRECISION:
        assert found[sameness, sameness] >= 0.5 * sum(found[sameness, said] for said in Sameness), table(found)


@pytest.mark.parametrize("file", [PAIRS, HELD_OUT, LAST], ids=["shipped", "held out", "last"])
def test_a_contradiction_is_never_taken_for_a_duplicate(file: str) -> None:
    assert confusion(pairs(file))[Sameness.CONTRADICTION, Sameness.DUPLICATE] == 0
