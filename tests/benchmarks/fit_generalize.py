"""Fit the weights of the generalizer again from data that ships: those of the views, and those of the signs.

    python tests/benchmarks/fit_generalize.py

Lessons whose causes are known come from two places: the labelled set in tests/data (with and without the fields that an
agent would have saved), and draws from the catalogue (of 35 concepts 4 to 11 examples each are the lessons of a cause,
of 80 more one example each is noise; the catalogue then lacks these examples). Each is looked at with the whole
catalogue, with one that lacks half of the causes, and the draws with one that lacks them all: what is fitted has to
serve causes that the catalogue has never heard of.

It prints what stands in signs.py (logistic regression over all groups of the cluster trees: do four fifths of a group
share one cause?) and in evidence.py (over pairs of lessons: do they share one?), and the area under the curve on each.
Both places weigh the same. The development set has no part in it.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from hardwon.generalizer.catalogue import Concept, shipped_catalogue
from hardwon.generalizer.clusters import LOOSEST, tree
from hardwon.generalizer.evidence import VIEWS, Evidence, gather
from hardwon.generalizer.graph import components
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.testing.examples import memory

DATA = Path(__file__).parents[1] / "data" / "lessons"
DRAWS = 4
HALVES = 3
CAUSES, NOISE, FEWEST, MOST = 35, 80, 4, 11
PROJECTS = 60
PURE = 0.8
REGULARISATION = 0.3
PAIRS = 0.1
"""The share of the pairs of two causes that is used."""


@dataclass(frozen=True)
class Known:
    """Lessons, the cause of each (None: noise), and the catalogues to look at them with, by a word for each."""

    place: str
    lessons: Sequence[MemoryEntry]
    causes: Sequence[str | None]
    catalogues: dict[str, Sequence[Concept]]


def labelled(home: Home, *, fields: bool) -> Known:
    """Return the labelled set; a cause is taken from the catalogue with every concept that leads two of its lessons."""
    rows = _read("generalize.jsonl")
    told = {row.pop("id"): row for row in _read("generalize_fields.jsonl")} if fields else {}
    lessons = [memory(row["content"], row["project"], lesson=Lesson(**told.get(row["id"], {}))) for row in rows]
    causes = [row["cause"] for row in rows]
    concepts = shipped_catalogue()
    leads = gather(home, lessons, concepts).beliefs.argmax(axis=1)
    by_cause: dict[str, Counter[int]] = defaultdict(Counter)
    for lead, cause in zip(leads, causes, strict=True):
        if cause:
            by_cause[cause][int(lead)] += 1
    catalogues: dict[str, Sequence[Concept]] = {"whole": concepts}
    for seed in range(HALVES):
        dropped = sorted(by_cause)
        random.Random(seed).shuffle(dropped)
        gone = {lead for cause in dropped[: len(dropped) // 2] for lead, n in by_cause[cause].items() if n > 1}
        catalogues[f"half {seed}"] = [each for number, each in enumerate(concepts) if number not in gone]
    return Known("labelled", lessons, causes, catalogues)


def drawn(seed: int) -> Known:
    """Return examples of the catalogue as lessons, and catalogues without them."""
    chance = random.Random(seed)
    concepts = list(shipped_catalogue())
    order = [number for number, concept in enumerate(concepts) if len(concept.examples) >= FEWEST + 2]
    chance.shuffle(order)
    told: list[tuple[str, str | None]] = []
    kept = dict(enumerate(concepts))
    for number in order[: CAUSES + NOISE]:
        examples = list(concepts[number].examples)
        chance.shuffle(examples)
        cause = number in order[:CAUSES]
        count = min(len(examples) - 2, chance.randint(FEWEST, MOST)) if cause else 1
        told += [(text, concepts[number].topic if cause else None) for text in examples[:count]]
        kept[number] = replace(concepts[number], examples=tuple(examples[count:]))
    chance.shuffle(told)
    half = {*order[: CAUSES // 2], *order[CAUSES : CAUSES + NOISE // 2]}
    return Known(
        "catalogue",
        [memory(text, f"project-{number % PROJECTS}") for number, (text, _) in enumerate(told)],
        [cause for _, cause in told],
        {
            "whole": list(kept.values()),
            "half": [concept for number, concept in kept.items() if number not in half],
            "none": [concept for number, concept in kept.items() if number not in order[: CAUSES + NOISE]],
        },
    )


def groups(evidence: Evidence, known: Known) -> Iterator[tuple[list[float], bool]]:
    """Walk every group that could be proposed: its signs, and whether it is pure."""
    for component in components(evidence.similar, evidence.candidates, LOOSEST):
        for node in tree(evidence, component, lambda group: len(group) > 2):
            if node.signs:
                cause, count = Counter(known.causes[index] for index in node.members).most_common(1)[0]
                pure = cause is not None and count / len(node.members) >= PURE
                yield [*node.signs.separation.values(), node.signs.named], pure


def pairs(evidence: Evidence, known: Known) -> Iterator[tuple[list[float], bool]]:
    """Walk pairs of lessons, all of one cause and some others: how similar they are by each view."""
    every = range(len(known.lessons))
    views = evidence.views(every, every)
    chance = random.Random(0)
    for one in every:
        for other in range(one):
            same = known.causes[one] is not None and known.causes[one] == known.causes[other]
            if same or chance.random() < PAIRS:
                yield [float(view[one, other]) for view in views], same


def fitted(samples: Sequence[tuple[str, list[float], bool]]) -> tuple[list[float], float, dict[str, float]]:
    """Return weights, bias, and the area under the curve by place; every place weighs the same."""
    values = np.array([each for _, each, _ in samples])
    right = np.array([each for *_, each in samples])
    places = Counter(place for place, *_ in samples)
    weight = np.array([len(samples) / len(places) / places[place] for place, *_ in samples])
    scaler = StandardScaler().fit(values)
    model = LogisticRegression(C=REGULARISATION, max_iter=1000)
    model.fit(scaler.transform(values), right, sample_weight=weight)
    weights = model.coef_[0] / scaler.scale_
    likely = model.decision_function(scaler.transform(values))
    among = {place: np.array([each[0] == place for each in samples]) for place in places}
    areas = {place: float(roc_auc_score(right[rows], likely[rows])) for place, rows in among.items()}
    return weights.tolist(), float(model.intercept_[0] - (weights * scaler.mean_).sum()), areas


def main() -> None:
    """Print the weights."""
    of_groups: list[tuple[str, list[float], bool]] = []
    of_pairs: list[tuple[str, list[float], bool]] = []
    with tempfile.TemporaryDirectory() as folder, Home(Path(folder) / "home") as home:
        home.create()
        for known in (labelled(home, fields=False), labelled(home, fields=True), *map(drawn, range(DRAWS))):
            for concepts in known.catalogues.values():
                evidence = gather(home, known.lessons, concepts)
                of_groups += [(known.place, *each) for each in groups(evidence, known)]
                if known.place == "catalogue":
                    of_pairs += [(known.place, *each) for each in pairs(evidence, known)]
    for name, samples, names in (("signs", of_groups, (*VIEWS, "named")), ("views", of_pairs, tuple(VIEWS))):
        weights, bias, areas = fitted(samples)
        shares = [each / sum(weights) for each in weights]
        print(f"{name}: {len(samples)} samples, {sum(right for *_, right in samples) / len(samples):.0%} right")
        print("  weights " + ", ".join(f"{one} {weight:.2f}" for one, weight in zip(names, weights, strict=True)))
        print("  shares  " + ", ".join(f"{one} {share:.2f}" for one, share in zip(names, shares, strict=True)))
        print(f"  bias {bias:.2f}; area under the curve: " + ", ".join(f"{k} {v:.2f}" for k, v in areas.items()))


def _read(name: str) -> list[dict[str, Any]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


if __name__ == "__main__":
    main()
