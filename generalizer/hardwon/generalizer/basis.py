"""The basis of what the generalizer says, beside lessons and decisions: a name that changes when the basis does.

What is kept from run to run is good only for the same basis. The program counts by its source, not by its version: a
checkout that is being worked on has the same version all day.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import hardwon.kernel
from hardwon.kernel.errors import Unavailable
from hardwon.kernel.ids import fingerprint

if TYPE_CHECKING:
    from hardwon.generalizer.catalogue import Concept
    from hardwon.kernel.home import Home


@cache
def program() -> str:
    """Return the fingerprint of the source of the generalizer and of the kernel that it stands on."""
    roots = (Path(__file__).parent, Path(hardwon.kernel.__file__).parent)
    files = (path for root in roots for path in sorted(root.rglob("*.py")))
    return fingerprint(*(f"{path.name}\n{path.read_text(encoding='utf-8')}" for path in files))


def basis_of(home: Home, concepts: Sequence[Concept]) -> str:
    """Return the fingerprint of program, catalogue and embedding space."""
    try:
        space = home.embedder.name if home.embedder else "none"
    except Unavailable:
        space = "unavailable"
    return fingerprint(program(), space, *map(repr, concepts))
