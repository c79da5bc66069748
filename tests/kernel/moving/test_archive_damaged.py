"""An archive that was damaged, cut short or changed: what is there is taken, and what is wrong is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.moving import restoring
from hardwon.kernel.use_cases.moving.reading import Read, is_archive, read_archive
from hardwon.kernel.use_cases.moving.restoring import restore
from hardwon.testing.fakes import open_fake_home

from .conftest import export


@pytest.mark.parametrize(
    "line",
    [
        b"{not json",
        b"[]",
        b"7",
        b'{"type": "dream"}',
        b'{"no": "type"}',
        b'{"type": "memory", "id": "x"}',
        b'{"type": "alias", "name": "x"}',
        b'{"type": "turn", "session": "s"}',
        b'{"type": "turn", "harness": "h", "session": "s", "turn": 7, "taken_by": "", "said": "", "messages": []}',
        b'{"type": "turn", "harness": "h", "session": "s", "turn": "t", "taken_by": "", "said": "", "messages": [],'
        b' "at": "noon"}',
        b'{"type": "turn", "harness": "h", "session": "s", "turn": "t", "taken_by": "", "said": "", "messages": 7,'
        b' "at": 7}',
        b"\xff\xfe",
        b"[" * 5000,
        b'{"type": "memory", "id": "x", "content": "y", "times": {"asserted_at": "2026-11-30T00:00:00Z"}, "metadata": '
        b'{"a": ' + b"[" * 200 + b"]" * 200 + b"}}",
    ],
)
def test_a_broken_line_is_told_and_stops_nothing(home: Home, tmp_path: Path, line: bytes) -> None:
    """By its number."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], line + b"\r\n", b"\n", *lines[2:]]))
    restored = restore(open_fake_home(tmp_path / "other"), path)
    assert restored.taken == 6
    broken, changed = restored.failed
    assert broken.where == f"{path}:3"
    assert "seals" in changed.what


@pytest.mark.parametrize("bad", ["\ud800", "\udc00", "\x00", "\x1b"])
@pytest.mark.parametrize("escaped", [True, False])
def test_what_no_store_can_hold_is_read_as_a_space(home: Home, tmp_path: Path, bad: str, escaped: bool) -> None:
    """Wherever in a record it stands: stores are asked for ids, names and keys before they clean what they keep."""
    records = [json.loads(line) for line in export(home, tmp_path / "a.jsonl").read_bytes().splitlines()]
    kept = ("id", "source", "target", "memory", "name", "key", "text", "trace", "content")
    for record in records:
        record |= {name: f"{record[name]}{bad}" for name in kept if isinstance(record.get(name), str)}
    lines = [json.dumps(each, ensure_ascii=escaped).encode("utf-8", "surrogatepass") for each in records]
    (tmp_path / "b.jsonl").write_bytes(b"\n".join(lines))
    read = [each for each in read_archive(tmp_path / "b.jsonl") if isinstance(each, Read)]
    assert len(read) == len(records) - 2  # all but its head and its end
    assert not any(repr(bad)[1:-1] in repr(each.value) for each in read)


def test_a_newer_archive_is_refused_whole(home: Home, tmp_path: Path) -> None:
    """Half of what it says would be lost; also where an older one stands before it in the file."""
    path = export(home, tmp_path / "a.jsonl")
    other = open_fake_home(tmp_path / "other")
    with path.open("a", encoding="utf-8") as file:
        file.write('{"type": "archive", "format": "hardwon-archive", "version": 3}\n')
    with pytest.raises(InvalidInput, match="upgrade"):
        restore(other, path)
    assert list(other.storage.memories.scan(Filter(statuses=None))) == []


@pytest.mark.parametrize("version", ["true", "false", "0", "-1", "1.0", "1.5", "null", '"2"', "[2]", "1e400"])
def test_a_version_that_is_none_is_refused(home: Home, tmp_path: Path, version: str) -> None:
    """Nobody can know how such an archive is to be read; that it is newer is not claimed."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    lines[0] = f'{{"type": "archive", "format": "hardwon-archive", "version": {version}}}\n'
    path.write_text("".join(lines), encoding="utf-8")
    other = open_fake_home(tmp_path / "other")
    with pytest.raises(InvalidInput, match="version of its format; export it again"):
        restore(other, path)
    assert list(other.storage.memories.scan(Filter(statuses=None))) == []


@pytest.mark.parametrize("cut", [1, 2, 7, 15])
def test_an_archive_that_was_cut_short_is_noticed(home: Home, tmp_path: Path, cut: int) -> None:
    """What is there is taken, and it is said that something is missing, wherever it was cut."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-cut]))
    restored = restore(open_fake_home(tmp_path / "other"), path)
    assert restored.taken == sum(b'"type":"memory"' in line for line in lines[:-cut])
    (problem,) = restored.failed
    assert "breaks off" in problem.what


@pytest.mark.parametrize("change", ["a word", "a line"])
def test_an_archive_that_was_changed_is_noticed(home: Home, tmp_path: Path, change: str) -> None:
    """By its seal, though every line of it can be read."""
    path = export(home, tmp_path / "a.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = [line.replace("an old truth", "an old lie") for line in lines]
    path.write_text("".join(changed if change == "a word" else [*lines[:-3], *lines[-2:]]), encoding="utf-8")
    (problem,) = restore(open_fake_home(tmp_path / "other"), path).failed
    assert "seals" in problem.what


def test_what_a_transport_makes_of_line_ends_breaks_no_seal(home: Home, tmp_path: Path) -> None:
    """Nor a mark of the encoding at the beginning, nor two archives in one file."""
    path = export(home, tmp_path / "a.jsonl")
    data = path.read_bytes()
    path.write_bytes(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n") + data)
    restored = restore(open_fake_home(tmp_path / "other"), path)
    assert (restored.failed, restored.taken) == ([], 6)


def test_a_large_archive_is_taken_in_parts_and_goes_on_where_it_was_cut_off(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever part fails, a repetition brings the rest, and nothing twice."""
    monkeypatch.setattr(restoring, "ONE_CHANGE", 0)
    monkeypatch.setattr(restoring, "AT_ONCE", 2)
    first = export(home, tmp_path / "first.jsonl")
    other = open_fake_home(tmp_path / "other")
    for part in range(1, 40):
        failing = Failing(other.storage, part)
        monkeypatch.setitem(other.__dict__, "storage", failing)
        try:
            restore(other, first)
            break
        except ZeroDivisionError:
            continue
    else:
        pytest.fail("the import never came to its end")
    assert part > 5
    assert export(other, tmp_path / "second.jsonl").read_bytes() == first.read_bytes()


class Failing:
    """A storage whose operations fail from a certain one on."""

    def __init__(self, storage: Any, after: int) -> None:
        self._storage: Any = storage._storage if isinstance(storage, Failing) else storage
        self._left = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    def operation(self, why: str) -> Any:
        self._left -= 1
        if self._left < 0:
            raise ZeroDivisionError
        return self._storage.operation(why)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('{"type": "archive", "format": "hardwon-archive", "version": 1}\n', True),
        ('\ufeff{"type":"archive","format":"hardwon-archive","version":1}\r\n', True),
        ('{"content": "a lesson"}\n', False),
        ("# Lessons\n", False),
        ("[" * 100_000, False),
        ("", False),
    ],
)
def test_an_archive_is_known_by_its_first_line(tmp_path: Path, head: str, expected: bool) -> None:
    """Whatever the file is called."""
    path = tmp_path / "file"
    path.write_text(head, encoding="utf-8")
    assert is_archive(path) is expected
