"""The reader of JSON Lines takes each good line and says of each bad one what is wrong with it, by its number."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardwon.cli.reading.jsonl import JsonLinesReader
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.records import Problem
from hardwon.testing.conformance.reader import LessonReaderConformance

GOOD = b'{"content": "It hangs."}'
Read = Callable[[bytes], list[Mapping[str, Any] | Problem]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that reads bytes as a file."""

    def reading(content: bytes) -> list[Mapping[str, Any] | Problem]:
        path = tmp_path / "lessons.jsonl"
        path.write_bytes(content)
        return list(JsonLinesReader().read(path))

    return reading


class TestJsonLinesReader(LessonReaderConformance):
    """It keeps the promises of its port."""

    @pytest.fixture
    def reader(self) -> JsonLinesReader:
        return JsonLinesReader()

    @pytest.fixture
    def readable(self, tmp_path: Path) -> Path:
        path = tmp_path / "lessons.jsonl"
        path.write_bytes(GOOD + b"\n" + b"no json\n")
        return path

    @pytest.fixture
    def unreadable(self, tmp_path: Path) -> Path:
        path = tmp_path / "wide.jsonl"
        path.write_bytes(GOOD.decode().encode("utf-16"))
        return path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "no JSON"),
        (b'{"content": "It hangs."} {"content": "b"}', "each on a line of its own"),
        (b'["content"]', "no JSON object"),
        (b"17", "no JSON object"),
        (b'{"content": "caf\xe9"}', "UTF-8"),
        (b'{"content": "a\x00b"}', "no JSON"),
        (b'{"project": "p"}', "content"),
        (b'{"content": ""}', "content"),
        (b'{"content": 7}', "content"),
        (b'{"content": "a", "kind": "opinion"}', "kind"),
        (b'{"content": "a", "tags": {"b": 1}}', "tags"),
        (b'{"content": "a", "valid_at": "yesterday"}', "valid_at"),
        (b'{"content": "a", "confidence": 7}', "confidence"),
        (b'{"content": "a", "confidence": NaN}', "NaN"),
        (b'{"content": "a", "lesson": "b"}', "lesson"),
        (b'{"content": "a", "scope": "project:"}', "scope|project"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "no JSON"),
    ],
)
def test_a_bad_line_is_told_by_its_number_and_the_rest_is_taken(read: Read, line: bytes, said: str) -> None:
    """What stands before and after it is read."""
    first, problem, last = read(GOOD + b"\n\n" + line + b"\n" + GOOD.replace(b"hangs", b"stops"))
    assert isinstance(first, Mapping)
    assert isinstance(last, Mapping)
    assert last["source"]["line"] == 4
    assert isinstance(problem, Problem)
    assert problem.where.endswith("lessons.jsonl:3")
    assert re.search(said, problem.what)
    assert problem.what.endswith(".")


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD + b"\r\n" + b"\r\n",
        b"\r" + GOOD + b"\r",
        b"\n\n  " + GOOD + b"  \n",
    ],
    ids=["byte order mark", "CRLF", "CR alone", "blank lines"],
)
def test_every_kind_of_line_end_and_mark_is_read(read: Read, content: bytes) -> None:
    """None of them is part of a record."""
    (record,) = read(content)
    assert isinstance(record, Mapping)
    assert record["content"] == "It hangs."


def test_a_line_separator_in_a_text_ends_no_line(read: Read) -> None:
    """U+2028 and U+0085 are characters like others."""
    (record,) = read('{"content": "a\u2028b\u0085c"}'.encode())
    assert isinstance(record, Mapping)
    assert record["content"] == "a\u2028b\u0085c"


def test_a_long_line_is_a_record(read: Read) -> None:
    """200 kB of text are one memory."""
    (record,) = read(json.dumps({"content": "It hangs. " * 20_000}).encode())
    assert isinstance(record, Mapping)
    assert len(record["content"]) == 200_000


def test_an_empty_file_gives_nothing(read: Read) -> None:
    """That is no failure."""
    assert read(b"") == read(b"\xef\xbb\xbf\n") == []


def test_a_date_without_a_zone_is_taken_as_it_stands(read: Read) -> None:
    """The kernel makes it UTC."""
    (record,) = read(b'{"content": "a", "valid_at": "2026-11-30"}')
    assert isinstance(record, Mapping)
    assert record["valid_at"] == "2026-11-30"


