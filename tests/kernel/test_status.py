"""Status always answers: whatever is wrong is told in it, and not instead of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.use_cases.status import home_status
from hardwon.testing.examples import memory
from hardwon.testing.fakes import open_fake_home


@pytest.mark.parametrize(
    ("setting", "reason"), [("misspelt", "No plugin offers “misspelt”"), ("none", "the setting `embedder` is none")]
)
def test_why_nothing_is_embedded_is_part_of_the_answer(tmp_path: Path, setting: str, reason: str) -> None:
    (tmp_path / "config.toml").write_text(f'embedder = "{setting}"\n', encoding="utf-8")
    with open_fake_home(tmp_path) as home:
        home.storage.memories.put([memory("One.", "shop")])
        found = home_status(home, tmp_path)

    assert (found.home, found.kinds, found.projects) == (str(tmp_path), {"lesson": 1}, 1)
    assert (found.embedding["space"], found.embedding["total"]) == (None, 1)
    assert found.embedding["reason"].startswith(reason)
