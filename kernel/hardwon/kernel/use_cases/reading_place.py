"""Who asks from a folder: the context that memories are held against, as the hook program knows it by itself."""

from __future__ import annotations

from pathlib import Path

from hardwon.kernel.identity import identify
from hardwon.kernel.scope import Context
from hardwon.kernel.surroundings import Surroundings


def context_in(folder: Path, project: str | None) -> Context:
    """Return what is known of a reader in a folder who asks as `project`, whose own folder this may be or not.

    Raises InvalidInput for a broken .hardwon.toml.
    """
    identity = identify(folder)
    around = Surroundings(str(folder.resolve()), identity.root if identity else None)
    return Context(
        project=project,
        languages=tuple(around.languages),
        frameworks=tuple(around.frameworks),
        roles=tuple(around.roles),
        tags=tuple(around.tags),
    )
