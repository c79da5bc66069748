"""The hook program over the Postgres store reads the copy in the home, and says what it says over files."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.settings import PostgresSettings
from hardwon.kernel.use_cases.capture_process import serve
from hardwon.kernel.use_cases.replica import refresh_replica
from hardwon.stores.postgres.replica_name import FILE_NAME

from .conftest import Place, repository
from .test_recall import (  # noqa: F401 - they run here too
    test_a_rule_brings_its_lessons_from_whatever_project,
    test_chinese_is_found_and_spoken,
    test_it_answers_as_recall_does_everywhere_else,
    test_the_memory_that_supersedes_another_is_told_in_its_place,
)
from .test_session_start import (  # noqa: F401
    test_an_intention_is_told_when_it_is_due,
    test_hard_constraints_come_first_then_rules_that_this_project_taught,
    test_what_is_superseded_or_over_is_not_told,
)

PROMPT = "how do I retry the payment gateway?"
ANSWER = "The payment gateway answers a retry without a key twice."


class CopiedPlace(Place):
    """A home whose copy the background has just brought up to date, before each event."""

    def told(self, prompt: str, session: str = "s1", **fields: Any) -> str:
        """Return what a prompt is answered with."""
        refresh_replica(self.home)
        return super().told(prompt, session, **fields)

    def at_start(self, session: str = "s1", source: str = "startup") -> str:
        """Return what a session is told at its start."""
        refresh_replica(self.home)
        return super().at_start(session, source)


def configured(path: Path, settings: PostgresSettings) -> Home:
    """Return a home over a schema, made if it is not there."""
    home = Home(path)
    home.create()
    server = f"[postgres]\nurl = {json.dumps(settings.url)}\nschema_name = {json.dumps(settings.schema_name)}\n"
    config = f'store = "postgres"\nembedder = "none"\n{server}'
    (path / "config.toml").write_text(config, encoding="utf-8")
    return home


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postgres: PostgresSettings) -> Iterator[Place]:
    """Return a home over an empty schema, and an agent in a project."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    (tmp_path / "user").mkdir()
    with configured(tmp_path / "home", postgres) as home:
        made = CopiedPlace(home, repository(tmp_path / "shop", "shop"))
        yield made
        assert made.last_error() == ""


def test_it_never_asks_the_server(place: Place) -> None:
    """With the server unreachable, and slow to say so, the answer is there as soon as ever."""
    place.keep(ANSWER)
    refresh_replica(place.home)
    place.home.close()
    nowhere = PostgresSettings(url="host=192.0.2.1 connect_timeout=600")
    configured(place.home.path, nowhere)
    began = time.monotonic()
    assert ANSWER in Place.told(place, PROMPT)
    assert time.monotonic() - began < 30


def test_what_another_machine_wrote_is_told_after_the_background_looked(
    place: Place, tmp_path: Path, postgres: PostgresSettings
) -> None:
    """The worker that a hook starts brings it, along with what it does otherwise."""
    refresh_replica(place.home)
    with configured(tmp_path / "other", postgres) as other:
        other.storage.memories.put([place.made(ANSWER)])
    assert ANSWER not in Place.told(place, PROMPT, "before")
    serve(place.home)
    assert ANSWER in Place.told(place, PROMPT, "after")


@pytest.mark.parametrize("content", [b"no database " * 500, b""])
def test_a_copy_that_cannot_be_read_is_silence(place: Place, content: bytes) -> None:
    """Until the background has made it anew."""
    place.keep(ANSWER)
    refresh_replica(place.home)
    (place.home.path / FILE_NAME).write_bytes(content)
    assert "payment gateway" not in Place.told(place, PROMPT, "damaged")
    serve(place.home)
    assert ANSWER in Place.told(place, PROMPT, "mended")
