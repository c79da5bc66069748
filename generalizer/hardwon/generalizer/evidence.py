"""Evidence: what the generalizer knows of every lesson, as matrices with one row a lesson.

Several views are joined: what the text and the principle mean, which causes are recognised, and, where no embedder
runs, the words without project-specific names. Two lessons are as similar as the mean of their views says, 0–1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.generalizer.basis import program
from hardwon.generalizer.candidates import Candidates, candidates_by
from hardwon.generalizer.catalogue import Concept
from hardwon.generalizer.catalogue_vectors import catalogue_vectors
from hardwon.generalizer.graph import nearest
from hardwon.generalizer.kept_rows import kept_rows
from hardwon.generalizer.meanings import unpack, without_common_direction
from hardwon.generalizer.recognition import Recogniser, build_recogniser, cue_beliefs, share_beliefs
from hardwon.generalizer.words import without_entities, word_vectors
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.use_cases.consolidating.derived import FOLDER

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Matrix, SparseMatrix
    from hardwon.generalizer.candidates import Places
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


CUES = "cues.npz"
"""What is kept in the home of the cues that were found, beside what else is kept from run to run."""
NEIGHBOURS = 8
NEAR = 0.3
"""The least cosine, without the common direction, at which a lesson is a neighbour."""


@dataclass(frozen=True)
class Evidence:
    """What is known of n lessons."""

    meanings: Matrix | None
    """n × d, unit length; None without an embedder."""
    beliefs: Matrix
    """n × concepts, rows adding up to 1; to less where cues alone speak and say little."""
    scores: Matrix | None
    """n × concepts: how much each lesson's own text speaks of each concept; None without an embedder."""
    words: SparseMatrix | None
    """n × terms, sparse, unit length; None where meanings are known."""
    near: SparseMatrix | None = None
    """n × n: cosines of each lesson and its nearest by meaning; None without an embedder."""

    @property
    def candidates(self) -> Candidates:
        """Return which pairs of lessons are worth comparing."""
        if self.meanings is None:
            return Candidates(len(self.beliefs))
        return candidates_by(self.beliefs, self.near)

    @cached_property
    def _roots(self) -> Matrix:
        import numpy as np

        return np.sqrt(self.beliefs)

    def similar(self, rows: Places, columns: Places) -> Matrix:
        """Return the similarities between some lessons and others, 0–1, 0 between a lesson and itself."""
        import numpy as np

        these, those = np.asarray(rows), np.asarray(columns)
        views: list[Matrix] = [self._roots[these] @ self._roots[those].T]
        if self.meanings is not None:
            views.append(self.meanings[these] @ self.meanings[those].T)
        elif self.words is not None:
            views.append(np.asarray((self.words[these] @ self.words[those].T).todense(), dtype=np.float32))
        block: Matrix = np.stack(views).mean(axis=0)
        block[np.equal.outer(these, those)] = 0
        return block


def gather(home: Home, lessons: Sequence[MemoryEntry], concepts: Sequence[Concept]) -> Evidence:
    """Look at every lesson from all sides."""
    texts = [recognised_text(lesson) for lesson in lessons]
    embedded = _meanings(home, lessons, concepts)
    meanings, recogniser = embedded or (None, build_recogniser(concepts, None))
    scores = recogniser.scores(texts, meanings, _cues(home, texts, recogniser))
    if meanings is None:
        names = {lesson.scope.project for lesson in lessons if lesson.scope.project}
        bare = [without_entities(text, sorted(names)) for text in texts]
        return Evidence(None, cue_beliefs(scores), None, word_vectors(bare))
    near = nearest(meanings, NEIGHBOURS, NEAR)
    return Evidence(meanings, share_beliefs(scores, near), scores, None, near)


def recognised_text(lesson: MemoryEntry) -> str:
    """Return all that a lesson says, for cues."""
    parts = (lesson.content, lesson.lesson.cause, lesson.lesson.fix, lesson.lesson.principle)
    return "\n".join(part for part in parts if part)


def _cues(home: Home, texts: Sequence[str], recogniser: Recogniser) -> SparseMatrix:
    """Return the cues that the texts hold; those of a text that was looked at before are not looked for again."""
    hangs_on = fingerprint(program(), *(cue for concept in recogniser.concepts for cue in ("", *concept.cues)))
    return kept_rows(home.path / FOLDER / CUES, hangs_on, texts, len(recogniser.concepts), recogniser.cues)


def _meanings(
    home: Home, lessons: Sequence[MemoryEntry], concepts: Sequence[Concept]
) -> tuple[Matrix, Recogniser] | None:
    """Return what lessons mean (text and principle, half each where both are) and a recogniser of the same space."""
    import numpy as np

    from hardwon.kernel.use_cases.embedding import embedded_texts, vectors_of

    known = vectors_of(home, [text for lesson in lessons for text in embedded_texts(lesson)], "Embedding lessons")
    catalogue = catalogue_vectors(home, concepts) if known is not None else None
    if not known or catalogue is None:
        return None
    texts = list(known)
    rows, centred = without_common_direction(unpack([known[text] for text in texts]), catalogue.rows)
    place = {text: row for row, text in enumerate(texts)}
    meanings = np.stack([rows[[place[text] for text in embedded_texts(lesson)]].mean(axis=0) for lesson in lessons])
    meanings /= np.maximum(np.linalg.norm(meanings, axis=1, keepdims=True), 1e-9)
    vectors = dict(zip(catalogue.texts, centred, strict=True))
    return meanings.astype(np.float32), build_recogniser(concepts, vectors)
