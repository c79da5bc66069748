"""A vault: every memory a note, with links that lead to notes, whatever store it came from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hardwon.kernel.errors import Conflict, NotFound
from hardwon.kernel.home import Home
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.moving.vault import write_vault
from hardwon.testing.examples import memory
from hardwon.testing.fakes import open_fake_home
from hardwon.testing.full_home import fill


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with one of everything, and texts that link."""
    home = open_fake_home(tmp_path / "home")
    fill(home)
    first = next(home.storage.memories.scan(Filter()))
    words = f"See [[some-name-{first.id}]], [[{first.id}|this]] and [[nothing of ours]]. / : * ?"
    home.storage.memories.put(
        [memory(words, "shop", topics=("a.b",)), memory("!!!", "C:\\con"), memory("全局的一条。")]
    )
    return home


def test_every_memory_is_a_note_and_every_link_leads_to_one(home: Home, tmp_path: Path) -> None:
    """In texts as in edges; front matter is YAML, of which JSON is a part."""
    number = write_vault(home, tmp_path / "vault")
    notes = {path.stem: path.read_text(encoding="utf-8") for path in (tmp_path / "vault").rglob("*.md")}
    assert len(notes) == number
    ids = {entry.id for entry in home.storage.memories.scan(Filter(statuses=None))}
    assert ids == {stem[-18:] for stem in notes if stem[-18:] in ids}
    links = {target for text in notes.values() for target in re.findall(r"\[\[([^\]|]*)", text)}
    assert links - notes.keys() == {"nothing of ours"}
    assert len(links) > 4
    for stem, text in notes.items():
        if stem[-18:] in ids:
            head = text.split("---\n")[1]
            assert all(json.loads(line.partition(": ")[2]) is not None for line in head.splitlines())


def test_a_vault_holds_what_was_said_decided_and_believed_before(home: Home, tmp_path: Path) -> None:
    """And what was taken back has no words in it."""
    write_vault(home, tmp_path / "vault")
    texts = "\n".join(path.read_text(encoding="utf-8") for path in (tmp_path / "vault").rglob("*.md"))
    assert "> an old truth, corrected" in texts
    assert "by Ada <ada@example.org>" in texts
    assert (tmp_path / "vault" / "archive" / "shop").is_dir()
    assert (tmp_path / "vault" / "_global").is_dir()
    assert len(list((tmp_path / "vault" / "daily").iterdir())) == 1


def test_names_are_safe_and_files_are_the_owners_alone(home: Home, tmp_path: Path) -> None:
    """On every system."""
    write_vault(home, tmp_path / "vault")
    for path in (tmp_path / "vault").rglob("*"):
        assert not re.search(r'[<>:"\\|?*#^\[\]]|^nul$', path.name)
        assert path.stat().st_mode & 0o077 == 0


def test_nothing_is_written_over(home: Home, tmp_path: Path) -> None:
    """And nothing is left where it cannot be written."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.md").touch()
    with pytest.raises(Conflict):
        write_vault(home, tmp_path / "mine")
    with pytest.raises(NotFound):
        write_vault(home, tmp_path / "no" / "where")
    (tmp_path / "empty").mkdir()
    assert write_vault(home, tmp_path / "empty")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
