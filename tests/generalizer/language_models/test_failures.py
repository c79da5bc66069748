"""What a provider said of a failure is told in short, and never cut inside of a word, which may be a key."""

from __future__ import annotations

from hardwon.generalizer.language_models.failures import LONGEST_REASON, failure_of

KEY = "sk-" + "a1B2" * 12


def test_a_long_reason_ends_with_a_whole_word() -> None:
    for length in range(LONGEST_REASON - len(KEY) - 5, LONGEST_REASON + 5):
        told = str(failure_of("some/model", RuntimeError(f"{'x' * length} {KEY} and more of it")))
        assert KEY in told or "sk-" not in told
        assert len(told) < LONGEST_REASON + 120


def test_a_reason_of_one_endless_word_is_left_out() -> None:
    assert "xxx" not in str(failure_of("some/model", RuntimeError("x" * 1_000)))
