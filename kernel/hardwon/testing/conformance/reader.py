"""LessonReaderConformance: records in the import format, each with where it came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ports import LessonReader
from hardwon.kernel.records import Problem


class LessonReaderConformance:
    """What every LessonReader promises. Give `reader`, `readable` and `unreadable` (files that it accepts by name)."""

    @pytest.fixture
    def reader(self) -> LessonReader:
        """Return the reader; the subclass gives it."""
        raise NotImplementedError("Give the suite a fixture `reader`.")

    @pytest.fixture
    def readable(self) -> Path:
        """Return a file with at least one record."""
        raise NotImplementedError("Give the suite a fixture `readable`: a file with at least one record.")

    @pytest.fixture
    def unreadable(self) -> Path:
        """Return a file that cannot be taken as a whole."""
        raise NotImplementedError("Give the suite a fixture `unreadable`: a file that cannot be taken at all.")

    def test_it_knows_its_files_by_name(self, reader: LessonReader, readable: Path, tmp_path: Path) -> None:
        """Whether the file exists or not; another's file is not its own."""
        assert reader.accepts(readable)
        assert reader.accepts(tmp_path / "elsewhere" / readable.name)
        assert not reader.accepts(tmp_path / "picture.png")

    def test_a_record_has_content_and_says_where_it_stood(self, reader: LessonReader, readable: Path) -> None:
        """It is JSON, its content is not empty, and its source names the file."""
        records = [each for each in reader.read(readable) if isinstance(each, Mapping)]
        assert records
        for record in records:
            json.dumps(record)
            assert record["content"].strip()
            assert readable.name in str(record["source"]["file"])

    def test_what_is_skipped_is_said(self, reader: LessonReader, readable: Path) -> None:
        """Everything that is no record is a Problem with a sentence."""
        for each in reader.read(readable):
            assert isinstance(each, Mapping) or (isinstance(each, Problem) and each.where and each.what)

    def test_reading_twice_gives_the_same(self, reader: LessonReader, readable: Path) -> None:
        """And leaves the file as it was."""
        before = readable.read_bytes()
        assert list(reader.read(readable)) == list(reader.read(readable))
        assert readable.read_bytes() == before

    def test_what_cannot_be_taken_at_all_is_an_error(self, reader: LessonReader, unreadable: Path) -> None:
        """InvalidInput that names the file, not an empty result."""
        with pytest.raises(InvalidInput, match=unreadable.name):
            list(reader.read(unreadable))