def test_a_record_keeps_the_source_that_it_names(read: Read) -> None:
    """A file of its own is not overwritten; a link, a session or nothing is completed with file and line."""
    records = read(
        b'{"content": "a", "source": {"file": "old.md", "line": 9}}\n'
        b'{"content": "b", "source": "https://example.com/1"}\n'
        b'{"content": "c", "source": {"session": "s1"}}\n'
        b'{"content": "d", "source": "old.md"}\n'
    )
    sources = [record["source"] for record in records if isinstance(record, Mapping)]
    assert sources[0] == {"file": "old.md", "line": 9}
    assert (sources[1]["url"], sources[1]["line"]) == ("https://example.com/1", 2)
    assert (sources[2]["session"], sources[2]["line"]) == ("s1", 3)
    assert sources[3] == "old.md"


def test_half_a_surrogate_pair_becomes_a_space(read: Read) -> None:
    """No store could keep it; the rest of the text is taken, wherever it stands."""
    (record,) = read(b'{"content": "a\\ud83d b", "metadata": {"note": ["\\udc00"]}}')
    assert isinstance(record, Mapping)
    json.dumps(record, ensure_ascii=False).encode("utf-8")


def test_one_document_over_many_lines_is_refused_once(read: Read) -> None:
    """Not with a problem for each of its lines."""
    with pytest.raises(InvalidInput, match="on one line"):
        read(json.dumps([{"content": "a"}] * 50, indent=2).encode())


@pytest.mark.parametrize(
    "lines",
    [
        [{"type": "queue-operation", "operation": "enqueue", "content": "Run the tests.", "sessionId": "s1"}],
        [
            {"type": "summary", "summary": "Tests", "leafUuid": "u1"},
            {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"role": "user", "content": "Run it."}},
            {"type": "system", "uuid": "u2", "parentUuid": "u1", "content": "It ran."},
        ],
        [
            {"timestamp": "2026-11-30T10:00:00Z", "type": "session_meta", "payload": {"id": "s1"}},
            {"timestamp": "2026-11-30T10:00:01Z", "type": "response_item", "payload": {"type": "message"}},
        ],
        [
            {"sessionId": "s1", "startTime": "2026-11-30T10:00:00Z"},
            {"id": "m1", "timestamp": "2026-11-30T10:00:01Z", "type": "user", "content": "Run the tests."},
            {"id": "m2", "timestamp": "2026-11-30T10:00:02Z", "type": "info", "content": "They ran."},
        ],
    ],
    ids=["one line with a text", "after a summary", "payloads", "a session's first line"],
)
def test_a_transcript_of_an_agent_is_refused_whole(read: Read, lines: list[dict[str, Any]]) -> None:
    """What was said to an agent is no lesson, although some lines have a `content`."""
    with pytest.raises(InvalidInput, match="transcript of a coding agent"):
        read("\n".join(map(json.dumps, lines)).encode())


def test_lessons_with_fields_like_those_of_transcripts_are_taken(read: Read) -> None:
    """A kind of its own, an id or a message beside the text make no transcript; nor does one stray line of one."""
    lessons: list[dict[str, Any]] = [
        {"type": "bug", "uuid": "u1", "content": "It hangs."},
        {"type": "bug", "message": {"level": "error"}, "content": "It stops."},
        {"sessionId": "s1", "content": "It waits."},
    ]
    stray = {"type": "user", "sessionId": "s1", "message": {"role": "user"}}
    *records, problem = read("\n".join(map(json.dumps, [*lessons, stray])).encode())
    assert [each["content"] for each in records if isinstance(each, Mapping)] == ["It hangs.", "It stops.", "It waits."]
    assert isinstance(problem, Problem)


@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.one_of(st.binary(max_size=60), st.just(GOOD)), max_size=8))
def test_no_bytes_break_the_reader(tmp_path: Path, lines: list[bytes]) -> None:
    """Each line that is not blank gives one record or one problem, or the file as a whole is refused."""
    path = tmp_path / "lessons.jsonl"
    path.write_bytes(b"\n".join(lines))
    try:
        told = list(JsonLinesReader().read(path))
    except InvalidInput as error:
        assert "lessons.jsonl" in str(error)
    else:
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        assert len(told) == sum(bool(line.strip()) for line in content.splitlines())
