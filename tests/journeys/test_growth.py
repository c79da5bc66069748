"""Queues and notes stay bounded however long hardwon is used; what was learned is all that grows."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel import spool
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.doctor import examine
from hardwon.kernel.use_cases.running.records import runs
from hardwon.kernel.use_cases.setup import require_real_home

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "bench_year.py"
MONTHS = 3


@pytest.fixture(scope="module")
def benchmark() -> Any:
    """Return the module that simulates a year."""
    spec = importlib.util.spec_from_file_location("bench_year", BENCHMARK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_year"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def year(benchmark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return a home after a year of which each month is four days long, with few sessions a day."""
    begin = datetime(2025, 1, 1, 9, 0, tzinfo=UTC)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(benchmark, "TEACHING", 4)
        year = benchmark.Year(tmp_path_factory.mktemp("year"), sessions=4, months=1, begin=begin)
        year.measured = []
        for month in range(1, MONTHS + 1):
            year.now = datetime(2025, month, 1, 9, 0, tzinfo=UTC)
            for _ in range(4):
                year.day()
            year.measured.append(year.sizes())
        with year.home:
            yield year


def test_nothing_waits_after_a_night(year: Any) -> None:
    assert spool.waiting(str(year.path)) == []
    assert [path for path in (year.path / "spool").rglob("*") if path.is_file()] == []


def test_what_the_machine_noted_goes_after_its_months(year: Any) -> None:
    """The runs of the first month are forgotten; what sessions kept can be taken back for ever."""
    assert min(run.began for run in runs(year.home)) >= datetime(2025, MONTHS - 1, 1, tzinfo=UTC)
    kinds = {each.kind for each in year.home.storage.ledger.activity() if each.at < datetime(2025, 2, 1, tzinfo=UTC)}
    assert kinds == {"capture"}
    activity = [sizes["activity"][0] for sizes in year.measured]
    assert activity[-1] < 1.5 * activity[1]


def test_sessions_leave_nothing_in_the_hooks_folder(year: Any) -> None:
    """Their state is removed two weeks after they were last heard of."""
    assert list((year.path / "hook" / "sessions").glob("*")) == []


def test_the_rest_grows_with_what_was_learned(year: Any) -> None:
    """No more in the last month than in the one before it, but for a little."""
    for part in ("history", "journal", "memories, rules, queue", "other"):
        first, second, third = (sizes[part][0] for sizes in year.measured)
        assert third - second <= 1.5 * (second - first) + 50_000, part


def test_all_that_is_in_a_used_home_is_known_as_ours(year: Any) -> None:
    """`unset --purge` refuses to remove a folder with anything else in it."""
    require_real_home(year.home)


def test_doctor_is_well_and_works_on_a_huge_spool(year: Any) -> None:
    """Of a machine on which nothing takes what hooks leave, such as one whose Python is gone."""
    assert [check.problems for check in examine(year.home) if check.name != "the folder is its owner's alone"] == [
        [] for _ in examine(year.home)[1:]
    ]
    for number in range(5_000):
        record = {"format": 1, "harness": "year", "moment": "turn-end", "session": "s", "at": 1.0, "n": number}
        spool.put(str(year.path), json.dumps(record if number % 2 else {}).encode())
    [check] = [each for each in examine(year.home) if each.name == "everything captured can be taken"]
    assert len(check.problems) <= 3
    assert "has waited for" in check.problems[-1].what
    with Home(year.path) as home:
        assert home.exists
