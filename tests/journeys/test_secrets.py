"""Secrets of fifty kinds on every way into the memory: not one is found afterwards, in no file and no git object."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pygit2
import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.journal import JournalTurn
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Activity
from hardwon.kernel.session import Message, Speaker, Turn
from hardwon.testing.planted_secrets import in_place, planted_secrets, spoken_of

from .conftest import LESSONS, PRINCIPLE

Answer = Callable[..., Any]
PLANTED = planted_secrets()
SPOKEN_OF = spoken_of(8)
TEXT = "\n\n".join(f"{kind}: {in_place(kind, secret)}." for kind, secret in PLANTED.items())
SPOKEN = "\n\n".join(text for text, _ in SPOKEN_OF.values())
SECRETS = [line for secret in PLANTED.values() for line in secret.split("\n") if not line.startswith("-----")]
SECRETS += [secret for _, secret in SPOKEN_OF.values()]


@pytest.fixture
def home_path(environment: dict[str, str]) -> Path:
    return Path(environment["HARDWON_HOME"])


def everything_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Walk all bytes that a home keeps: names and contents of files, and git's objects as they are when unpacked."""
    for path in folder.rglob("*"):
        yield "a name", str(path.relative_to(folder)).encode()
        if path.is_file():
            yield str(path), path.read_bytes()
    repository = pygit2.Repository(folder / "memory")
    for id in repository:
        yield f"object {id}", repository[id].read_raw()
    repository.free()


def found(where: Iterator[tuple[str, bytes]]) -> list[tuple[str, str]]:
    secrets = [(secret, secret.encode()) for secret in SECRETS]
    return [(place, secret) for place, data in where for secret, needle in secrets if needle in data]


