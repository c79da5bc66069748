"""A home of its own for one run: the user's settings, causes and vectors, and nothing of their memory.

What is evaluated is done for real, store, queue and search included, and leaves nothing behind. No language model is
asked; the embedder is the user's own choice, and of a provider it may be.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.embedding import AT_ONCE, searched_texts, vector_key
from hardwon.kernel.use_cases.importing import import_files

if TYPE_CHECKING:
    from hardwon.generalizer.evaluation.labelled import LabelledSet
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import Clock
    from hardwon.kernel.settings import Settings


class ReplayClock:
    """Tells the moment that a replay has come to."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """Return the moment."""
        return self._now

    def advance_to(self, moment: datetime) -> None:
        """Let it be this moment, unless it is later already."""
        self._now = max(self._now, moment)


@contextmanager
def rehearsal(home: Home, clock: Clock | None = None) -> Iterator[Home]:
    """Open a new, empty home with the settings and the causes of another; it is deleted afterwards."""
    with (
        tempfile.TemporaryDirectory(prefix="hardwon-rehearsal-") as folder,
        Home(
            Path(folder) / "home",
            named_by="a rehearsal",
            console=home.console,
            clock=clock,
            registry=home.registry,
            settings=_without_model(home.settings),
        ) as rehearsed,
    ):
        rehearsed.create()
        own = home.path / "catalogue"
        if own.is_dir():
            shutil.copytree(own, rehearsed.path / "catalogue")
        yield rehearsed


def _without_model(settings: Settings) -> Settings:
    """Return the settings for the store that every installation has, and without a language model."""
    model = settings.language_model.model_copy(update={"model": ""})
    return settings.model_copy(update={"store": "files", "language_model": model})


def take_vectors(home: Home, rehearsed: Home, lessons: Iterable[MemoryEntry]) -> None:
    """Give the rehearsal what the home has embedded of these lessons; to embed them again would take minutes."""
    embedder = rehearsed.embedder
    if embedder is None:
        return
    keys = [vector_key(text) for lesson in lessons for text in searched_texts(lesson)]
    for start in range(0, len(keys), AT_ONCE):
        known = home.storage.vectors.fetch(embedder.name, keys[start : start + AT_ONCE])
        rehearsed.storage.vectors.keep(embedder.name, known)


def import_labelled(rehearsed: Home, labelled: LabelledSet) -> list[str]:
    """Import the lessons of a set, without their labels; return what could not be taken, a sentence each.

    Raises InvalidInput when nothing could be.
    """
    source = rehearsed.path.parent / "lessons.jsonl"
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in labelled.lessons)
    source.write_text("".join(lines), encoding="utf-8")
    (report,) = import_files(rehearsed, [source], project_of={})
    if not report.taken:
        reason = report.failed[0].what if report.failed else "nothing in it is a lesson"
        raise InvalidInput(f"Nothing of the labelled set could be imported ({reason}); mend it and try again.")
    return [f"{each.where}: {each.what}" for each in report.failed]
