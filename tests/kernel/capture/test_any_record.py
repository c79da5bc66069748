"""Whatever stands in a record, capture neither breaks on it nor loses it, and takes the others."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as some

from hardwon.kernel import spool
from hardwon.kernel.use_cases.capture import capture
from hardwon.kernel.use_cases.spooled import BROKEN, OPEN
from hardwon.testing.fakes import FakeHarness, open_fake_home

from .conftest import contents, left

JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
WHOLE: dict[str, Any] = {
    "format": 1, "harness": "fake", "moment": "turn-end", "session": "s", "folder": "/", "transcript": None,
    "size": None, "turn": "t", "at": 1_770_000_000.0,
    "messages": [{"id": "m", "by": "user", "text": "Remember: One.", "at": None}],
}  # fmt: skip
MESSAGE = some.fixed_dictionaries({}, optional=dict.fromkeys(("id", "text", "at", "tool", "request", "failed"), JSON))


@settings(max_examples=150, deadline=None)
@given(
    spoilt=some.dictionaries(some.sampled_from([*WHOLE, "shown", "else"]), JSON, max_size=4) | JSON,
    messages=some.lists(MESSAGE.map(lambda each: {"by": "user", **each}) | JSON, max_size=4),
)
def test_any_record_is_taken_kept_or_set_aside(spoilt: Any, messages: list[Any]) -> None:
    """One of the three; and the whole record beside it is taken."""
    record = {**WHOLE, "messages": messages, **spoilt} if isinstance(spoilt, dict) else spoilt
    with tempfile.TemporaryDirectory() as where:
        folder = Path(where)
        home = open_fake_home(folder / "home", harnesses={"fake": FakeHarness(folder)})
        spool.put(str(home.path), json.dumps(record).encode())
        spool.put(str(home.path), json.dumps({**WHOLE, "session": "whole"}).encode())
        capture(home, settle=True)
        assert "One." in contents(home)
        kept = [*left(home), *left(home, OPEN)]
        aside = list((home.path / "spool" / BROKEN).glob("*.json"))
        taken = not kept and not aside
        assert taken or len(kept) + len(aside) == 1
        shutil.rmtree(home.path)
