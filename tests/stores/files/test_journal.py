"""The journal on disk: files that people read and edit, small enough to write in a moment, known without an index."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from hardwon.kernel.journal import JournalTurn, Standing, known_as
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.stores.files import journal_files
from hardwon.stores.files.notes.journal_blocks import read_blocks, write_block
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.conformance.journal import AT, entry, grown, turn

from .conftest import Open, git, index_of


def day(memory_folder: Path, name: str = "2026-05-04") -> Path:
    return memory_folder / "daily" / f"{name}.md"


class TestTheFileOfADay:
    def test_it_reads_like_a_report(self, storage: FilesStorage, memory_folder: Path) -> None:
        """A heading with an anchor a turn, who said what, tools in a line."""
        storage.journal.write([entry(turn())])
        text = day(memory_folder).read_text(encoding="utf-8")
        title, heading, comment, *said = [part for part in text.split("\n\n") if part]
        assert title == "# 2026-05-04\n"[:-1]
        assert heading.startswith("## 09:30, fake, github.com/acme/shop, main ^t")
        assert comment.startswith('<!-- turn {"v": 1, "harness": "fake", "session": "s-1"')
        assert said[0] == "**user**"
        assert said[2] == "- Bash: pytest -q (failed: E ImportError: no module named yaml)"

    def test_it_is_committed_with_what_came_of_the_turn(self, storage: FilesStorage, memory_folder: Path) -> None:
        """In one commit, and git has nothing left to say."""
        from hardwon.testing.examples import memory

        with storage.operation("Capture a session"):
            storage.journal.write([entry(turn())])
            storage.memories.put([memory("Pin it.")])
        assert git(memory_folder, "log", "-1", "--format=%s").strip() == "Capture a session"
        files = git(memory_folder, "show", "--name-only", "--format=").split()
        assert [file for file in files if file.startswith("daily/")] == ["daily/2026-05-04.md"]
        assert [file for file in files if file.startswith("digest/")]
        assert git(memory_folder, "status", "--porcelain") == ""

    def test_days_are_those_of_utc(self, storage: FilesStorage, memory_folder: Path) -> None:
        """The same file on every machine, wherever the person sits."""
        late = AT.replace(hour=23, minute=30).astimezone(datetime.now().astimezone().tzinfo)
        storage.journal.write([JournalTurn(turn(), late)])
        assert day(memory_folder).exists()

    def test_what_came_later_stands_in_the_file_of_that_day(self, storage: FilesStorage, memory_folder: Path) -> None:
        """What is written is never rewritten."""
        storage.journal.write([entry(turn())])
        before = day(memory_folder).read_bytes()
        storage.journal.write([entry(grown(turn(), "And now?", AT + timedelta(days=1)))])
        assert day(memory_folder).read_bytes() == before
        assert "> And now?" in day(memory_folder, "2026-05-05").read_text(encoding="utf-8")

    def test_a_full_file_is_followed_by_another(
        self, storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """So that a turn never writes megabytes; everything is found in any of them."""
        monkeypatch.setattr(journal_files, "FULL_FILE", 600)
        turns = [turn(f"t-{number}", said=f"Question number {number}?") for number in range(6)]
        storage.journal.write([entry(each) for each in turns[:3]])
        for each in turns[3:]:
            storage.journal.write([entry(each)])
        names = sorted(path.name for path in (memory_folder / "daily").iterdir())
        assert names == ["2026-05-04-2.md", "2026-05-04-3.md", "2026-05-04.md"]
        assert [block.turn for block in storage.journal.of_session("s-1")] == [each.id for each in turns]
        assert storage.journal.standing(turns) == [Standing.KNOWN] * 6

    def test_a_full_folder_is_followed_by_folders_of_months(
        self, storage: FilesStorage, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A day goes on where it began."""
        monkeypatch.setattr(journal_files, "FULL_FOLDER", 2)
        for number in range(4):
            storage.journal.write([JournalTurn(turn(f"t-{number}"), AT + timedelta(days=number))])
        storage.journal.write([JournalTurn(turn("t-9"), AT), JournalTurn(turn("t-8"), AT + timedelta(days=3))])
        names = sorted(str(path.relative_to(memory_folder)) for path in (memory_folder / "daily").rglob("*.md"))
        assert names == [
            "daily/2026-05-04.md",
            "daily/2026-05-05.md",
            "daily/2026-05/2026-05-06.md",
            "daily/2026-05/2026-05-07.md",
        ]

    def test_a_very_long_message_is_cut_in_the_middle(self, storage: FilesStorage, memory_folder: Path) -> None:
        """Its first and last words are there, and how many are not."""
        storage.journal.write([entry(turn(said="begin " + "x" * 500_000 + " end"))])
        text = day(memory_folder).read_text(encoding="utf-8")
        assert len(text) < 100_000
        assert "> begin xxx" in text
        assert "characters left out" in text
        assert "xxx end" in text


