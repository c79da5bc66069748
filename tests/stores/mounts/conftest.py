"""A home over the fakes with the real reader of mounted folders: mounts are the same beside every store."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardwon.kernel.clock import SystemClock
from hardwon.kernel.home import Home
from hardwon.kernel.mounts import Mount, save_mounts
from hardwon.kernel.query import Query
from hardwon.kernel.scope import Context
from hardwon.kernel.use_cases.recall import Recall, recall
from hardwon.stores.mounts.notes import Notes
from hardwon.testing.fakes import open_fake_home

QUESTION = "the payment gateway times out, how do I retry?"
NOTE = "# Payments\n\n## Retry\n\nWhen the payment gateway times out, retry with the same idempotency key.\n"
LONG_AGO = 1_700_000_000


@dataclass
class Vault:
    """A folder of notes, and the home that may read it."""

    home: Home
    folder: Path

    def mount(self, *projects: str) -> None:
        """Let the home read the folder: in these projects, or everywhere."""
        save_mounts(self.home.path, [Mount(str(self.folder), projects)])

    def write(self, name: str, text: str | bytes, *, at: float = LONG_AGO) -> Path:
        """Write a note as it was saved at a time (seconds since 1970)."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        os.utime(path, (at, at))
        return path

    def ask(self, text: str = QUESTION, project: str | None = None, limit: int = 8) -> Recall:
        """Ask the memory."""
        return recall(self.home, Query(text=text, context=Context(project=project), limit=limit))

    def found(self, text: str = QUESTION, project: str | None = None) -> Sequence[str]:
        """Return the names of the notes that a question finds, each once."""
        hits = self.ask(text, project).hits
        return list(dict.fromkeys(Path(hit.entry.source.file or "").name for hit in hits if hit.via == "mount"))


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    folder = tmp_path / "vault"
    folder.mkdir()
    with open_fake_home(tmp_path / "home", clock=SystemClock()) as home:
        home.registry.offer("mounts", "markdown", Notes, "tests")
        yield Vault(home, folder.resolve())


@pytest.fixture
def now() -> float:
    """Return this moment, in seconds since 1970."""
    return time.time()
