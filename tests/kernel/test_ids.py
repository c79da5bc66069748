"""Ids sort by birth, are safe as file names, and what is derived is the same again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import example, given
from hypothesis import strategies as st

from hardwon.kernel.ids import ID_PATTERN, derived_id, fingerprint, new_id

moments = st.datetimes(datetime(1970, 1, 2), datetime(9999, 1, 1), timezones=st.just(UTC))
texts = st.text(st.characters(), max_size=20)


@given(moments, st.timedeltas(timedelta(milliseconds=1), timedelta(days=3650)))
@example(datetime(2243, 1, 1, tzinfo=UTC), timedelta(milliseconds=1))  # no float has so many milliseconds exactly
def test_ids_sort_by_birth(moment: datetime, later: timedelta) -> None:
    if moment.year < 9980:
        assert new_id(moment) < new_id(moment + later)
        assert derived_id(moment, "z") < derived_id(moment + later, "a")


@given(moments)
def test_an_id_is_safe_in_a_file_name_of_any_system(moment: datetime) -> None:
    """Lower case, digits and letters that are not mistaken for each other, of one length."""
    assert ID_PATTERN.fullmatch(new_id(moment))
    assert ID_PATTERN.fullmatch(derived_id(moment, "part"))


def test_ids_of_one_millisecond_differ() -> None:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    assert len({new_id(moment) for _ in range(2000)}) == 2000


@given(moments, st.lists(texts, min_size=1, max_size=3))
def test_a_derived_id_is_the_same_again(moment: datetime, parts: list[str]) -> None:
    assert derived_id(moment, *parts) == derived_id(moment, *parts)


@given(st.lists(texts, min_size=1, max_size=4), st.lists(texts, min_size=1, max_size=4))
def test_a_fingerprint_depends_on_every_part(one: list[str], other: list[str]) -> None:
    if "\x1f" not in "".join(one + other):
        assert (fingerprint(*one) == fingerprint(*other)) == (one == other)


def test_a_fingerprint_depends_on_the_borders_of_its_parts() -> None:
    assert fingerprint("ab", "c") != fingerprint("a", "bc")


def test_a_fingerprint_takes_text_that_is_no_valid_unicode() -> None:
    """File names on Linux may hold lone surrogates."""
    assert fingerprint("\udcff") != fingerprint("\udcfe")