class TestHandEdits:
    def test_what_a_person_writes_stays(self, storage: FilesStorage, memory_folder: Path) -> None:
        """Before a turn, in it and behind it, with any line end; and is committed as theirs."""
        storage.journal.write([entry(turn("t-1")), entry(turn("t-2"))])
        path = day(memory_folder)
        mine = path.read_text(encoding="utf-8").replace("# 2026-05-04\n", "# Monday\n\nA good day.\n")
        mine = mine.replace("> Why is the build red?", "> Why is the build red?\n\nMy note on it.", 1) + "\nLast word."
        path.write_bytes(mine.replace("\n", "\r\n").encode())
        storage.journal.write([entry(turn("t-3"))])
        after = path.read_bytes().decode()
        assert after.startswith(mine.replace("\n", "\r\n"))
        assert [block.turn for block in storage.journal.of_session("s-1")] == ["t-1", "t-2", "t-3"]
        assert "My note on it." in storage.journal.of_session("s-1")[0].said
        subjects = git(memory_folder, "log", "--format=%an %s").splitlines()
        assert any("Edit by hand: 2026-05-04.md" in subject and "hardwon" not in subject for subject in subjects)

    def test_a_turn_that_a_person_took_out_does_not_come_back(self, open_store: Open, memory_folder: Path) -> None:
        """It counts as taken back; told to, an import takes it again."""
        storage = open_store()
        storage.journal.write([entry(turn("t-1")), entry(turn("t-2"))])
        path = day(memory_folder)
        text = path.read_text(encoding="utf-8")
        path.write_text(text[: text.index("\n## ")] + text[text.rindex("\n## ") :], encoding="utf-8")
        storage = open_store()
        assert storage.journal.standing([turn("t-1"), turn("t-2")]) == [Standing.RETRACTED, Standing.KNOWN]
        storage.journal.write([entry(turn("t-1"))])
        assert [block.turn for block in storage.journal.of_session("s-1")] == ["t-2"]
        storage.journal.write([entry(turn("t-1"))], again=True)
        assert sorted(block.turn for block in storage.journal.of_session("s-1")) == ["t-1", "t-2"]

    def test_a_file_that_moved_or_came_back_is_known(self, open_store: Open, memory_folder: Path) -> None:
        """Under any name below the folder."""
        open_store().journal.write([entry(turn())])
        elsewhere = memory_folder / "daily" / "spring" / "monday.md"
        elsewhere.parent.mkdir()
        day(memory_folder).rename(elsewhere)
        assert open_store().journal.standing([turn()]) == [Standing.KNOWN]
        assert len(open_store().journal.of_session("s-1")) == 1
        away = elsewhere.read_bytes()
        elsewhere.unlink()
        assert open_store().journal.standing([turn()]) == [Standing.RETRACTED]
        elsewhere.write_bytes(away)
        assert open_store().journal.standing([turn()]) == [Standing.KNOWN]

    @pytest.mark.parametrize(
        "broken",
        [b"<!-- turn {} -->", b"<!-- turn {not json} -->", b'<!-- turn {"v": 1} -->', b"<!-- turn [1] -->",
         b'<!-- turn {"v": 1, "harness": "h", "session": "s", "turn": "t", "at": "noon"} -->', b"\xff\xfe\x00", b""],
    )  # fmt: skip
    def test_what_is_no_turn_is_a_persons_text(self, storage: FilesStorage, memory_folder: Path, broken: bytes) -> None:
        """It is left alone, whatever it looks like."""
        path = day(memory_folder)
        path.parent.mkdir(parents=True)
        path.write_bytes(broken + b"\n")
        storage.journal.write([entry(turn())])
        assert path.read_bytes().startswith(broken + b"\n")
        assert [block.turn for block in storage.journal.of_session("s-1")] == [turn().id]
        assert storage.problems() == []

    def test_a_turn_of_a_newer_format_is_left_alone(self, open_store: Open, memory_folder: Path) -> None:
        """It is told, known, and not even taken back: this program does not know what is in it."""
        open_store().journal.write([entry(turn())])
        path = day(memory_folder)
        newer = path.read_text(encoding="utf-8").replace('{"v": 1,', '{"v": 2,')
        path.write_text(newer, encoding="utf-8")
        storage = open_store()
        assert storage.journal.write([entry(turn())]) == [Standing.KNOWN]
        (problem,) = storage.problems()
        assert "upgrade" in problem.what
        storage.journal.retract(AT, session="s-1")
        assert path.read_text(encoding="utf-8") == newer

    def test_taking_back_leaves_what_stands_around(self, storage: FilesStorage, memory_folder: Path) -> None:
        """A person's notes and the other turns; the words are in the history alone."""
        storage.journal.write([entry(turn("t-1")), entry(turn("t-2", "s-2"))])
        path = day(memory_folder)
        path.write_text("My preface.\n\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
        other = storage.journal.of_session("s-2")
        storage.journal.retract(AT, session="s-1")
        text = path.read_text(encoding="utf-8")
        assert text.startswith("My preface.")
        assert text.count("Why is the build red?") == 2  # asked once, repeated in the answer
        assert storage.journal.of_session("s-2") == other
        assert "*Taken back.*" in text
        assert git(memory_folder, "log", "-1", "-p", "--format=%s").count("-> Why is the build red?") == 1


def test_a_new_index_knows_every_turn(open_store: Open, home_path: Path) -> None:
    """The files say all of it: what grew, what was taken back, and what is a copy of what."""
    said = "The nightly build fails since the runner image moved to another release of Python; find out why."
    first = open_store()
    first.journal.write([entry(turn("t-1", said=said)), entry(turn("t-2", "s-2")), entry(turn("t-3"), taken_by="i-1")])
    first.journal.write([entry(grown(turn("t-1", said=said), "More."))])
    first.journal.retract(AT, session="s-2")
    sessions = first.journal.sessions()
    first.close()
    for path in home_path.glob("index-*"):
        path.unlink()
    again = open_store()
    assert again.journal.sessions() == sessions
    assert again.journal.standing([turn("t-1", said=said), turn("t-2", "s-2"), turn("t-9", "s-9", said)]) == [
        Standing.KNOWN, Standing.RETRACTED, Standing.ELSEWHERE,
    ]  # fmt: skip
    assert len(again.journal.of_session("s-1")) == 3
    assert again.verify() == []


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE journal SET messages = ''",
        "DELETE FROM journal",
        "UPDATE journal SET retracted_at = at",
        "UPDATE journal SET turn = 't'",
    ],
)
def test_rows_that_belie_a_file_are_found(storage: FilesStorage, home_path: Path, spoil: str) -> None:
    """By doctor, which reads every file; a new index sets it right."""
    storage.journal.write([entry(turn()), entry(turn("t-2"))])
    assert storage.verify() == []
    with closing(sqlite3.connect(index_of(home_path))) as connection, connection:
        connection.execute(spoil)
    (problem,) = storage.verify()
    assert "daily/2026-05-04.md" in problem.what
    storage.reindex()
    assert storage.verify() == []


