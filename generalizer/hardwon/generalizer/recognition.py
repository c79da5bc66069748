"""Recognition: which causes of the catalogue a lesson tells of.

A concept is recognised by what its examples mean (the cosine between a lesson and the mean of the concept's texts, both
without the direction that all sentences share) and by its cues. Lessons that are near to each other lend each other
their recognition: of ten lessons about one cause some name it plainly, and their neighbours follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hardwon.generalizer.catalogue import Concept
from hardwon.generalizer.cues import CueMatcher

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Mask, Matrix, SparseMatrix


CUE_WEIGHT = 0.12
"""What one strong cue adds to a concept's score, where a cosine is 0–1."""
WEAK_CUE = 0.25
MOST_CUES = 2.0
SPOKEN_OF = 0.9
"""The share of all concepts that a lesson does not speak of."""
ROUNDS = 10
TEMPERATURE = 0.035
"""Softness of the choice between concepts: a lead of this much is e times the belief."""
NEIGHBOUR_WEIGHT = 0.11
"""How much the belief of a neighbour at cosine 1 adds to a concept's score."""


@dataclass(frozen=True)
class Recogniser:
    """Knows a catalogue. `centres` is concepts × dimensions of unit length; None without an embedder."""

    concepts: Sequence[Concept]
    centres: Matrix | None

    def cues(self, texts: Sequence[str]) -> SparseMatrix:
        """Return lessons × concepts: the weights of the cues that each text holds."""
        import numpy as np
        from scipy import sparse

        matcher = _matcher_of(tuple(concept.cues for concept in self.concepts))
        found = [
            (row, hit.concept, 1.0 if hit.strong else WEAK_CUE)
            for row, text in enumerate(texts)
            for hit in matcher.hits(text)
        ]
        rows, columns, weights = zip(*found, strict=True) if found else ((), (), ())
        shape = (len(texts), len(self.concepts))
        return sparse.csr_matrix((np.array(weights, dtype=np.float32), (rows, columns)), shape=shape)

    def scores(self, texts: Sequence[str], meanings: Matrix | None, cues: SparseMatrix | None = None) -> Matrix:
        """Return lessons × concepts: how much each lesson speaks of each concept (cosine plus weighted cues).

        `cues` are those of the texts, where they are known already.
        """
        import numpy as np

        weights = np.asarray((self.cues(texts) if cues is None else cues).todense())
        scores: Matrix = (CUE_WEIGHT * np.minimum(weights, MOST_CUES)).astype(np.float32)
        if meanings is not None and self.centres is not None:
            scores += meanings @ self.centres.T
        return scores


@lru_cache(maxsize=4)
def _matcher_of(cues: tuple[tuple[str, ...], ...]) -> CueMatcher:
    """Return the matcher of a catalogue's cues: a run looks several times, and to make one takes a third of a second.

    What is kept hangs on the cues themselves, so a catalogue that was edited gets a matcher of its own.
    """
    return CueMatcher(cues)


def names_strongly(cues: SparseMatrix) -> Mask:
    """Return lessons × concepts: whether a text's cues for a concept are worth a strong one."""
    import numpy as np

    result: Mask = np.asarray(cues.todense()) >= 1
    return result


def profiles(scores: Matrix) -> Matrix:
    """Return lessons × concepts, unit length: how much more a lesson speaks of some concepts than of nearly all.

    Beliefs choose one concept; a profile keeps the dozens that are touched, so that two lessons of a cause which the
    catalogue lacks are alike in what they are near to (Gabrilovich and Markovitch 2007, explicit semantic analysis).
    """
    import numpy as np

    above: Matrix = np.maximum(scores - np.quantile(scores, SPOKEN_OF, axis=1, keepdims=True), 0).astype(np.float32)
    above /= np.maximum(np.linalg.norm(above, axis=1, keepdims=True), 1e-9)
    return above


def build_recogniser(concepts: Sequence[Concept], vectors: Mapping[str, Matrix] | None) -> Recogniser:
    """Return a recogniser. `vectors` holds the embedding, less the common direction, of every text of the concepts."""
    import numpy as np

    if vectors is None:
        return Recogniser(concepts, None)
    centres = np.stack([np.mean([vectors[text] for text in concept.texts], axis=0) for concept in concepts])
    centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-9)
    return Recogniser(concepts, centres.astype(np.float32))


def beliefs(scores: Matrix) -> Matrix:
    """Return lessons × concepts: the share of belief in each concept, each row adding up to 1 (softmax)."""
    import numpy as np

    shifted = np.exp((scores - scores.max(axis=1, keepdims=True)) / TEMPERATURE)
    result: Matrix = (shifted / shifted.sum(axis=1, keepdims=True)).astype(np.float32)
    return result


def cue_beliefs(scores: Matrix) -> Matrix:
    """Return beliefs from cues alone: each concept's share of what the cues say, at least one strong cue's worth.

    A text without a cue believes in nothing. Softmax would make it believe in everything a little, and all such texts
    alike (measured: one cluster of six lessons in seven).
    """
    import numpy as np

    result: Matrix = (scores / np.maximum(scores.sum(axis=1, keepdims=True), CUE_WEIGHT)).astype(np.float32)
    return result


def share_beliefs(scores: Matrix, neighbours: SparseMatrix) -> Matrix:
    """Return beliefs in which every lesson has listened to its neighbours (mean-field inference on a Potts model).

    `neighbours` is lessons × lessons, symmetric, with cosines 0–1. After `ROUNDS` the beliefs hardly move.
    """
    shared = beliefs(scores)
    for _ in range(ROUNDS):
        shared = beliefs(scores + NEIGHBOUR_WEIGHT * (neighbours @ shared))
    return shared
