"""Measures how well lessons are told from the rest: `python tests/cli/reading/measure_recognition.py`.

A taken unit is right when most of its lines that are not blank stand in what a person called a lesson; it does not
count when they stand in what was called borderline; else it is wrong. A lesson is found when some taken unit shares
most of its lines, or most of the unit's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hardwon.cli.reading.recognition import judged_units

DATA = Path(__file__).parents[2] / "data" / "lesson_files"
SETS = {
    "first labels": ("real", "labels_first.jsonl"),
    "second labels": ("real", "labels_second.jsonl"),
    "other styles": ("other_styles", "labels_other_styles.jsonl"),
    "held out": ("held_out", "labels_held_out.jsonl"),
}

Place = tuple[str, int, int]
"""A file's name, its first and its last line."""


@dataclass
class Measured:
    """What came out on one set of files."""

    right: list[Place] = field(default_factory=list)
    borderline: list[Place] = field(default_factory=list)
    wrong: list[Place] = field(default_factory=list)
    found: list[Place] = field(default_factory=list)
    missed: list[Place] = field(default_factory=list)
    taken_where_nothing_is: list[Place] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Return the share of what was taken that is right, borderline units left out."""
        return len(self.right) / max(1, len(self.right) + len(self.wrong))

    @property
    def recall(self) -> float:
        """Return the share of the labelled lessons that were found."""
        return len(self.found) / max(1, len(self.found) + len(self.missed))


def labels_of(name: str) -> dict[str, list[Place]]:
    """Return the labelled places of a file of labels, by label."""
    places: dict[str, list[Place]] = {"lesson": [], "borderline": []}
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        places[label["label"]].append((label["file"], label["start"], label["end"]))
    return places


def measure(folder: str, labels: str) -> Measured:
    """Return what the reader takes of a folder, held against labels."""
    result = Measured()
    places = labels_of(labels)
    for path in sorted((DATA / folder).glob("*.md")):
        lines = path.read_text(encoding="utf-8").split("\n")
        taken = [(path.name, unit.first, unit.last) for unit, verdict in judged_units(lines, path.stem)
                 if not verdict.skipped_as]  # fmt: skip
        lessons, borderline = ([each for each in places[label] if each[0] == path.name] for label in places)
        _sort_taken(result, lines, taken, lessons, borderline)
        for lesson in lessons:
            shared = any(_mostly(lines, lesson, [unit]) or _mostly(lines, unit, [lesson]) for unit in taken)
            (result.found if shared else result.missed).append(lesson)
        if not lessons:
            result.taken_where_nothing_is.extend(taken)
    return result


def agreement(first: str, second: str, folder: str) -> tuple[int, int, int]:
    """Return how many lines both call a lesson, how many at least one does, and all lines that are not blank."""
    both = either = everything = 0
    for path in sorted((DATA / folder).glob("*.md")):
        lines = path.read_text(encoding="utf-8").split("\n")
        sets = [
            {line for place in labels_of(name)["lesson"] if place[0] == path.name for line in _lines(lines, place)}
            for name in (first, second)
        ]
        both += len(sets[0] & sets[1])
        either += len(sets[0] | sets[1])
        everything += len(_lines(lines, (path.name, 1, len(lines))))
    return both, either, everything


def report() -> Iterator[str]:
    """Walk the lines of a report."""
    for name, (folder, labels) in SETS.items():
        result = measure(folder, labels)
        yield (
            f"{name}: precision {result.precision:.3f} ({len(result.right)} right, {len(result.wrong)} wrong, "
            f"{len(result.borderline)} borderline), recall {result.recall:.3f} "
            f"({len(result.found)} of {len(result.found) + len(result.missed)}), "
            f"{len(result.taken_where_nothing_is)} taken from files without a lesson"
        )
        yield from (f"  wrong: {file}:{start}-{end}" for file, start, end in result.wrong)
        yield from (f"  missed: {file}:{start}-{end}" for file, start, end in result.missed)
    both, either, everything = agreement("labels_first.jsonl", "labels_second.jsonl", "real")
    yield f"the two labellers: {both} lines called a lesson by both, {either} by at least one, of {everything}"


def _sort_taken(
    result: Measured, lines: Sequence[str], taken: Iterable[Place], lessons: list[Place], borderline: list[Place]
) -> None:
    for unit in taken:
        if _mostly(lines, unit, lessons):
            result.right.append(unit)
        elif _mostly(lines, unit, [*lessons, *borderline]):
            result.borderline.append(unit)
        else:
            result.wrong.append(unit)


def _mostly(lines: Sequence[str], place: Place, others: Iterable[Place]) -> bool:
    own = _lines(lines, place)
    covered = {line for other in others for line in _lines(lines, other)}
    return 2 * len(own & covered) > len(own)


def _lines(lines: Sequence[str], place: Place) -> set[int]:
    return {number for number in range(place[1], place[2] + 1) if lines[number - 1].strip()}


if __name__ == "__main__":
    print("\n".join(report()))
