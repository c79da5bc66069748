"""How well proposals match known causes.

B-cubed is that of Bagga and Baldwin (1998, "Algorithms for scoring coreference chains"), with every lesson of no cause
a class of its own, so that to pull one into a proposal costs precision. Its gain is (F1 - floor) / (1 - floor), where
the floor is the F1 of proposing nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from hardwon.generalizer.evaluation.labelled import Causes

PURE = 0.8
"""The share of a proposal's lessons from which on one cause makes it pure."""
HEAD = 20
"""Proposals at the head of the queue whose precision is measured."""
USEFUL_LESSONS = 3
USEFUL_PROJECTS = 2


@dataclass(frozen=True)
class Proposed:
    """A proposal, as far as it is measured."""

    members: tuple[str, ...]
    projects: int
    confidence: float = 0.0
    rule: str = ""

    def leading(self, causes: Causes) -> tuple[str | None, float]:
        """Return the cause of most members, each lesson of none being one of its own, and their share."""
        counts = Counter(causes[id] or ("none", id) for id in self.members)
        cause, count = counts.most_common(1)[0]
        return (cause if isinstance(cause, str) else None), count / len(self.members)

    def is_pure(self, causes: Causes) -> bool:
        """Tell whether four fifths share one cause."""
        cause, share = self.leading(causes)
        return cause is not None and share >= PURE

    def is_mixed(self, causes: Causes) -> bool:
        """Tell whether it holds two causes: it is over-generalized."""
        return len({causes[id] for id in self.members} - {None}) > 1

    def is_useful(self, causes: Causes) -> bool:
        """Tell whether a reviewer would be glad of it: pure, of enough lessons and more than one project."""
        return self.is_pure(causes) and len(self.members) >= USEFUL_LESSONS and self.projects >= USEFUL_PROJECTS


def b_cubed(proposals: Sequence[Proposed], causes: Causes) -> tuple[float, float, float]:
    """Return B-cubed precision, recall and F1 over all lessons, 0–1; what is in no proposal is a cluster of one."""
    classes = {id: cause or ("none", id) for id, cause in causes.items()}
    sizes = Counter(classes.values())
    clusters: dict[str, object] = {id: ("alone", id) for id in causes}
    for place, proposal in enumerate(proposals):
        clusters |= {id: place for id in proposal.members if id in clusters}
    cluster_sizes = Counter(clusters.values())
    both = Counter((classes[id], clusters[id]) for id in causes)
    precision = fmean(both[classes[id], clusters[id]] / cluster_sizes[clusters[id]] for id in causes)
    recall = fmean(both[classes[id], clusters[id]] / sizes[classes[id]] for id in causes)
    return precision, recall, 2 * precision * recall / (precision + recall)


def gain(proposals: Sequence[Proposed], causes: Causes) -> float:
    """Return what B-cubed F1 gains over proposing nothing, as a share of what there is to gain; below 0 it loses."""
    floor = b_cubed([], causes)[2]
    return (b_cubed(proposals, causes)[2] - floor) / (1 - floor) if floor < 1 else 0.0


def cluster_measures(proposals: Sequence[Proposed], causes: Causes) -> dict[str, float]:
    """Return every measure by name, each 0–1 but for the counts, of proposals in the queue's order.

    What the set has nothing to measure by is left out: a set without noise says nothing of how noise is rejected.
    """
    noise = [id for id, cause in causes.items() if cause is None]
    labels = {cause for cause in causes.values() if cause}
    taken = {id for each in proposals for id in each.members}
    covered = [cause for each in proposals if each.is_pure(causes) and (cause := each.leading(causes)[0])]
    precision, recall, f1 = b_cubed(proposals, causes)
    return {
        "proposals": len(proposals),
        **proposal_measures(proposals, causes),
        **({"noise rejection": fmean(id not in taken for id in noise)} if noise else {}),
        "B-cubed precision": precision,
        "B-cubed recall": recall,
        "B-cubed F1": f1,
        "B-cubed gain": gain(proposals, causes),
        **({"causes covered": len(set(covered)) / len(labels)} if labels else {}),
        "proposals a cause": len(covered) / max(1, len(set(covered))),
    }


def proposal_measures(proposals: Sequence[Proposed], causes: Causes) -> dict[str, float]:
    """Return the shares of proposals that are useful (of the head alone), pure, over-generalized and cross-project."""

    def share(wanted: Sequence[bool]) -> float:
        return fmean(wanted) if wanted else 0.0

    return {
        f"precision at {HEAD}": share([each.is_useful(causes) for each in proposals[:HEAD]]),
        "pure": share([each.is_pure(causes) for each in proposals]),
        "over-generalized": share([each.is_mixed(causes) for each in proposals]),
        "cross-project": share([each.projects > 1 for each in proposals]),
    }


def joined_across_languages(
    proposals: Sequence[Proposed], causes: Causes, languages: Mapping[str, str]
) -> dict[str, float]:
    """Return the share of the pairs of lessons of one cause in two languages that one proposal holds, 0–1.

    Nothing where there is no such pair.
    """
    place = {id: number for number, each in enumerate(proposals) for id in each.members}
    ids = [id for id, cause in causes.items() if cause]
    pairs = [
        (one, other)
        for index, one in enumerate(ids)
        for other in ids[index + 1 :]
        if causes[one] == causes[other] and languages[one] != languages[other]
    ]
    joined = [place.get(one, -1) == place.get(other, -2) for one, other in pairs]
    return {"joined across languages": fmean(joined)} if joined else {}
