"""The types of the generalizer's arrays, for the type checker alone: nothing here is imported when hardwon runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy import sparse

    Matrix = NDArray[np.float32]
    """Rows and columns of numbers; each user says what they are."""
    Indices = NDArray[np.intp]
    """Places of lessons, in one row."""
    Mask = NDArray[np.bool_]
    """Rows and columns of yes and no."""
    SparseMatrix = sparse.csr_matrix
    """The same where most numbers are 0."""
