"""Who closes a file as the last one has it to itself for a moment, as the worker after each turn: a prompt waits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.kernel.hook.deadline import Deadline
from hardwon.stores.hook.reader import PATIENCE, RESERVE, connected
from hardwon.stores.mounts.hook_reading import index_file

from .conftest import Place
from .test_mounts_in_the_hook import NOTE, PROMPT, mount, write
from .test_recall import POOL, QUESTION

PROMPTS = 60
"""Of a hundred that waited for nobody, more than ten were told nothing."""
COMES_AND_GOES = """
import sqlite3, sys
while True:
    connection = sqlite3.connect(sys.argv[1], timeout=60)
    ((version,),) = connection.execute("PRAGMA user_version")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
"""


def told(place: Place, prompt: str, file: Path) -> list[str]:
    """Return what prompts are told while another program opens, writes and closes a file over and over."""
    place.home.close()
    with subprocess.Popen([sys.executable, "-c", COMES_AND_GOES, str(file)]) as process:
        try:
            return [place.told(prompt, session=f"s{number}") for number in range(PROMPTS)]
        finally:
            process.kill()


@pytest.mark.parametrize("store", ["files", "sqlite"])
def test_what_is_remembered_is_told_to_each_prompt(place: Place, store: str) -> None:
    place.keep(POOL)
    [file] = [path for path in place.home.path.glob("*.sqlite") if path.name.startswith(("index-", "memory"))]
    assert [text for text in told(place, QUESTION, file) if POOL not in text] == []


def test_what_a_mounted_folder_says_too(place: Place, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    write(tmp_path / "notes" / "pay.md", NOTE)
    mount(place, tmp_path / "notes")
    file = Path(index_file(str(place.home.path), str(tmp_path / "notes")))
    assert [text for text in told(place, PROMPT, file) if "same idempotency key" not in text] == []


@pytest.mark.parametrize("left", [0.0, RESERVE, 0.06, 0.1, 0.5])
def test_nobody_is_waited_for_beyond_the_deadline(tmp_path: Path, left: float) -> None:
    """No signal ends the program while SQLite waits."""

    class Near(Deadline):
        left = 0.0

        def __init__(self) -> None:
            self.left = left

    connection = connected(str(tmp_path / "some.sqlite"), "mode=rwc", Near())
    ((milliseconds,),) = connection.execute("PRAGMA busy_timeout").fetchall()
    connection.close()
    assert milliseconds / 1000 <= min(PATIENCE, max(0.0, left - RESERVE)) + 0.001
