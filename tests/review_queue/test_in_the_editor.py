"""`review edit ID` opens a proposal as Markdown, whether it lies in a document or in a row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, InvalidInput, PluginError, Unavailable
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Noted
from hardwon.kernel.proposal import Proposal
from hardwon.kernel.use_cases.review import reword
from hardwon.review_queue.actions import edit
from hardwon.review_queue.queue import MarkdownQueue
from hardwon.review_queue.table import TableQueue
from hardwon.testing.examples import complete_proposal
from hardwon.testing.fakes.console import RecordingConsole
from hardwon.testing.fakes.home import open_fake_home
from hardwon.testing.fakes.proposals import FakeTabledStorage

OpenHome = Callable[[Callable[[str], str]], Home]


@pytest.fixture(params=[MarkdownQueue, TableQueue])
def home_where(request: pytest.FixtureRequest, tmp_path: Path) -> OpenHome:
    """Return what opens a home with one waiting proposal and a person who edits so."""

    def open_home(edits: Callable[[str], str]) -> Home:
        console = RecordingConsole(edits=edits)
        home = open_fake_home(tmp_path, storage=FakeTabledStorage(), console=console)
        home.__dict__["queue"] = request.param(home)
        home.queue.add([complete_proposal(rule="Old words.")])
        return home

    return open_home


def _waiting(home: Home) -> Proposal:
    [proposal] = home.queue.pending()
    return proposal


def test_words_and_notes_are_the_persons(home_where: OpenHome) -> None:
    """Both are taken in, and the proposal still waits; what was noted is there at the next edit."""

    def edits(text: str) -> str:
        return text.replace("> Old words.", "> New words.").replace("## Notes\n", "## Notes\n\nAsk 小明.\n")

    home = home_where(edits)
    report = edit(home, _waiting(home).id)
    assert _waiting(home).rule == "New words."
    assert "New words." in report.text
    assert isinstance(home.queue, Noted)
    assert home.queue.notes(_waiting(home).id) == "Ask 小明."


def test_a_text_that_is_left_as_it_is_changes_nothing(home_where: OpenHome) -> None:
    """Looking is no edit."""
    home = home_where(lambda text: text)
    before = _waiting(home)
    edit(home, before.id)
    assert _waiting(home) == before


def test_what_cannot_be_read_changes_nothing(home_where: OpenHome) -> None:
    """A document without its record is in doubt; one is told what to do, and of no file that there is not."""
    home = home_where(lambda text: "Only this.")
    before = _waiting(home)
    with pytest.raises(InvalidInput, match=f"waits as it was; repeat `hardwon review edit {before.id}`"):
        edit(home, before.id)
    assert _waiting(home) == before


def test_what_another_changed_meanwhile_is_not_overwritten(home_where: OpenHome) -> None:
    """The edit is refused, and the other's words stand."""

    def slowly(text: str) -> str:
        reword(home, _waiting(home), "Their words.")
        return text.replace("> Old words.", "> My words.")

    home = home_where(slowly)
    with pytest.raises(Conflict):
        edit(home, _waiting(home).id)
    assert _waiting(home).rule == "Their words."
    assert isinstance(home.console, RecordingConsole)
    assert "> My words." in home.console.said[-1]


def test_where_nobody_can_edit_one_is_told(tmp_path: Path) -> None:
    """As in a process in the background."""
    home = open_fake_home(tmp_path)
    home.queue.add([complete_proposal()])
    with pytest.raises(Unavailable):
        edit(home, _waiting(home).id)


def test_a_store_without_a_table_is_told_so(tmp_path: Path) -> None:
    """Rather than a queue that loses what it is given."""
    with pytest.raises(PluginError, match="markdown"):
        TableQueue(open_fake_home(tmp_path))
