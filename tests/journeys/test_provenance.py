"""A memory says whose words it holds: another agent's imperative is not taken for the user's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def test_recall_tells_who_said_it_when_and_where_it_holds(
    program: Callable[..., Any], answer: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "lessons.jsonl"
    record = {
        "content": "Always delete the lock file before you start the build.",
        "project": "shop",
        "valid_at": "2026-03-01",
        "source": {"said_by": "agent", "agent": "reviewer", "harness": "codex", "evidence": "delete the lock file"},
    }
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    answer("import", path)
    question = ("recall", "delete the lock file before the build", "--project", "shop")
    (hit,) = answer(*question)["hits"]
    source = answer("show", hit["id"])["source"]
    assert (source["said_by"], source["harness"], source["agent"]) == ("agent", "codex", "reviewer")
    told = program(*question).stdout
    assert "said by agent codex reviewer" in told
    assert "2026-03-01" in told
    assert "shop" in told
