"""MountedNotesConformance: notes outside of the memory, as they stand now, for those who may see them."""

from __future__ import annotations

from typing import Protocol

import pytest

from hardwon.kernel.memory import Kind
from hardwon.kernel.mounts import PREFIX
from hardwon.kernel.ports import MountedNotes
from hardwon.kernel.query import Filter, Query

QUESTION = Query(text="how is the payment gateway retried?")
TEXT = "Retry the payment gateway with the same key."


class Folder(Protocol):
    """The folder of a test: mounted in the project `shop` alone."""

    def write(self, name: str, text: str) -> None:
        """Write a note, replacing the one of this name."""
        ...

    def remove(self, name: str) -> None:
        """Remove a note."""
        ...

    def take_away(self) -> None:
        """Make the folder unreachable, as a disk that is not mounted."""
        ...


class MountedNotesConformance:
    """What every MountedNotes promises. Give `notes`, and `folder`: what a test changes as a person would."""

    @pytest.fixture
    def notes(self) -> MountedNotes:
        """Return the mounted notes; the subclass gives them."""
        raise NotImplementedError("Give the suite a fixture `notes`.")

    @pytest.fixture
    def folder(self) -> Folder:
        """Return the folder behind them; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `folder`.")

    def test_a_note_is_found_and_says_where_it_stands(self, notes: MountedNotes, folder: Folder) -> None:
        """A passage has an id of its own kind, its note's file and line, and is no lesson."""
        folder.write("pay.md", TEXT)
        [candidate] = notes.search(QUESTION).candidates
        assert candidate.id.startswith(PREFIX)
        entry = notes.get([candidate.id])[candidate.id]
        assert TEXT in entry.content
        assert entry.kind is Kind.CONTEXT
        assert (entry.source.file or "").endswith("pay.md")
        assert entry.source.line == 1

    def test_only_those_who_may_see_it_find_it(self, notes: MountedNotes, folder: Folder) -> None:
        """In its project, and where all is asked; by no other, and not from outside of any."""
        folder.write("pay.md", TEXT)
        for projects, number in ((None, 1), (("shop", None), 1), (("blog", None), 0), ((None,), 0), ((), 0)):
            asked = QUESTION.model_copy(update={"filter": Filter(projects=projects)})
            found = notes.search(asked).candidates
            assert len(found) == number, projects
            assert all(each.project == "shop" for each in found)

    def test_what_changed_is_never_shown_as_it_was(self, notes: MountedNotes, folder: Folder) -> None:
        """Nor what was removed."""
        folder.write("pay.md", TEXT)
        [before] = notes.search(QUESTION).candidates
        folder.write("pay.md", "Never retry the payment gateway.")
        assert all(TEXT not in entry.content for entry in notes.get([before.id]).values())
        [after] = notes.search(QUESTION).candidates
        assert "Never retry" in notes.get([after.id])[after.id].content
        folder.remove("pay.md")
        assert notes.search(QUESTION).candidates == []
        assert notes.get([before.id, after.id]) == {}

    def test_a_folder_that_is_away_is_told(self, notes: MountedNotes, folder: Folder) -> None:
        """By a question and among the problems; nothing of it is shown."""
        folder.write("pay.md", TEXT)
        [before] = notes.search(QUESTION).candidates
        assert notes.problems() == []
        folder.take_away()
        found = notes.search(QUESTION)
        assert found.candidates == []
        assert len(found.notes) == 1
        assert notes.get([before.id]) == {}
        assert len(notes.problems()) == 1

    def test_any_text_is_a_question(self, notes: MountedNotes, folder: Folder) -> None:
        """Also one that holds no word."""
        folder.write("pay.md", TEXT)
        for text in ("", " ", '"unclosed AND (', "'; DROP TABLE notes", "\x00", "支付", "🙂"):
            assert all(each.id.startswith(PREFIX) for each in notes.search(Query(text=text)).candidates)
