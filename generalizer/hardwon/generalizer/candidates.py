"""Which lessons are worth comparing at all: those that may tell of one of the same few causes, and near neighbours.

To compare every lesson with every other takes the square of their number. Much of what makes two lessons similar is
that the same causes are recognised in them, so lessons that share none of their likeliest causes are compared only
where their meanings are near. Of the pairs that decide a cluster nearly all are found so, by a seventh of the
comparisons (figures in docs/decisions/0031). A few thousand lessons are all compared: that is exact and quick.

What is compared hangs on the lessons as they are alone, never on earlier runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import Indices, Matrix, SparseMatrix

    Places = Sequence[int] | Indices
    Similar = Callable[[Places, Places], Matrix]
    Edges = tuple[Indices, Indices, Matrix]
    """Pairs of lessons, the lower index first, and their similarities: three arrays of one length."""


EXACT = 3_000
"""Lessons up to which every pair is compared."""
CAUSES = 8
"""Likeliest causes of a lesson by which others are found."""
BLOCK = 512
"""Lessons of which all similarities are held at once."""


@dataclass(frozen=True)
class Candidates:
    """The pairs to compare among `size` lessons."""

    size: int
    groups: SparseMatrix | None = None
    """size × groups, 1 where a lesson is in a group, whose members are all compared; None: all lessons are one."""
    near: SparseMatrix | None = None
    """size × size, symmetric: pairs that are compared though they share no group."""

    def edges(self, similar: Similar, least: float) -> Iterator[Edges]:
        """Walk the pairs that are at least so similar, many at a time; a pair may come more than once.

        `similar(rows, columns)` gives the similarities between some lessons and others.
        """
        import numpy as np

        for members in self._members():
            for start in range(0, len(members), BLOCK):
                rows, columns = members[start : start + BLOCK], members[start:]
                yield _at_least(similar(rows, columns), rows, columns, least)
        for row, columns in self._apart():
            yield _at_least(similar([row], columns), np.array([row]), columns, least)

    def sharing(self, some: Sequence[int], share: float) -> Indices:
        """Return the lessons that are in a group in which at least this share of `some` is, in order."""
        import numpy as np

        if self.groups is None:
            return np.arange(self.size)
        wanted = np.asarray(self.groups[list(some)].sum(axis=0)).ravel() >= share * len(some)
        return np.flatnonzero(self.groups @ wanted.astype(np.float32))

    def _members(self) -> Iterator[Indices]:
        import numpy as np

        if self.groups is None:
            yield np.arange(self.size)
            return
        by_group = self.groups.tocsc()
        for start, end in zip(by_group.indptr[:-1], by_group.indptr[1:], strict=True):
            if end - start > 1:
                yield by_group.indices[start:end].astype(np.intp)

    def _apart(self) -> Iterator[tuple[int, Indices]]:
        """Walk the lessons with near ones of a higher index that share no group with them."""
        if self.near is None or self.groups is None:
            return
        import numpy as np
        from scipy import sparse

        upper = sparse.triu(self.near, 1).tocoo()
        together = self.groups[upper.row].multiply(self.groups[upper.col]).sum(axis=1)
        alone = together.A1 == 0
        apart = sparse.csr_matrix((upper.data[alone], (upper.row[alone], upper.col[alone])), shape=self.near.shape)
        for row in range(self.size):
            if apart.indptr[row] < apart.indptr[row + 1]:
                yield row, apart.indices[apart.indptr[row] : apart.indptr[row + 1]].astype(np.intp)


def candidates_by(beliefs: Matrix, near: SparseMatrix | None) -> Candidates:
    """Return what to compare among lessons of which lessons × concepts beliefs are known, and which are near."""
    import numpy as np
    from scipy import sparse

    size, concepts = beliefs.shape
    if size <= EXACT:
        return Candidates(size)
    likeliest = np.argpartition(-beliefs, min(CAUSES, concepts - 1), axis=1)[:, :CAUSES]
    rows = np.repeat(np.arange(size), likeliest.shape[1])
    believed = beliefs[rows, likeliest.ravel()] > 0
    columns = likeliest.ravel()[believed]
    ones = np.ones(len(columns), dtype=np.float32)
    return Candidates(size, sparse.csr_matrix((ones, (rows[believed], columns)), shape=(size, concepts)), near)


def _at_least(block: Matrix, rows: Indices, columns: Indices, least: float) -> Edges:
    """Return what of a block of similarities counts; `columns` may begin with the rows themselves."""
    import numpy as np

    hits = np.flatnonzero(block >= least)
    ones, others = rows[hits // len(columns)], columns[hits % len(columns)]
    once = ones < others
    return ones[once], others[once], block.ravel()[hits][once]
