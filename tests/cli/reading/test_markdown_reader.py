"""The Markdown reader takes any text file, says what it cannot take, and is quick about it."""

from __future__ import annotations

import time
from pathlib import Path
from unittest.mock import ANY

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hardwon.cli.reading.markdown import MarkdownReader
from hardwon.cli.reading.recognition import judged_units
from hardwon.kernel.clock import SystemClock
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.import_format import memory_of
from hardwon.testing.conformance.reader import LessonReaderConformance

SYNTHETIC = Path(__file__).parents[2] / "data" / "synthetic"
LESSON = "It hangs for an hour because the lock was never released."
PIECES = st.sampled_from(
    ["# a\n", "### Fix\n", "- ", "  - ", "1. ", "> ", "```\n", "~~~\n", "| a | b |\n|---|---|\n", "| x ", "\n", "\n\n",
     "    ", "**Problem:** ", "原因：", "因为", "it fails ", "never ", "because ", "<!-- ", " -->", "[a](b)", "[ ] ",
     "---\n", "===\n", "`", "a" * 30, "\t", "\r", "\r\n", "\u2028", "\x0b", "\x00", "\ufeff", "é", "😀", "<div>",
     "&nbsp;",
     "\\", "* * *\n", "#"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=400), st.lists(PIECES, max_size=60).map("".join))


class TestMarkdownReader(LessonReaderConformance):
    """It keeps the promises of its port."""

    @pytest.fixture
    def reader(self) -> MarkdownReader:
        return MarkdownReader()

    @pytest.fixture
    def readable(self, tmp_path: Path) -> Path:
        path = tmp_path / "gotchas.md"
        path.write_text(f"# Gotchas\n\n- {LESSON}\n- Run it.\n", encoding="utf-8")
        return path

    @pytest.fixture
    def unreadable(self, tmp_path: Path) -> Path:
        path = tmp_path / "wide.md"
        path.write_bytes(f"- {LESSON}\n".encode("utf-16"))
        return path


@pytest.mark.parametrize(
    "content",
    [
        f"# Lessons\r\n\r\n- {LESSON}\r\n".encode(),
        f"# Lessons\r\r- {LESSON}\r".encode(),
        b"\xef\xbb\xbf" + f"# Lessons\n\n- {LESSON}".encode(),
    ],
    ids=["CRLF", "CR alone", "byte order mark, no last line end"],
)
def test_every_kind_of_line_end_and_mark_is_read(read, content: bytes) -> None:
    """With the line where it stands."""
    taken, skipped, failed = read(content)
    assert [(record["content"], record["source"]["line"]) for record in taken] == [(LESSON, 3)]
    assert skipped == failed == []


@pytest.mark.parametrize("bad", [b"\xe9t\xe9", b"\x00"], ids=["Latin-1", "NUL"])
def test_bytes_that_are_no_text_are_told_with_their_line_and_the_rest_is_taken(read, bad: bytes) -> None:
    """One item cannot be taken, the other is."""
    content = b"# Lessons\n\n- It fails because of " + bad + b" in its name.\n- " + LESSON.encode() + b"\n"
    taken, _, failed = read(content)
    assert [record["content"] for record in taken] == [LESSON]
    assert [problem.where for problem in failed] == [ANY]
    assert failed[0].where.endswith("lessons.md:3")
    assert "UTF-8" in failed[0].what


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"- {LESSON}".encode("utf-16"), "save it as UTF-8"),
        (f"- {LESSON}".encode("utf-16-le"), "save it as UTF-8"),
        (f"- {LESSON}".encode("utf-32"), "save it as UTF-8"),
        (b"\x00" * 4096, "no text"),
        (b"\x89PNG\r\n" + bytes(range(256)) * 4 + b"\x00" * 400, "no text"),
    ],
    ids=["UTF-16", "UTF-16 without a mark", "UTF-32", "zeros", "a picture"],
)
def test_a_file_that_is_no_text_at_all_is_refused(read, content: bytes, said: str) -> None:
    """In one sentence that names it."""
    with pytest.raises(InvalidInput, match=said):
        read(content)


def test_a_folder_or_a_missing_file_is_refused(tmp_path: Path) -> None:
    """With a sentence, not with an exception of the system."""
    (tmp_path / "folder.md").mkdir()
    for name in ("folder.md", "missing.md"):
        with pytest.raises(InvalidInput, match=name):
            list(MarkdownReader().read(tmp_path / name))


@pytest.mark.parametrize("path", sorted(SYNTHETIC.glob("*.md")), ids=lambda path: path.name)
def test_every_kind_of_hand_edited_file_is_read_or_refused(path: Path) -> None:
    """Whatever editors and sync tools leave: a record, a reason, or one sentence for the file."""
    try:
        told = list(MarkdownReader().read(path))
    except InvalidInput as error:
        assert path.name in str(error)
    else:
        assert all(each for each in told)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS, name=st.sampled_from(["lessons", "CLAUDE", "notes"]))
def test_no_text_breaks_the_reader(tmp_path: Path, text: str, name: str) -> None:
    """Units lie in the file, in order and apart; what is taken can be kept as a memory."""
    path = tmp_path / f"{name}.md"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    try:
        told = list(MarkdownReader().read(path))
    except InvalidInput:
        return
    for record in told:
        if isinstance(record, dict):
            assert memory_of(record, project="p", now=SystemClock().now()).content
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    last = 0
    for unit, _ in judged_units(lines, name):
        assert last < unit.first <= unit.last <= len(lines)
        assert unit.content
        last = unit.last


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=300))
def test_no_bytes_break_the_reader(tmp_path: Path, content: bytes) -> None:
    """A file is read or refused."""
    path = tmp_path / "lessons.md"
    path.write_bytes(content)
    try:
        list(MarkdownReader().read(path))
    except InvalidInput as error:
        assert "lessons.md" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        ">" * 20_000 + " a", "- " * 10_000 + "a", "".join("  " * depth + "- a fails\n" for depth in range(400)),
        "[" * 20_000, "(" * 20_000, "<!-- " * 10_000, "**a " * 10_000, "`a " * 10_000, "never — " * 8_000,
        "Fix: a\n" * 5_000, "[a](b" * 10_000, "不要因为" * 8_000, " " * 100_000 + "a", "```\n" * 5_001, "a\n" * 30_000,
        "# a\n\nb\n" * 2_000,
    ],
)  # fmt: skip
def test_hostile_text_costs_no_more_than_its_length(read, text: str) -> None:
    """Deep nesting, marks that never close, one endless line: seconds, where a quadratic reader takes minutes."""
    begun = time.process_time()
    read(text)
    assert time.process_time() - begun < 5


def test_a_large_file_is_read_at_a_steady_speed(read) -> None:
    """Twice the text takes about twice the time: notes of a megabyte are a matter of seconds."""
    text = f"## A lesson\n\n{LESSON} We restart it.\n\n- Run `make`.\n- {LESSON}\n\n"
    read(text * 10)
    times = []
    for size in (400, 1600):
        begun = time.process_time()
        taken, _, _ = read(text * size)
        times.append(time.process_time() - begun)
        assert len(taken) == size
    assert times[1] < 4 * 3 * times[0]
