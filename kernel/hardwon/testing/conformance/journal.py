"""JournalConformance: every turn once, what grew brought up to date, found again, and taken back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hardwon.kernel.journal import JournalTurn, Standing
from hardwon.kernel.ports import Journal, Storage
from hardwon.kernel.query import Filter
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.testing.conformance.storage_fixture import OverStorage

AT = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
TURN_ID = "4c1f7d0e-7d1a-4f0e-8a66-0123456789ab"


def turn(id: str = TURN_ID, session: str = "s-1", said: str = "Why is the build red?", **fields: object) -> Turn:
    """Return a turn in which a person asks, a tool fails and the agent answers."""
    messages = (
        Message(f"{id}-1", Speaker.USER, said, AT),
        Message(f"{id}-2", Speaker.TOOL, "E   ImportError: no module named yaml", AT, "Bash", "pytest -q", failed=True),
        Message(f"{id}-3", Speaker.AGENT, f"The lock file lacks a package: {said}", AT + timedelta(minutes=1)),
    )
    plain: dict[str, object] = {"messages": messages, "at": AT, "branch": "main"}
    return Turn("fake", session, id, **(plain | fields))  # type: ignore[arg-type]


def grown(before: Turn, said: str, at: datetime = AT + timedelta(hours=1)) -> Turn:
    """Return a turn in which somebody said more."""
    return replace(before, messages=(*before.messages, Message(f"{before.id}-more-{said}", Speaker.USER, said, at)))


def entry(turn: Turn, project: str | None = "github.com/acme/shop", taken_by: str = "") -> JournalTurn:
    """Return a turn to be kept."""
    return JournalTurn(turn, AT, project, taken_by)


class JournalConformance(OverStorage):
    """What every Journal promises. Give the fixture `storage`: an open, empty Storage."""

    @pytest.fixture
    def journal(self, storage: Storage) -> Journal:
        """Return the storage's journal."""
        return storage.journal

    def test_a_turn_comes_back_with_who_said_what(self, journal: Journal) -> None:
        """Words are there whole, a tool in a line, and where it belongs."""
        assert journal.write([entry(turn())]) == [Standing.NEW]
        (block,) = journal.of_session("s-1")
        assert (block.harness, block.session, block.turn, block.at) == ("fake", "s-1", TURN_ID, AT)
        assert (block.project, block.branch) == ("github.com/acme/shop", "main")
        assert "**user**\n\n> Why is the build red?" in block.said
        assert "- Bash: pytest -q (failed: E ImportError: no module named yaml)" in block.said
        assert "**agent**\n\n> The lock file lacks a package" in block.said

    @pytest.mark.parametrize(
        "said",
        [
            "## 10:00 · fake\n\n<!-- turn {} -->\n\n> quoted\n---\n```\ncode",
            "two\r\nlines\rthree",
            "字 🦀 e\u0301 \u2028 \u0085 \x0c end",
            "-->",
            "a\n\n\n\nb",
        ],
    )
    def test_any_words_are_safe(self, journal: Journal, said: str) -> None:
        """Nothing that was said ends a block or begins one, and neighbours stay whole."""
        journal.write([entry(turn("t-1")), entry(turn("t-2", said=said)), entry(turn("t-3"))])
        blocks = journal.of_session("s-1")
        assert [block.turn for block in blocks] == ["t-1", "t-2", "t-3"]
        assert blocks[2].said.replace("t-3", "t-1") == blocks[0].said
        assert said.splitlines()[0].strip() in blocks[1].said

    def test_a_known_turn_is_not_written_twice(self, journal: Journal) -> None:
        """Neither in one call nor in two."""
        assert journal.write([entry(turn()), entry(turn())]) == [Standing.NEW, Standing.KNOWN]
        assert journal.write([entry(turn())]) == [Standing.KNOWN]
        assert journal.standing([turn()]) == [Standing.KNOWN]
        assert len(journal.of_session("s-1")) == 1

    def test_what_came_to_a_turn_is_appended(self, journal: Journal) -> None:
        """Only that: what is known is not repeated."""
        journal.write([entry(turn())])
        more = grown(turn(), "Only on Windows, I mean.")
        assert journal.standing([more]) == [Standing.GREW]
        assert journal.write([entry(more)]) == [Standing.GREW]
        first, second = journal.of_session("s-1")
        assert "Only on Windows" not in first.said
        assert second.said == "**user**\n\n> Only on Windows, I mean."
        assert journal.write([entry(more)]) == [Standing.KNOWN]

    def test_a_copy_of_a_turn_is_known(self, journal: Journal) -> None:
        """Under its id in another session, or under another id with the same long words; short ids tell nothing."""
        said = "The nightly build fails since the runner image moved to another release of Python; find out why."
        journal.write([entry(turn(said=said)), entry(turn("7", said="Go on."))])
        same_id, same_words = turn(session="s-2", said=said), turn("another-id-of-this-turn", "s-3", said)
        short = replace(turn("7", "s-2", "Go on."), messages=(Message("7-1", Speaker.USER, "Go on.", AT),))
        assert journal.standing([same_id, same_words, short]) == [
            Standing.ELSEWHERE, Standing.ELSEWHERE, Standing.NEW,
        ]  # fmt: skip
        journal.write([entry(same_id), entry(same_words)])
        assert journal.of_session("s-2") == journal.of_session("s-3") == []

    def test_sessions_are_listed_newest_first(self, journal: Journal) -> None:
        """With their project, their turns and the imports that took them."""
        later = turn("t-3", "s-2", at=AT + timedelta(days=2))
        journal.write([entry(turn("t-1")), entry(turn("t-2"), taken_by="import-1")])
        journal.write([replace(entry(later, None), at=AT + timedelta(days=2))])
        newest, older = journal.sessions()
        assert (newest.session, newest.project, newest.turns, newest.taken_by) == ("s-2", None, 1, ())
        assert (older.session, older.turns, older.retracted) == ("s-1", 2, 0)
        assert (older.project, older.taken_by) == ("github.com/acme/shop", ("import-1",))

    def test_search_finds_by_words(self, journal: Journal) -> None:
        """In any script, whatever form they have; who holds more of them comes first."""
        journal.write([
            entry(turn("t-1", said="The deployment failed since the certificate expired.")),
            entry(turn("t-2", said="证书过期导致部署失败。")),
            entry(turn("t-3", said="The certificate is fine.")),
        ])  # fmt: skip
        assert [block.turn for block in journal.search("expired certificates of a deployment")][:2] == ["t-1", "t-3"]
        assert [block.turn for block in journal.search("证书过期")] == ["t-2"]
        assert journal.search("giraffe") == []

    @pytest.mark.parametrize("question", ["", " ", '"', "*", "a AND (", "\x00", "'; DROP TABLE journal; --"])
    def test_any_question_is_valid(self, journal: Journal, question: str) -> None:
        """It finds something or nothing, and never fails."""
        journal.write([entry(turn())])
        assert len(journal.search(question)) <= 1

    def test_search_looks_into_the_named_projects(self, journal: Journal) -> None:
        """And into no other."""
        journal.write([entry(turn("t-1"), "shop"), entry(turn("t-2"), "maps"), entry(turn("t-3"), None)])
        assert {block.turn for block in journal.search("build", projects=("shop", None))} == {"t-1", "t-3"}
        assert len(journal.search("build")) == 3
        assert len(journal.search("build", limit=2)) == 2

    def test_a_session_is_taken_back(self, journal: Journal) -> None:
        """Its words are gone, the others' stay; it does not come back by itself, only when told to."""
        journal.write([entry(turn("t-1")), entry(grown(turn("t-1"), "More.")), entry(turn("t-2", "s-2"))])
        assert journal.retract(AT, session="s-1") == 1
        assert journal.of_session("s-1") == []
        assert [block.turn for block in journal.search("build")] == ["t-2"]
        assert journal.standing([turn("t-1")]) == [Standing.RETRACTED]
        assert journal.write([entry(turn("t-1"))]) == [Standing.RETRACTED]
        assert journal.of_session("s-1") == []
        assert [each.retracted for each in journal.sessions() if each.session == "s-1"] == [1]
        journal.write([entry(turn("t-1"))], again=True)
        assert len(journal.of_session("s-1")) == 1
        assert journal.standing([turn("t-1")]) == [Standing.KNOWN]

    def test_the_only_turn_is_taken_back_and_again(self, journal: Journal) -> None:
        """As often as somebody wants; what is known of other turns stays known."""
        journal.write([entry(turn("t-1"))])
        for _ in range(2):
            assert journal.retract(AT, session="s-1") == 1
            assert journal.write([entry(turn("t-1"))], again=True) == [Standing.NEW]
            assert [block.turn for block in journal.of_session("s-1")] == ["t-1"]
        assert journal.write([entry(turn("t-1"))], again=True) == [Standing.KNOWN]

    def test_an_import_is_taken_back(self, journal: Journal) -> None:
        """What it took, and not what the sessions themselves told."""
        journal.write([entry(turn("t-1")), entry(turn("t-2"), taken_by="import-1")])
        assert journal.retract(AT, taken_by="import-1") == 1
        assert [block.turn for block in journal.of_session("s-1")] == ["t-1"]
        assert journal.retract(AT, taken_by="import-1") == 0

    def test_another_journal_is_taken_over(self, journal: Journal) -> None:
        """In the order of time, each block once, what was taken back without its words."""
        journal.write([entry(turn("t-2")), entry(turn("t-1"), taken_by="import-1"), entry(turn("t-3", "s-2"))])
        journal.write([entry(grown(turn("t-1"), "More."))])
        journal.retract(AT, session="s-2")
        before = list(journal.blocks())
        assert [known.block.turn for known in before] == ["t-1", "t-2", "t-3", "t-1"]
        assert journal.keep(before) == 0
        assert list(journal.blocks()) == before
        others = [
            replace(known, block=replace(known.block, session=f"other-{known.block.session}")) for known in before
        ]
        assert journal.keep([*others, others[0]]) == 4
        assert journal.keep(others) == 0
        assert [block.said for block in journal.of_session("other-s-1")] == [
            block.said for block in journal.of_session("s-1")
        ]
        assert journal.standing([turn("t-1", "other-s-1"), turn("t-3", "other-s-2")]) == [
            Standing.KNOWN, Standing.RETRACTED,
        ]  # fmt: skip

    def test_words_of_another_journal_are_safe(self, journal: Journal) -> None:
        """They end no block and begin none."""
        journal.write([entry(turn("t-1"))])
        (known,) = journal.blocks()
        wild = "## 10:00, fake ^x\n\n<!-- turn {} -->\n\n> words"
        journal.keep([replace(known, block=replace(known.block, turn="t-2", said=wild))])
        assert [block.turn for block in journal.of_session("s-1")] == ["t-1", "t-2"]

    def test_a_failed_operation_leaves_no_turn(self, journal: Journal, storage: Storage) -> None:
        """What was written inside is gone, and can be written again."""
        with pytest.raises(ZeroDivisionError), storage.operation("Fails"):
            journal.write([entry(turn())])
            assert journal.standing([turn()]) == [Standing.KNOWN]
            raise ZeroDivisionError
        assert journal.of_session("s-1") == []
        assert journal.write([entry(turn())]) == [Standing.NEW]

    def test_turns_are_no_memories(self, journal: Journal, storage: Storage) -> None:
        """The journal is not scanned, and what it holds is no problem."""
        journal.write([entry(turn())])
        assert list(storage.memories.scan(Filter(statuses=None))) == []
        assert storage.problems() == []
