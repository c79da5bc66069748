"""What litellm does by itself: nothing is fetched, nothing of the folder is read, and nothing else imports it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WATCHED = """
import json, os, sys
seen = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "subprocess.Popen"):
        seen.append((event, str(arguments[1:] if event == "socket.connect" else arguments)))
    if event == "open" and str(arguments[0]).endswith(".env"):
        seen.append((event, str(arguments[0])))
sys.addaudithook(watch)
%s
print(json.dumps({"seen": seen, "key": os.environ.get("PLANTED_KEY")}))
"""
ASKS = """
from hardwon.generalizer.language_models.litellm_model import LiteLLMModel
from hardwon.kernel.settings import LanguageModelSettings
model = LiteLLMModel(LanguageModelSettings(model=%r))
assert "litellm" not in sys.modules
model.price(1, 1)
"""
EMBEDS = """
from hardwon.kernel.settings import Settings
from hardwon.stores.embedders.litellm_embedder import open_embedder
open_embedder(Settings(model="openai/text-embedding-3-small"))
"""
NAMES = """
from hardwon.kernel.home import Home
from pathlib import Path
home = Home(Path(sys.argv[1]))
home.require()
home.language_model.name
home.storage.close()
assert "litellm" not in sys.modules and "openai" not in sys.modules and "httpx" not in sys.modules
"""


def _watched(tmp_path: Path, source: str, *arguments: str) -> dict[str, Any]:
    (tmp_path / ".env").write_text("PLANTED_KEY=from-a-file\n", encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LITELLM")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WATCHED % source, *arguments],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("source", [ASKS % "openai/gpt-5-mini", ASKS % "anthropic/claude-sonnet-4-5", EMBEDS])
def test_importing_it_reaches_for_nothing(tmp_path: Path, source: str) -> None:
    """No list of prices or headers is fetched, no name is looked up, no `.env` is read."""
    found = _watched(tmp_path, source)
    reached = [each for each in found["seen"] if each[0] != "subprocess.Popen"]
    assert reached == []
    assert found["key"] is None


def test_naming_a_model_imports_nothing(tmp_path: Path, answer: Callable[..., Any]) -> None:
    """Opening a home whose settings name one costs no second: only a call does."""
    answer("init")
    home = tmp_path / "memory-home"
    (home / "config.toml").write_text('[language_model]\nmodel = "openai/gpt-5-mini"\n', encoding="utf-8")
    assert _watched(tmp_path, NAMES, str(home))["seen"] == []


def test_two_modules_name_it() -> None:
    """The adapter of language models and that of embedders; both only when they are needed."""
    root = Path(__file__).parents[3]
    named = [
        path.name
        for part in ("kernel", "stores", "generalizer", "review_queue", "plugins")
        for path in (root / part).rglob("*.py")
        if "tests" not in path.parts and "__pycache__" not in path.parts
        for text in [path.read_text(encoding="utf-8")]
        if "import litellm" in text or 'import_module("litellm")' in text or 'library("litellm"' in text
    ]
    assert sorted(named) == ["litellm_embedder.py", "litellm_model.py"]
