"""Evidence: what the generalizer knows of every lesson, as matrices with one row a lesson.

Several views are joined: what a lesson means, which causes are recognised, what else its text speaks of, and, where no
embedder runs, the words without project-specific names. Two lessons are as similar as the weighted mean of their views
says, 0–1.

What a lesson means is the mean of what its text, its principle, and its account (situation, cause and fix) mean. Each
says the same in other words, so what is accidental in one cancels out (measured: better than the cosines of each added
up, see docs/decisions/0024).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from hardwon.generalizer.recognition import (
    Recogniser,
    build_recogniser,
    cue_beliefs,
    names_strongly,
    profiles,
    share_beliefs,
)
from hardwon.generalizer.words import without_entities, word_vectors
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.text import by_language
from hardwon.kernel.use_cases.consolidating.derived import FOLDER
from hardwon.kernel.use_cases.embedding import LONGEST, embedded_texts, vectors_of

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Mask, Matrix, SparseMatrix
    from hardwon.generalizer.candidates import Places
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry


CUES = "cues.npz"
"""What is kept in the home of the cues that were found, beside what else is kept from run to run."""
NEIGHBOURS = 8
NEAR = 0.3
"""The least cosine, without the common direction, at which a lesson is a neighbour."""
VIEWS = {"meaning": 0.38, "cause": 0.35, "profile": 0.27}
"""What each view counts where lessons are embedded: in proportion to a logistic regression of whether two examples of
the catalogue are of one concept, with half of the concepts kept from recognition (tests/benchmarks/fit_generalize.py).
"""
VIEWS_OF_WORDS = {"meaning": 0.5, "cause": 0.5}


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
    named: Mask | None = None
    """n × concepts: whether a lesson's own text names the concept by a strong cue."""

    @cached_property
    def candidates(self) -> Candidates:
        """Return which pairs of lessons are worth comparing."""
        if self.meanings is None:
            return Candidates(len(self.beliefs))
        return candidates_by(self.beliefs, self.near)

    @property
    def weights(self) -> Mapping[str, float]:
        """Return what each view counts, adding up to 1, in the order of the views."""
        return VIEWS if self.scores is not None else VIEWS_OF_WORDS

    def views(self, rows: Places, columns: Places) -> list[Matrix]:
        """Return the similarities between some lessons and others by each view, 0 between a lesson and itself."""
        import numpy as np

        these, those = np.asarray(rows), np.asarray(columns)
        itself = np.equal.outer(these, those)
        blocks = [_dense(view[these] @ view[those].T) for view in self._views]
        for block in blocks:
            block[itself] = 0
        return blocks

    def sums(self, group: Places, columns: Places) -> Matrix:
        """Return views × lessons: how similar each of some lessons is to all of a group, a lesson to itself 0."""
        import numpy as np

        these, those = np.asarray(group), np.asarray(columns)
        own = np.isin(those, these)
        found = []
        for view in self._views:
            around = view[those]
            total = _dense(around @ np.asarray(view[these].sum(axis=0)).ravel())
            total[own] -= _squares(around[own])
            found.append(total)
        return np.stack(found)

    def similar(self, rows: Places, columns: Places) -> Matrix:
        """Return the similarities between some lessons and others, 0–1, 0 between a lesson and itself."""
        import numpy as np

        blocks = self.views(rows, columns)
        result = np.zeros((len(rows), len(columns)), dtype=np.float32)
        for weight, block in zip(self.weights.values(), blocks, strict=True):
            result += np.float32(weight) * block
        return result

    @cached_property
    def _views(self) -> list[Matrix | SparseMatrix]:
        """Return a matrix of rows of unit length for each view, in the order of their weights."""
        import numpy as np

        said = self.meanings if self.meanings is not None else self.words
        own = [] if self.scores is None else [profiles(self.scores)]
        return [*([] if said is None else [said]), np.sqrt(self.beliefs), *own]


def gather(home: Home, lessons: Sequence[MemoryEntry], concepts: Sequence[Concept]) -> Evidence:
    """Look at every lesson from all sides."""
    texts = [recognised_text(lesson) for lesson in lessons]
    embedded = _meanings(home, lessons, concepts)
    meanings, recogniser = embedded or (None, build_recogniser(concepts, None))
    cues = _cues(home, texts, recogniser)
    scores, named = recogniser.scores(texts, meanings, cues), names_strongly(cues)
    if meanings is None:
        names = {lesson.scope.project for lesson in lessons if lesson.scope.project}
        bare = [without_entities(text, sorted(names)) for text in texts]
        return Evidence(None, cue_beliefs(scores), None, word_vectors(bare), None, named)
    near = nearest(meanings, NEIGHBOURS, NEAR)
    return Evidence(meanings, share_beliefs(scores, near), scores, None, near, named)


def recognised_text(lesson: MemoryEntry) -> str:
    """Return all that a lesson says, for cues."""
    parts = (lesson.content, lesson.lesson.cause, lesson.lesson.fix, lesson.lesson.principle)
    return "\n".join(part for part in parts if part)


def told_texts(lesson: MemoryEntry) -> list[str]:
    """Return the texts whose mean is what a lesson means: its content, its principle, its account in one."""
    account = " ".join(filter(None, (lesson.lesson.situation, lesson.lesson.cause, lesson.lesson.fix)))
    return [*embedded_texts(lesson), *(part[:LONGEST] for part in by_language(account) if part)]


def _cues(home: Home, texts: Sequence[str], recogniser: Recogniser) -> SparseMatrix:
    """Return the cues that the texts hold; those of a text that was looked at before are not looked for again."""
    hangs_on = fingerprint(program(), *(cue for concept in recogniser.concepts for cue in ("", *concept.cues)))
    return kept_rows(home.path / FOLDER / CUES, hangs_on, texts, len(recogniser.concepts), recogniser.cues)


def _meanings(
    home: Home, lessons: Sequence[MemoryEntry], concepts: Sequence[Concept]
) -> tuple[Matrix, Recogniser] | None:
    """Return what lessons mean, and a recogniser of the same space."""
    import numpy as np

    told = [told_texts(lesson) for lesson in lessons]
    known = vectors_of(home, [text for texts in told for text in texts], "Embedding lessons")
    catalogue = catalogue_vectors(home, concepts) if known is not None else None
    if not known or catalogue is None:
        return None
    rows, centred = without_common_direction(unpack(list(known.values())), catalogue.rows)
    place = {text: row for row, text in enumerate(known)}
    meanings = np.stack([rows[[place[text] for text in texts]].mean(axis=0) for texts in told])
    meanings /= np.maximum(np.linalg.norm(meanings, axis=1, keepdims=True), 1e-9)
    vectors = dict(zip(catalogue.texts, centred, strict=True))
    return meanings.astype(np.float32), build_recogniser(concepts, vectors)


def _dense(matrix: Matrix | SparseMatrix) -> Matrix:
    """Return it as an array of its own."""
    import numpy as np
    from scipy import sparse

    return np.asarray(matrix.todense() if isinstance(matrix, sparse.csr_matrix) else matrix, dtype=np.float32)


def _squares(rows: Matrix | SparseMatrix) -> Matrix:
    """Return the similarity of each row to itself: 1, or 0 where it says nothing."""
    import numpy as np
    from scipy import sparse

    squares = rows.multiply(rows) if isinstance(rows, sparse.csr_matrix) else rows**2
    return np.asarray(squares.sum(axis=1), dtype=np.float32).ravel()
