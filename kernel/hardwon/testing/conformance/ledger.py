"""LedgerConformance: decisions are kept for ever, activity in order."""

from __future__ import annotations

from datetime import timedelta

import pytest

from hardwon.kernel.ports import Ledger, Storage
from hardwon.kernel.records import Activity
from hardwon.testing.conformance.memory_writing import together
from hardwon.testing.conformance.storage_fixture import OverStorage
from hardwon.testing.examples import MOMENT, complete_decision

HOUR = timedelta(hours=1)


class LedgerConformance(OverStorage):
    """What every Ledger promises. Give the fixture `storage`: an open, empty Storage."""

    @pytest.fixture
    def ledger(self, storage: Storage) -> Ledger:
        """Return the storage's ledger."""
        return storage.ledger

    def test_a_decision_comes_back_as_it_was_made(self, ledger: Ledger) -> None:
        """Every field makes the round trip."""
        decision = complete_decision()
        ledger.decide(decision)
        assert ledger.decisions() == [decision]

    def test_a_decision_is_recorded_once(self, ledger: Ledger) -> None:
        """Repeated after a crash, it is the same decision; the first record stands."""
        decision = complete_decision()
        ledger.decide(decision)
        ledger.decide(decision)
        assert ledger.decisions() == [decision]

    def test_decisions_come_oldest_first(self, ledger: Ledger) -> None:
        """Of one proposal, or of all."""
        late = complete_decision("p1", at=MOMENT + HOUR)
        early = complete_decision("p2", at=MOMENT - HOUR)
        middle = complete_decision("p1", at=MOMENT)
        for decision in (late, early, middle):
            ledger.decide(decision)
        assert ledger.decisions() == [early, middle, late]
        assert ledger.decisions("p1") == [middle, late]
        assert ledger.decisions("none") == []

    def test_a_decision_comes_after_the_one_it_follows(self, ledger: Ledger) -> None:
        """Also where the clock went back in between, so that the last one is the last that was made."""
        first = complete_decision(id="a", at=MOMENT, follows=None, undoes=None)
        second = complete_decision(id="b", at=MOMENT - HOUR, follows="a", undoes=None)
        third = complete_decision(id="c", at=MOMENT - 2 * HOUR, follows="b", undoes="b")
        other = complete_decision("p2", id="d", at=MOMENT + HOUR, follows=None, undoes=None)
        for decision in (other, third, first, second):
            ledger.decide(decision)
        assert ledger.decisions() == [first, second, third, other]
        assert ledger.decisions("p1") == [first, second, third]

    @pytest.mark.parametrize(
        "text", ["", "two\nlines", "---\nkey: value\n---", "“quotes” 'and' \"more\" 🦀 决定", "a: b # c"]
    )
    def test_a_decision_keeps_its_texts(self, ledger: Ledger, text: str) -> None:
        """The texts before and after are evidence: no character changes."""
        decision = complete_decision(before=text, after=text, why=text)
        ledger.decide(decision)
        assert ledger.decisions() == [decision]

    def test_activity_comes_oldest_first(self, ledger: Ledger) -> None:
        """Across months, with its details."""
        records = [
            Activity(kind="shown", at=MOMENT + timedelta(days=40), memory="m1", session="s1"),
            Activity(kind="import", at=MOMENT, details={"taken": 3, "文件": ["a.md"], "nested": {"x": None}}),
            Activity(kind="shown", at=MOMENT + HOUR, memory="m2"),
        ]
        ledger.append(records[:2])
        ledger.append(records[2:])
        assert list(ledger.activity()) == [records[1], records[2], records[0]]

    def test_activity_is_asked_for_by_kind_and_time(self, ledger: Ledger) -> None:
        """`since` counts its own moment in."""
        records = [Activity(kind=kind, at=MOMENT + hour * HOUR) for hour, kind in enumerate(["a", "b", "a"])]
        ledger.append(records)
        assert list(ledger.activity("a")) == [records[0], records[2]]
        assert list(ledger.activity(since=MOMENT + HOUR)) == records[1:]
        assert list(ledger.activity("b", MOMENT + 2 * HOUR)) == []

    def test_old_activity_is_pruned_but_what_is_to_be_kept(self, ledger: Ledger) -> None:
        """Whole months that had ended; a second time there is nothing left to remove."""
        days = [0, 35, 70]
        records = [Activity(kind=kind, at=MOMENT + timedelta(days=day)) for day in days for kind in ("shown", "pause")]
        ledger.append(records)
        before = MOMENT + timedelta(days=70)
        assert ledger.prune(before, lambda each: each.kind == "pause") == 2
        assert list(ledger.activity()) == [records[1], records[3], records[4], records[5]]
        assert ledger.prune(before, lambda each: each.kind == "pause") == 0
        ledger.append([Activity(kind="shown", at=MOMENT)])
        assert next(ledger.activity("shown")).at == MOMENT

    def test_an_empty_ledger_is_no_error(self, ledger: Ledger) -> None:
        """Nothing happened yet."""
        ledger.append([])
        assert ledger.decisions() == []
        assert list(ledger.activity()) == []

    def test_threads_write_at_once(self, ledger: Ledger) -> None:
        """No record is lost or torn."""

        def write(number: int) -> None:
            for turn in range(10):
                ledger.append([Activity(kind="shown", at=MOMENT, details={"text": f"{number}-{turn} " + "x" * 5000})])

        together(write, threads=4)
        texts = {each.details["text"].split()[0] for each in ledger.activity("shown")}
        assert len(texts) == 40
