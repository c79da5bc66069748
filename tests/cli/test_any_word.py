"""Whatever stands in a command line is understood or refused in a sentence, and what it leaves is whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from hardwon.cli.application import build_application
from hardwon.kernel.home import Home
from hardwon.kernel.registry import registry

COMMANDS = (
    "show WORD", "links WORD", "forget WORD --yes", "edit WORD --content x", "get WORD", "topics WORD", "concepts WORD",
    "projects show WORD", "projects alias WORD shop", "projects merge WORD shop", "review show WORD",
    "review accept WORD", "review reject WORD", "review undo WORD", "review rewrite WORD x", "recall WORD",
    "recall cache --project WORD", "recall cache --kind WORD", "recall cache --as-of WORD", "recall cache --turns WORD",
    "remember WORD", "remember text --topic WORD", "remember text --project WORD", "remember text --tag WORD",
    "remember text --principle WORD", "import WORD", "import WORD --project WORD",
)  # fmt: skip
WORDS = {
    "bytes of another encoding": os.fsdecode(b"caf\xe9"),
    "terminal controls": "\x1b[2J\x07",
    "very long": "x" * 5000,
    "a path upwards": "../../x",
    "SQL and patterns": "%_*' OR 1=1 --",
    "a search engine's language": 'NEAR("a (b* AND',
    "unseen characters": "\u202e\u200b",
    "not a character": "\ufffe",
    "an emoji": "\U0001f980",
    "nothing": "",
}


@pytest.fixture(scope="module")
def application() -> Typer:
    """Return all commands in one application."""
    return build_application(registry())[0]


@pytest.mark.parametrize("word", WORDS.values(), ids=WORDS)
def test_any_word_is_understood_or_refused_in_a_sentence(
    application: Typer, word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what another program passed on in another encoding; the doctor finds nothing wrong afterwards."""
    monkeypatch.chdir(tmp_path)
    home = tmp_path / "home"
    for command in ("init", "remember first --project shop", *COMMANDS):
        arguments = [word if each == "WORD" else each for each in command.split()]
        size = 2 if arguments[0] in ("review", "projects") else 1
        arguments[size:size] = ["--home", str(home)]
        done = CliRunner().invoke(application, arguments)
        assert done.exit_code in (0, 1, 2), f"{command}: {done.output}"
        assert done.exception is None or isinstance(done.exception, SystemExit), f"{command}: {done.exception!r}"
    with Home(home) as opened:
        assert opened.storage.problems() == []
