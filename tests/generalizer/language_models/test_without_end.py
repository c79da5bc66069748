"""A call that never ends holds up nobody: neither the next call nor the end of the process, whatever the provider."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.generalizer.language_models.litellm_model import LiteLLMModel
from hardwon.kernel.asking.reading import ModelAnswer
from hardwon.kernel.errors import ModelFailure
from hardwon.kernel.ports import Prompt
from hardwon.kernel.settings import LanguageModelSettings
from hardwon.testing.fakes import open_fake_home

pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
PROVIDERS = (
    "openai/m",
    "ollama_chat/m",
    "ollama/m",
    "deepseek/m",
    "dashscope/qwen-plus",
    "anthropic/claude-sonnet-4-5",
)
Behave = Callable[..., None]
LONGEST = 60.0
"""Seconds within which it ends also on a busy machine; the server goes on for longer than anybody waits."""


class Word(ModelAnswer):
    word: str


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("behaviour", ["trickles", "never_answers"])
def test_it_is_given_up_in_time(
    tmp_path: Path, server: Any, behave: Behave, monkeypatch: pytest.MonkeyPatch, provider: str, behaviour: str
) -> None:
    """By the clock on the wall, outside the library: some providers' time-outs are not kept, and bytes reset others."""
    monkeypatch.setattr("hardwon.kernel.asking.calls.GRACE", 0.5)
    caps = LanguageModelSettings(api_base=server.address, timeout=0.5, model=provider)
    model = LiteLLMModel(caps)
    model.price(1, 1)  # imports the package: no part of the call
    behave(behaviour)
    with open_fake_home(tmp_path, language_model=model, caps=caps) as home:
        started = time.monotonic()
        assert home.language_model is not None
        with pytest.raises(ModelFailure) as failed:
            home.language_model.ask(Prompt("word-1", "Say:", "x"), Word)
        assert time.monotonic() - started < LONGEST
        assert failed.value.outcome == "timeout"
        (line,) = home.storage.ledger.activity("model")
        assert line.details["outcome"] == "timeout"


def test_the_next_one_is_asked(tmp_path: Path, server: Any, behave: Behave, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardwon.kernel.asking.calls.GRACE", 0.5)
    caps = LanguageModelSettings(model="openai/m", api_base=server.address, timeout=3, calls_per_minute=1_000)
    model = LiteLLMModel(caps)
    model.price(1, 1)
    behave("trickles", ("says", '{"word": "yes"}'))
    with open_fake_home(tmp_path, language_model=model, caps=caps) as home:
        assert home.language_model is not None
        with pytest.raises(ModelFailure):
            home.language_model.ask(Prompt("word-1", "Say:", "x"), Word)
        assert home.language_model.ask(Prompt("word-1", "Say:", "y"), Word).word == "yes"


ENDS = """
import sys, time
from hardwon.kernel.asking import calls
from hardwon.kernel.errors import ModelFailure
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Prompt
from hardwon.kernel.asking.reading import ModelAnswer
class Word(ModelAnswer):
    word: str
calls.GRACE = 0.5
from pathlib import Path
with Home(Path(sys.argv[1])) as home:
    home.language_model._model.price(1, 1)
    try:
        home.language_model.ask(Prompt("word-1", "Say:", "x"), Word)
    except ModelFailure as failure:
        print(failure.outcome, flush=True)
print("end", time.monotonic(), flush=True)
"""


def test_the_process_ends(tmp_path: Path, server: Any, behave: Behave, answer: Callable[..., Any]) -> None:
    """While the server still sends: the interpreter waits for no thread that is left behind."""
    behave("trickles")
    answer("init")
    home = tmp_path / "memory-home"
    wanted = f'embedder = "none"\n[language_model]\nmodel = "openai/m"\napi_base = "{server.address}"\ntimeout = 1\n'
    (home / "config.toml").write_text(wanted, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", ENDS, str(home)], capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    assert done.stdout.startswith("timeout\nend "), done.stdout + done.stderr
    assert done.returncode == 0
    assert not server.closing.is_set()
