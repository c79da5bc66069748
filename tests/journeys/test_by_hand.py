"""People edit, rename, move, delete and restore files, and remove the index: memory, links and history stay whole."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TASK = "Write a function that saves the settings file to disk and survives a crash in the middle."


def follow(memory: Path, file: Path) -> set[Path]:
    """Return the files that a file's wikilinks lead to, found as Obsidian finds them: by name or by path."""
    targets = re.findall(r"\[\[([^\]|#]+)", file.read_text(encoding="utf-8"))
    return {
        path
        for path in memory.rglob("*.md")
        for target in targets
        if target in (path.stem, path.relative_to(memory).with_suffix("").as_posix())
    }


def git(memory: Path, *arguments: str) -> str:
    """Return what a git command prints in the memory."""
    done = subprocess.run(["git", "-C", str(memory), *arguments], check=True, capture_output=True, encoding="utf-8")
    return done.stdout


@pytest.fixture
def rule_file(answer: Callable[..., Any], accepted: dict[str, Any]) -> Path:
    """Return the file of the accepted rule."""
    return Path(answer("show", accepted["rule_id"])["path"])


@pytest.fixture
def lesson_files(answer: Callable[..., Any], accepted: dict[str, Any]) -> list[Path]:
    """Return the files of its lessons, in order."""
    return [Path(answer("show", f"L-{number}")["path"]) for number in (1, 2, 3)]


@pytest.fixture
def whole(answer: Callable[..., Any], memory: Path, accepted: dict[str, Any]) -> Callable[[], None]:
    """Return a function that looks at everything: health, rule, links, recall, and a clean history."""

    def check(lessons: int = 3) -> None:
        assert answer("doctor")["healthy"] is True
        assert {each["relation"] for each in answer("links", accepted["rule_id"])} == {"generalizes"}
        assert len(answer("links", accepted["rule_id"])) == lessons
        assert answer("recall", TASK, "--project", "new-app")["hits"][0]["id"] == accepted["rule_id"]
        assert git(memory, "status", "--porcelain") == ""
        git(memory, "fsck", "--strict")

    return check


def test_one_walks_from_a_lesson_to_its_rule_and_back(memory: Path, rule_file: Path, lesson_files: list[Path]) -> None:
    """By wikilinks in the files alone, as in Obsidian."""
    for lesson in lesson_files:
        assert rule_file in follow(memory, lesson)
    assert set(lesson_files) <= follow(memory, rule_file)


def test_the_index_can_be_removed(answer, memory: Path, whole, accepted: dict[str, Any]) -> None:
    """It is derived: what is shown before and after is the same."""
    before = [answer("show", name) for name in (accepted["rule_id"], "L-1", "L-2", "L-3")]
    for path in memory.parent.glob("index-*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert [answer("show", name) for name in (accepted["rule_id"], "L-1", "L-2", "L-3")] == before
    answer("reindex")
    assert [answer("show", name) for name in (accepted["rule_id"], "L-1", "L-2", "L-3")] == before
    whole()


def test_an_edit_by_hand_is_taken_and_is_the_users_own(answer, memory: Path, lesson_files: list[Path], whole) -> None:
    """Text and front matter; committed before anything of ours."""
    text = lesson_files[0].read_text(encoding="utf-8")
    changed = text.replace("power failed", "battery died").replace("\nkind:", "\nmood: annoyed # still\nkind:", 1)
    lesson_files[0].write_text(changed, encoding="utf-8")
    shown = answer("show", "L-1")
    assert "battery died" in shown["content"]
    assert shown["metadata"]["mood"] == "annoyed"
    answer("remember", "something else")
    assert "mood: annoyed # still" in lesson_files[0].read_text(encoding="utf-8")
    log = git(memory, "log", "--format=%s", "--", lesson_files[0].relative_to(memory).as_posix())
    assert len(log.splitlines()) >= 2
    whole()


def test_a_renamed_file_keeps_its_memory_and_its_links(
    answer, memory: Path, lesson_files: list[Path], rule_file: Path, whole
) -> None:
    """And the rule's link leads to the new name."""
    renamed = lesson_files[1].with_name("my own name.md")
    lesson_files[1].rename(renamed)
    assert Path(answer("show", "L-2")["path"]) == renamed
    answer("remember", "something else")
    whole()


def test_a_moved_file_changes_its_topic(answer, lesson_files: list[Path], whole) -> None:
    """The folder is the topic."""
    folder = lesson_files[0].parent / "storage" / "files"
    folder.mkdir(parents=True)
    lesson_files[0].rename(folder / lesson_files[0].name)
    assert answer("show", "L-1")["topics"] == ["storage.files"]
    answer("remember", "something else")
    whole()


def test_a_deleted_file_retires_its_memory_until_it_is_back(
    answer, memory: Path, lesson_files: list[Path], whole, accepted: dict[str, Any]
) -> None:
    """Out of recall, not forgotten; restored with git it is as it was."""
    before = answer("show", "L-3")
    lesson_files[2].unlink()
    assert answer("show", "L-3")["status"] == "archived"
    shown = answer("recall", TASK, "--project", "new-app")["hits"]
    assert "L-3" not in [hit["external_id"] for hit in shown]
    answer("remember", "something else")
    relative = lesson_files[2].relative_to(memory).as_posix()
    commit = git(memory, "log", "--format=%H", "-1", "--diff-filter=AM", "--", relative).strip()
    git(memory, "checkout", commit, "--", relative)
    after = answer("show", "L-3")
    assert (after["status"], after["content"]) == ("active", before["content"])
    assert [link["id"] for link in after["links"]] == [accepted["rule_id"]]
    answer("remember", "another thing")
    whole()


def test_a_deleted_rule_comes_back_with_its_links(answer, memory: Path, rule_file: Path, whole) -> None:
    """The rule's file owns its edges."""
    kept = rule_file.read_bytes()
    rule_file.unlink()
    assert answer("recall", TASK, "--project", "new-app")["hits"] == []
    rule_file.write_bytes(kept)
    answer("remember", "something else")
    whole()


def test_a_broken_file_is_named_and_stops_nothing(program, answer, lesson_files: list[Path]) -> None:
    """By the doctor, and left as it is until it is mended."""
    good = lesson_files[0].read_bytes()
    broken = good.replace(b"kind: lesson", b"kind: [lesson")
    lesson_files[0].write_bytes(broken)
    done = program("doctor")
    assert done.returncode == 1
    assert str(lesson_files[0]) in done.stdout
    answer("remember", "something else")
    assert lesson_files[0].read_bytes() == broken
    lesson_files[0].write_bytes(good)
    assert answer("doctor")["healthy"] is True
