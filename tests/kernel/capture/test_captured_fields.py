"""What an extractor makes of a lesson's fields is noted as its own, held to the same measure as anybody's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hardwon.kernel.extraction import Extract
from hardwon.kernel.home import Home
from hardwon.kernel.lesson_fields import DERIVED, author_of
from hardwon.kernel.memory import Lesson
from hardwon.kernel.session import Turn
from hardwon.kernel.use_cases.capture import capture
from hardwon.testing.fakes import FakeExtractor

from .conftest import Begin, everything

STRONG = "Always pin the version of what a build runs on."
extract = FakeExtractor.extract


def teach(monkeypatch: pytest.MonkeyPatch, session: Begin, lesson: Lesson, name: str) -> None:
    """Have a session teach one lesson, in which the extractor finds these fields."""

    def with_fields(self: FakeExtractor, turns: Sequence[Turn], *, ended: bool) -> list[Extract]:
        return [replace(each, lesson=lesson) for each in extract(self, turns, ended=ended)]

    monkeypatch.setattr(FakeExtractor, "extract", with_fields)
    monkeypatch.setattr(FakeExtractor, "name", name)
    teaching = session()
    teaching.says("user: Remember: The build broke when the runner moved.")
    teaching.stops()


@pytest.mark.parametrize(("name", "by"), [("offline", DERIVED), ("openai/some-model", "openai/some-model")])
def test_fields_of_captured_turns_are_noted_as_the_extractors(
    home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch, name: str, by: str
) -> None:
    teach(monkeypatch, session, Lesson(cause="A floating tag.", principle=STRONG), name)
    capture(home)
    [entry] = everything(home)
    assert entry.lesson == Lesson(cause="A floating tag.", principle=STRONG)
    assert (author_of(entry, "cause"), author_of(entry, "principle")) == (by, by)


def test_a_field_that_cannot_stand_is_left_out_of_what_is_captured(
    home: Home, session: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    teach(monkeypatch, session, Lesson(cause="A floating tag.", principle="The shop was broken by it."), "offline")
    capture(home)
    [entry] = everything(home)
    assert entry.lesson == Lesson(cause="A floating tag.")
    assert author_of(entry, "principle") is None
