"""A memory is found by what a person or an agent has at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import Ambiguous, NotFound
from hardwon.kernel.injection import short_id
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.testing.examples import memory
from hardwon.testing.fakes import open_fake_home


def test_by_its_id_its_start_its_end_or_the_id_it_had_elsewhere(tmp_path: Path) -> None:
    with open_fake_home(tmp_path / "home") as home:
        kept = memory("Raise the pool size.", id="01m8nhmbgj3wqwz8v2", external_id="wiki-7")
        home.storage.memories.put([kept, memory("Another.", id="01m8nhmbgkaaaaaaaa")])
        for reference in (kept.id, "01m8nhmbgj", short_id(kept.id), f" {short_id(kept.id)} ", "wiki-7"):
            assert find_memory(home, reference).id == kept.id
        with pytest.raises(Ambiguous, match="give the whole id"):
            find_memory(home, "01m8nhmbg")
        with pytest.raises(NotFound, match="hardwon recall"):
            find_memory(home, "nothing")
