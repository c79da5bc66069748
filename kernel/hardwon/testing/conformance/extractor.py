"""ExtractorConformance: what is found in a session is really there, is found once, and waits where it must."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from hardwon.kernel.extraction import Extract
from hardwon.kernel.injection import Shown, render
from hardwon.kernel.ports import Extractor
from hardwon.kernel.session import Message, Speaker, Turn

STATEMENT = "Remember: the deploy script needs FOO=1 set, because the staging proxy drops the header otherwise."
CLAIM = "Root cause: the lock file of a crashed run was never removed, so every later run waited for it. Fixed."


def _turn(number: int, *said: tuple[Speaker, str]) -> Turn:
    messages = tuple(
        Message(f"turn-{number}-{place}", by, text, at=datetime(2026, 11, 1, 12, number, tzinfo=UTC))
        for place, (by, text) in enumerate(said)
    )
    return Turn("fake", "session", f"turn-{number}", messages)


class ExtractorConformance:
    """What every Extractor promises. Give `extractor`; `taught` may be given too, a session that teaches something."""

    @pytest.fixture
    def extractor(self) -> Extractor:
        """Return the extractor; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `extractor`.")

    @pytest.fixture
    def taught(self) -> Sequence[Turn]:
        """Return a session in which a person asks that something be remembered."""
        return [
            _turn(1, (Speaker.USER, "Deploy to staging."), (Speaker.AGENT, "Deployed.")),
            _turn(2, (Speaker.USER, STATEMENT), (Speaker.AGENT, "I'll set it from now on.")),
        ]

    def test_it_has_the_name_that_the_settings_call_it_by(self, extractor: Extractor) -> None:
        """One word, the same each time."""
        assert extractor.name
        assert extractor.name == extractor.name.strip()

    def test_nothing_was_said_nothing_is_found(self, extractor: Extractor) -> None:
        """An empty session and an empty turn are sessions too."""
        assert extractor.extract([], ended=True) == []
        assert extractor.extract([_turn(1)], ended=True) == []

    def test_what_is_found_stands_where_it_says(self, extractor: Extractor, taught: Sequence[Turn]) -> None:
        """The evidence is in the message that is named, in the words of the one who is named."""
        found = extractor.extract(taught, ended=False)
        assert any(each.refused is None for each in found)
        messages = {(turn.id, message.id): message for turn in taught for message in turn.messages}
        for each in found:
            message = messages[each.turn, each.message]
            assert each.evidence
            assert each.evidence in message.text
            assert each.said_by == message.by
            assert each.content.strip()
            assert 0 <= each.confidence <= 1
            assert each.refused is None or each.refused.endswith(".")

    def test_the_same_turns_give_the_same(self, extractor: Extractor, taught: Sequence[Turn]) -> None:
        """However often they are read, and whatever kind of sequence they come in."""
        assert extractor.extract(taught, ended=True) == extractor.extract(tuple(taught), ended=True)

    def test_the_order_is_that_of_the_turns(self, extractor: Extractor, taught: Sequence[Turn]) -> None:
        """So that later words can supersede earlier ones."""
        more = [*taught, _turn(3, (Speaker.USER, "Remember: fixtures are made by the make target, never by hand."))]
        found = [each.turn for each in extractor.extract(more, ended=True)]
        order = [turn.id for turn in more]
        assert found == sorted(found, key=order.index)

    def test_one_thing_taught_is_found_once(self, extractor: Extractor) -> None:
        """People say it again when they are not heard."""
        twice = [_turn(number, (Speaker.USER, STATEMENT), (Speaker.AGENT, "Noted.")) for number in (1, 2)]
        assert len(_passed(extractor.extract(twice, ended=True))) == 1

    def test_a_claim_of_the_agents_waits(self, extractor: Extractor) -> None:
        """While the session goes on, the next turn may overturn it."""
        open_end = [_turn(1, (Speaker.USER, "Why does every run hang?"), (Speaker.AGENT, CLAIM))]
        assert [each for each in _passed(extractor.extract(open_end, ended=False)) if each.said_by == "agent"] == []

    def test_what_recall_showed_is_never_learned_again(self, extractor: Extractor) -> None:
        """Wherever a harness put it."""
        shown = render([Shown("01-A", "lesson", STATEMENT, "project", "2026-11-01")]).text
        session = [_turn(1, (Speaker.USER, f"{shown}\n\nDeploy to staging."), (Speaker.AGENT, f"{shown}\nDone."))]
        assert _passed(extractor.extract(session, ended=True)) == []


def _passed(found: Sequence[Extract]) -> list[Extract]:
    return [each for each in found if each.refused is None]
