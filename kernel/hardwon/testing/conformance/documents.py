"""DocumentsConformance: named texts, whole or not at all."""

from __future__ import annotations

import pytest

from hardwon.kernel.errors import InvalidInput, NotFound
from hardwon.kernel.ports import Documents, Storage
from hardwon.testing.conformance.storage_fixture import OverStorage


class DocumentsConformance(OverStorage):
    """What every Documents promises. Give the fixture `storage`: an open, empty Storage."""

    @pytest.fixture
    def documents(self, storage: Storage) -> Documents:
        """Return the storage's documents."""
        return storage.documents

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "one line",
            "two\nlines\n",
            "windows\r\nlines\r\n",
            "\ufeffmarked",
            "字 🦀 e\u0301\n\n\n",
            "x" * 1_000_000,
        ],
    )
    def test_a_text_comes_back_as_it_was_written(self, documents: Documents, text: str) -> None:
        """To the last character and line ending."""
        documents.write("review-queue/one.md", text)
        assert documents.read("review-queue/one.md") == text

    def test_a_durable_text_is_as_any_other(self, documents: Documents) -> None:
        """What differs shows only after a power cut."""
        documents.write("a.md", "first", durable=True)
        documents.write("a.md", "second")
        documents.write("b.md", "third", durable=True)
        assert [documents.read(name) for name in documents.names("")] == ["second", "third"]

    def test_writing_again_replaces(self, documents: Documents) -> None:
        """The new text stands alone."""
        documents.write("a.md", "a long first text")
        documents.write("a.md", "short")
        assert documents.read("a.md") == "short"
        assert documents.names("") == ["a.md"]

    def test_what_is_not_there_is_none(self, documents: Documents) -> None:
        """Reading makes nothing."""
        assert documents.read("none.md") is None
        assert documents.names("") == []

    def test_moving_replaces_what_stands_there(self, documents: Documents) -> None:
        """The text is at its new name and no more at the old one."""
        documents.write("queue/a.md", "new")
        documents.write("queue/decided/a.md", "old")
        documents.move("queue/a.md", "queue/decided/a.md")
        assert documents.read("queue/a.md") is None
        assert documents.read("queue/decided/a.md") == "new"

    def test_moving_what_is_not_there(self, documents: Documents) -> None:
        """It is NotFound, and the target stays as it was."""
        documents.write("b.md", "stays")
        with pytest.raises(NotFound):
            documents.move("none.md", "b.md")
        assert documents.read("b.md") == "stays"

    def test_names_are_sorted_and_start_with_the_prefix(self, documents: Documents) -> None:
        """Folders below included."""
        for name in ("queue/b.md", "queue/a.md", "queue/decided/c.md", "queue-notes.md", "projects.md"):
            documents.write(name, name)
        assert documents.names("queue/") == ["queue/a.md", "queue/b.md", "queue/decided/c.md"]
        assert documents.names("nothing") == []

    @pytest.mark.parametrize("name", ["../outside.md", "/absolute.md", "queue/../../outside.md", ""])
    def test_a_name_does_not_lead_outside(self, documents: Documents, name: str) -> None:
        """It is InvalidInput, for writing and as the target of a move."""
        documents.write("inside.md", "x")
        with pytest.raises(InvalidInput):
            documents.write(name, "x")
        with pytest.raises(InvalidInput):
            documents.move("inside.md", name)
        assert documents.names("") == ["inside.md"]

    def test_documents_are_no_memories(self, documents: Documents, storage: Storage) -> None:
        """What lies beside the memories is not scanned as one."""
        from hardwon.kernel.query import Filter

        documents.write("review-queue/one.md", "# A proposal")
        assert list(storage.memories.scan(Filter(statuses=None))) == []
        assert storage.problems() == []