def test_another_process_is_seen(open_store: Open) -> None:
    """Two stores of one home write the same turn once."""
    one, two = open_store(), open_store()
    one.journal.write([entry(turn())])
    assert two.journal.write([entry(turn())]) == [Standing.KNOWN]
    two.journal.write([entry(grown(turn(), "More."))])
    assert len(one.journal.of_session("s-1")) == 2


TEXTS = some.text(some.characters(exclude_categories=("Cs",)), max_size=200)


@settings(max_examples=200, deadline=None)
@given(
    said=some.lists(
        some.tuples(some.sampled_from(list(Speaker)), TEXTS, TEXTS, some.booleans()), min_size=1, max_size=6
    ),
    project=some.none() | TEXTS,
    ids=some.tuples(TEXTS, TEXTS),
)
def test_any_turn_comes_back_from_its_block(
    said: list[tuple[Speaker, str, str, bool]], project: str | None, ids: tuple[str, str]
) -> None:
    """Between two others, with its words, its keys and where it belongs, whatever anybody said."""
    messages = tuple(
        Message(f"m-{number}", by, text, None, "tool" if by is Speaker.TOOL else "", request, failed)
        for number, (by, text, request, failed) in enumerate(said)
    )
    wild = Turn("harness", ids[0], ids[1], messages, AT, None, project)
    known = known_as(JournalTurn(wild, AT, project), messages, "p", at=AT)
    plain = known_as(entry(turn()), turn().messages, "p", at=AT)
    data = b"# day\n" + write_block(plain) + write_block(known) + write_block(plain)
    first, found, last = read_blocks(data, "p")
    assert first.known == last.known == plain
    expected = known.block
    assert (found.known.block.session, found.known.block.turn, found.known.block.at) == (*ids, AT)
    assert found.known.block.project == (expected.project or None)
    assert (found.known.messages, found.known.copy) == (known.messages, known.copy)
    assert found.known.block.said == expected.said.strip()
