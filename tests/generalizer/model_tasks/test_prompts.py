"""Prompts begin with the same bytes in every call of their task, and more of them than a provider's cache needs."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.generalizer.prompts import FOLDER, VERSIONS, prefix_of, prompt_for

CACHED_FROM = 2_048
"""Tokens of a prefix from which every large provider caches it."""
HASHES = """
import hashlib, json
from hardwon.generalizer.prompts import VERSIONS, prefix_of
print(json.dumps({task: hashlib.sha256(prefix_of(task).encode()).hexdigest() for task in VERSIONS}))
"""


@pytest.mark.parametrize("task", VERSIONS)
@given(text=st.text())
def test_it_begins_with_the_same_bytes_whatever_it_is_about(task: str, text: str) -> None:
    prompt = prompt_for(task, {"lesson": text})
    assert prompt.prefix == prefix_of(task)
    assert prompt.task == f"{task}-{VERSIONS[task]}"
    assert json.loads(prompt.tail) == {"lesson": text}


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_it_is_the_same_in_every_process(tmp_path: Path, seed: str) -> None:
    """Whatever the order of sets there, and wherever it was started."""
    environment = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run(
        [sys.executable, "-c", HASHES], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    here = {task: hashlib.sha256(prefix_of(task).encode()).hexdigest() for task in VERSIONS}
    assert json.loads(done.stdout) == here


@pytest.mark.parametrize("task", VERSIONS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::ResourceWarning")
def test_it_is_longer_than_a_cache_needs(task: str) -> None:
    """Counted by the tokenizer of a large provider, which litellm has with it."""
    from hardwon.generalizer.language_models.litellm_model import LiteLLMModel
    from hardwon.kernel.settings import LanguageModelSettings

    litellm = LiteLLMModel(LanguageModelSettings(model="openai/gpt-4o"))._litellm
    assert litellm.token_counter(model="gpt-4o", text=prefix_of(task)) > CACHED_FROM


@pytest.mark.parametrize("task", VERSIONS)
def test_it_has_catalogue_and_examples_in_two_languages(task: str) -> None:
    text = prefix_of(task)
    assert "{catalogue}" not in text
    assert "- concurrency: " in text
    assert text.count("Answer: ") >= 5
    assert any("\u4e00" <= character <= "\u9fff" for character in text)
    assert "data" in text


def test_every_file_is_a_tasks() -> None:
    """A version that nobody asks for any more is removed."""
    assert {path.name for path in FOLDER.glob("*.md")} == {f"{task}-{number}.md" for task, number in VERSIONS.items()}