def lessons(path: Path) -> Path:
    """Write three lessons that have one cause and secrets in every field."""
    secrets = iter(PLANTED.values())
    lines = []
    for number, (project, content) in enumerate(LESSONS):
        record = {
            "id": f"L-{number}-{PLANTED['shopify']}",
            "project": f"https://ada:{PLANTED['gitlab']}@git.acme.dev/{project}",
            "content": f"{content}\n\n{TEXT}\n\n{SPOKEN}",
            "tags": [next(secrets), "files"],
            "topics": ["storage.files", f"keys.{PLANTED['npm']}"],
            "lesson": {"principle": PRINCIPLE, "cause": f"with {next(secrets)}", "fix": next(secrets)},
            "source": {"url": f"https://a.dev/?t={next(secrets)}", "evidence": next(secrets), "session": next(secrets)},
            "metadata": {"nested": [{"deep": next(secrets)}], "api_token": "k3Jd9fLq2Zx8", next(secrets): 1},
            "unknown": next(secrets),
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_no_secret_is_kept_by_the_commands(
    answer: Answer, program: Callable[..., Any], home_path: Path, tmp_path: Path
) -> None:
    """Import, consolidate, remember, edit, reject, undo, rewrite, forget, export.

    The proposal comes first: beside memories that are the same long list of redactions, three lessons that share
    most of it are not told from them by words alone.
    """
    imported = answer("import", lessons(tmp_path / "lessons.jsonl"))
    assert imported["taken"] == 3
    assert all(file["redacted"] for file in imported["files"])
    answer("consolidate")
    (proposal,) = answer("review", "list")
    kept = answer("remember", f"{TEXT}\n\n{SPOKEN}", "--tag", PLANTED["groq"], "--fix", f"use {PLANTED['figma']}")
    assert "GitHub token" in kept["redacted"]
    answer("edit", kept["id"], "--content", f"Now with {PLANTED['xai']}.\n\n{TEXT}")
    markdown = tmp_path / "LESSONS.md"
    markdown.write_text(f"# Lessons\n\n## Never commit a key\n\nWe leaked a key in production.\n\n{TEXT}\n", "utf-8")
    assert answer("import", markdown, "--global")["taken"] >= 1
    why = ("--why", f"since {PLANTED['vault']} leaked")
    answer("review", "reject", proposal["id"], *why)
    answer("review", "undo", proposal["id"])
    answer("review", "rewrite", proposal["id"], f"Rename over the old file; the key is {PLANTED['docker']}.", *why)
    answer("forget", kept["id"], "--yes")
    archive = tmp_path / "archive.jsonl"
    answer("export", archive)
    assert found(everything_below(home_path)) == []
    assert found(iter([("the archive", archive.read_bytes())])) == []
    assert "[redacted: GitHub token]" in archive.read_text(encoding="utf-8")
    assert program("doctor").returncode == 0


def test_an_archive_with_secrets_leaves_them_behind(
    answer: Answer, program: Callable[..., Any], home_path: Path, tmp_path: Path
) -> None:
    """One that another program wrote into: its seal is broken, which is told, and what can be read is taken."""
    answer("import", lessons(tmp_path / "lessons.jsonl"))
    answer("export", tmp_path / "archive.jsonl")
    spoiled = tmp_path / "spoiled.jsonl"
    text = (tmp_path / "archive.jsonl").read_text(encoding="utf-8")
    spoiled.write_text(text.replace("[redacted: GitHub token]", PLANTED["github-personal"]), encoding="utf-8")
    assert PLANTED["github-personal"] in spoiled.read_text(encoding="utf-8")
    other = tmp_path / "other-home"
    restored = program("import", spoiled, "--home", other, "--json")
    (said,) = json.loads(restored.stdout)["files"]
    assert restored.returncode == 1
    assert "changed since" in said["failed"][0]["what"]
    assert len(said["taken"]) == 3
    assert "GitHub token" in said["redacted"]
    assert found(everything_below(other)) == []


def test_no_secret_is_kept_by_whoever_writes_to_the_storage(home_path: Path) -> None:
    """A plugin that knows nothing of redaction: every door of the storage, and what its history says of itself."""
    with Home(home_path) as home:
        home.create()
        storage = home.storage
        now = home.clock.now()
        messages = tuple(
            Message(id=f"m{number}", by=Speaker.USER, text=text, tool="Bash", request=f"export K={secret}")
            for number, (text, secret) in enumerate(zip((TEXT, SPOKEN), PLANTED.values(), strict=False))
        )
        turn = Turn("claude-code", "s1", "t1", messages, at=now, branch="main")
        with storage.operation(f"Write {PLANTED['github-oauth']}"):
            storage.documents.write("notes/keys.md", f"{TEXT}\n\n{SPOKEN}")
            storage.journal.write([JournalTurn(turn, now)])
        storage.ledger.append([Activity(kind="shown", at=now, session="s1", details={"said": [TEXT], "token": SPOKEN})])
        assert storage.journal.standing([turn]) != storage.journal.standing([Turn("claude-code", "s2", "t2", messages)])
    assert found(everything_below(home_path)) == []


def test_import_twice_knows_what_it_took(answer: Answer, tmp_path: Path) -> None:
    """Though the file has the secrets still, and the memory has not."""
    path = lessons(tmp_path / "lessons.jsonl")
    answer("import", path)
    again = answer("import", path)
    assert (again["taken"], again["files"][0]["known"]) == (0, 3)


def test_a_private_text_is_not_remembered(answer: Answer, program: Callable[..., Any], home_path: Path) -> None:
    """Nor is a memory made of which nothing is left."""
    kept = answer("remember", "Pin the runner. <private>Ada broke it.</private>")
    assert kept["content"].strip() == "Pin the runner."
    assert kept["redacted"] == ["private text"]
    refused = program("remember", "<private>Ada broke it.</private>")
    assert refused.returncode == 1
    assert "private" in refused.stderr
    assert not any(b"Ada broke it" in data for _, data in everything_below(home_path))
    with Home(home_path) as home:
        assert len(list(home.storage.memories.scan(Filter(statuses=None)))) == 1
