"""The `review` commands over many proposals: each gets its own answer, and none is answered twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput, NotFound, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.proposal import Proposal
from hardwon.kernel.use_cases.remembering import remember
from hardwon.review_queue.actions import accept, edit, list_proposals, reject, rewrite, show
from hardwon.review_queue.queue import MarkdownQueue
from hardwon.testing.examples import complete_proposal, instance, memory
from hardwon.testing.fakes import FakeStorage, RecordingConsole, open_fake_home

FIRST, SECOND = "0aaaaaaaaa", "0bbbbbbbbb"


@pytest.fixture
def console() -> RecordingConsole:
    return RecordingConsole()


@pytest.fixture
def home(tmp_path: Path, console: RecordingConsole) -> Home:
    storage = FakeStorage()
    with open_fake_home(tmp_path, storage=storage) as elsewhere:
        queue = MarkdownQueue(elsewhere)
    return open_fake_home(tmp_path, storage=storage, queue=queue, console=console)


@pytest.fixture
def waiting(home: Home) -> list[Proposal]:
    proposals = []
    for id in (FIRST, SECOND):
        lessons = home.storage.memories.put([memory(f"Of {project}: {id}.", project) for project in "abc"])
        proposals.append(complete_proposal(id=id, instances=tuple(map(instance, lessons)), against=()))
    home.queue.add(proposals)
    return proposals


def test_what_cannot_be_decided_stops_none_of_the_others(home: Home, waiting: list[Proposal]) -> None:
    report = accept(home, (FIRST, "zz", SECOND))

    assert report.failed
    assert [each["proposal"] for each in report.data] == [FIRST, "zz", SECOND]
    assert "No proposal has the id “zz”" in report.text
    assert home.queue.pending() == []


def test_two_beginnings_of_one_id_are_one_proposal(home: Home, waiting: list[Proposal]) -> None:
    report = reject(home, ("0a", "0aa"))

    assert (report.failed, [each["proposal"] for each in report.data]) == (False, [FIRST])


def test_one_unknown_id_is_an_error(home: Home, waiting: list[Proposal]) -> None:
    with pytest.raises(NotFound):
        accept(home, ("zz",))


def test_all_is_taken_only_after_a_yes(home: Home, waiting: list[Proposal], console: RecordingConsole) -> None:
    with pytest.raises(UsageError, match="Nothing was accepted"):
        accept(home, all=True)
    assert len(home.queue.pending()) == 2

    console.answer = True
    assert len(accept(home, all=True).data) == 2
    assert console.asked == ["Accept 2 proposals, all that wait?"] * 2


def test_where_nothing_waits_nothing_is_asked(home: Home, console: RecordingConsole) -> None:
    assert accept(home, all=True).text == "Nothing waits for you."
    assert console.asked == []


def test_an_edit_shows_in_the_list_and_an_empty_one_is_refused(home: Home, waiting: list[Proposal]) -> None:
    edit(home, "0a", "Mine.")
    with pytest.raises(InvalidInput, match="empty"):
        edit(home, "0b", " ")

    assert {each["id"]: each["rule"] for each in list_proposals(home).data} == {
        FIRST: "Mine.",
        SECOND: waiting[1].rule,
    }


def test_a_draft_says_who_worded_it_and_what_stood_before(home: Home, waiting: list[Proposal]) -> None:
    """In the terminal, for programs, and in the document that a person edits."""
    before = waiting[0].rule
    home.queue.settle(waiting[0].drafted("Always count the fish before the penguins are fed.", "codex"))

    report = show(home, FIRST)
    assert report.data["worded_by"] == "codex"
    told = f"Worded by codex; the generalizer's own wording was: “{before}”."
    assert told in report.text
    document = home.storage.documents.read(f"review-queue/{FIRST}.md")
    assert document is not None
    assert told in " ".join(document.split())

    edit(home, FIRST, "Mine.")
    assert "Worded by codex" in show(home, FIRST).text
    assert home.queue.find(FIRST).proposed_rule == "Always count the fish before the penguins are fed."


@pytest.mark.parametrize("own_words", [False, True])
def test_a_question_is_told_as_one(home: Home, own_words: bool) -> None:
    """Of two memories in conflict, on one line; no rule is claimed, and no lessons."""
    older = remember(home, memory("Use tabs for indentation", "shop")).entry
    newer = remember(home, memory("Use spaces\nfor indentation", "shop")).entry
    [question] = home.queue.pending()
    listed = list_proposals(home).text
    assert "Use spaces for indentation — 2 memories in conflict" in listed
    shown = show(home, question.id).text
    assert "in conflict" in shown
    assert "0 of 0" not in shown
    assert "Confidence" not in shown
    report = rewrite(home, question.id, "Use tabs in Makefiles") if own_words else accept(home, (question.id,))
    replaced = (older.id, newer.id) if own_words else (older.id,)
    assert f"takes the place of {' and '.join(f'`{id}`' for id in replaced)}: " in report.text
    assert "lesson" not in listed.splitlines()[-1] + report.text
    assert "ule" not in report.text


def test_a_rule_in_ones_own_words_is_told_with_what_is_gone(home: Home, waiting: list[Proposal]) -> None:
    home.storage.memories.delete([waiting[0].instances[0].id])
    text = rewrite(home, FIRST, "Count the fish first.").text
    assert "with 2 lessons: Count the fish first. Gone meanwhile: 1 lesson." in text
