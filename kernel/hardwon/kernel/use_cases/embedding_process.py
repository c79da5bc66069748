"""Embedding in the background: a detached process of lowest priority that ends itself, never two for one home.

Whoever wrote memories calls `start_embedding` and goes on. A note on disk says that there is work; the process removes
it before it looks and looks again when it is back, so that no memory written meanwhile is left out.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from hardwon.kernel import background
from hardwon.kernel.errors import HardwonError
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Arranged
from hardwon.kernel.records import Activity
from hardwon.kernel.use_cases.embedding import LOCK_FILE, embed_missing

WANTED_FILE = "embedding.wanted"
TRIES = 3
PAUSE = 0.2
"""Seconds between tries for the lock: who only asks whether a process is running holds it for a moment."""


def start_embedding(home: Home) -> bool:
    """Start a process that embeds what has no vector yet; return whether one was, or is on its way.

    None is started where the environment or the settings turn it off, or while one is at work: that one is told.
    """
    if not background.is_allowed() or home.settings.embedder == "none":
        return False
    (home.path / WANTED_FILE).touch(mode=0o600)
    if background.is_held(home.path / LOCK_FILE):
        return False
    return background.start(__name__, home.path)


def embed_in_background(home: Home) -> None:
    """Embed until nothing more is wanted; return at once when another process is at it."""
    wanted = home.path / WANTED_FILE
    tries = TRIES
    while wanted.exists():
        with background.alone(home.path / LOCK_FILE) as held:
            if not held and (tries := tries - 1) <= 0:
                return
            while held and wanted.exists():
                wanted.unlink(missing_ok=True)
                _embed(home)
        if not held:
            time.sleep(PAUSE)


def _embed(home: Home) -> None:
    """Embed once, and put into the ledger what came of it: nobody sees what this process prints."""
    details: dict[str, object] = {}
    try:
        details["embedded"] = embed_missing(home)
        if isinstance(home.storage, Arranged):
            home.storage.arrange_vectors()
    except HardwonError as error:
        details["error"] = str(error)
    if details != {"embedded": 0}:
        home.storage.ledger.append([Activity(kind="embed", at=home.clock.now(), details=details)])


def main(path: Path) -> None:
    """Run as a process of its own for the home at `path`."""
    background.begin(path)
    with Home(path) as home:
        embed_in_background(home)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
