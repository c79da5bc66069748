"""The commands that write: remember, edit, forget, import, export, and the names of projects."""

from __future__ import annotations

import json
import os
import shlex
import stat
import subprocess
from pathlib import Path

import pytest


def test_remembering_keeps_words_with_all_that_was_said_of_them(program, answer) -> None:
    """In the project of the folder, at a topic, as the user's own."""
    kept = answer(
        "remember", "Rename, do not overwrite.", "--topic", "storage.files", "--tag", "fs", "--cause", "a crash",
        "--principle", "Replace files by renaming.",
    )  # fmt: skip
    assert kept["new"] is True
    assert kept["project"].endswith("/shop")
    assert (kept["topics"], kept["tags"], kept["confidence"]) == (["storage.files"], ["fs"], 1.0)
    assert kept["lesson"]["cause"] == "a crash"
    assert kept["source"]["said_by"] == "user"
    again = answer("remember", "Rename, do not overwrite.")
    assert (again["new"], again["id"]) == (False, kept["id"])


def test_remembering_from_standard_input_and_for_everywhere(answer) -> None:
    """A long text comes by a pipe."""
    kept = answer("remember", "-", "--global", "--kind", "preference", input="I like\nshort functions.\n")
    assert (kept["content"], kept["scope"], kept["kind"]) == ("I like\nshort functions.", "global", "preference")


def test_the_home_directory_is_nobodys_project(program, environment: dict[str, str]) -> None:
    """A memory without a project must be asked for."""
    user = Path(environment["HOME"])
    done = program("remember", "x", cwd=user)
    assert done.returncode == 2
    assert "--global" in done.stderr
    assert program("remember", "x", "--global", cwd=user).returncode == 0
    assert program("remember", "x", "--global", "--project", "p").returncode == 2
    assert program("remember", "x", "--kind", "rule").returncode == 2


def test_a_text_is_changed_at_once_or_in_the_editor(program, answer, filled: Path, tmp_path: Path) -> None:
    """The editor opens the file itself; what it breaks is said."""
    assert answer("edit", "L-3", "--content", "New words.")["content"] == "New words."
    assert answer("edit", "L-3", "--content", "New words.")["changed"] is False
    assert program("edit", "L-3", "--content", "  ").returncode == 1
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i.old "s/New words/Newer words/" "$1" && rm "$1.old"\n', encoding="utf-8")
    editor.chmod(0o755)
    assert answer("edit", "L-3", also={"EDITOR": str(editor)})["content"] == "Newer words."
    assert answer("show", "L-3")["content"] == "Newer words."
    assert program("edit", "L-3", also={"EDITOR": "false"}).returncode == 1
    assert program("edit", "L-3", also={"EDITOR": "/no/such/editor"}).returncode == 1
    editor.write_text('#!/bin/sh\nprintf -- "---\\nid: [\\n---\\n" > "$1"\n', encoding="utf-8")
    broken = program("edit", "L-3", "--json", also={"EDITOR": str(editor)})
    assert broken.returncode == 1
    assert json.loads(broken.stdout)["problems"]


def test_forgetting_asks_and_lasts(program, answer, filled: Path) -> None:
    """Without an answer nothing is forgotten; afterwards no import brings it back until it is told to."""
    assert program("forget", "L-2").returncode == 2
    assert answer("show", "L-2")
    assert answer("forget", "L-2", "--yes")["external_id"] == "L-2"
    assert program("show", "L-2").returncode == 1
    again = answer("import", filled)
    assert (again["taken"], again["files"][0]["forgotten"], again["files"][0]["known"]) == (0, 1, 2)
    assert answer("import", filled, "--forgotten")["taken"] == 1


def test_import_says_what_it_would_take_and_takes_nothing(program, answer, lessons: Path, environment) -> None:
    """On a dry run not even a home is made."""
    assert answer("import", lessons, "--dry-run")["taken"] == 3
    assert not Path(environment["HARDWON_HOME"]).exists()
    assert "would be taken" in program("import", lessons, "--dry-run").stdout


def test_a_dry_run_names_what_would_be_taken_and_where_it_stands(program, lessons: Path) -> None:
    """A line each; afterwards it is in the memory itself."""
    told = program("import", lessons, "--dry-run").stdout
    assert f"- {lessons}:3: A kernel panic left an empty cache file." in told
    assert "A kernel panic" not in program("import", lessons).stdout


def test_what_names_no_project_and_lies_in_none_has_to_be_told_where_it_holds(program, answer, environment) -> None:
    """Nothing reaches all projects because of the folder that a file happened to lie in."""
    stray = Path(environment["HOME"]) / "stray.jsonl"
    stray.write_text('{"content": "ours", "project": "shop"}\n{"content": "whose?"}\n', encoding="utf-8")
    done = program("import", stray)
    assert done.returncode == 1
    assert f"{stray}:2: This names no project" in done.stdout
    assert answer("stats")["statuses"] == {"active": 1}
    assert answer("import", stray, "--global")["taken"] == 1


def test_nothing_to_remember_is_told_as_the_user_said_it(program, environment: dict[str, str]) -> None:
    """And makes no home."""
    done = program("remember", " ")
    assert done.returncode == 1
    assert "give what is to be remembered" in done.stderr
    assert not Path(environment["HARDWON_HOME"]).exists()


def test_a_memory_whose_file_was_deleted_says_how_to_bring_it_back(program, answer, filled: Path) -> None:
    """By a command that can be given anywhere."""
    path = Path(answer("show", "L-3")["path"])
    path.unlink()
    shown = answer("show", "L-3")
    assert shown["restore"] in program("show", "L-3").stdout
    assert f"{path.name} was deleted by hand, noticed on" in program("show", "L-3").stdout
    subprocess.run(shlex.split(shown["restore"]), check=True, capture_output=True)
    assert path.exists()
    assert answer("show", "L-3")["status"] == "active"


def test_import_takes_the_good_and_names_the_bad(program, answer, lessons: Path) -> None:
    """Exit code 1 at the end, each bad line with its number."""
    with lessons.open("a", encoding="utf-8") as file:
        file.write('{"content": \n{"content": "good"}\n')
    done = program("import", lessons)
    assert done.returncode == 1
    assert f"{lessons}:4" in done.stdout
    assert answer("status")["kinds"] == {"lesson": 4}
    assert program("import", lessons.parent / "gone.jsonl").returncode == 1


def test_import_counts_what_it_skipped_by_reason_and_names_each_when_asked(program, answer, tmp_path: Path) -> None:
    """A file of forty instructions is one line for a reader; programs get each with its line in any case."""
    notes = tmp_path / "AGENTS.md"
    instructions = "".join(f"- Run `make check-{number}` before you push a commit.\n" for number in range(40))
    notes.write_text(f"# Guide\n\n## Rules\n\n{instructions}- [The manual](manual.md)\n", encoding="utf-8")
    text = program("import", notes, "--dry-run").stdout
    assert "41 skipped" in text
    assert "- 40: A plain instruction" in text
    assert "- 1: A pointer to other documents" in text
    assert "AGENTS.md:5" not in text
    named = program("import", notes, "--dry-run", "--explain").stdout
    assert "AGENTS.md:5: A plain instruction" in named
    assert len(answer("import", notes, "--dry-run")["files"][0]["skipped"]) == 41


def test_a_lesson_file_belongs_to_the_project_that_it_lies_in(answer, tmp_path: Path) -> None:
    """Unless a record or the command names another."""
    project = tmp_path / "work" / "thing"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "config").write_text('[remote "origin"]\nurl = git@host:acme/thing.git\n', encoding="utf-8")
    (project / "a.jsonl").write_text('{"content": "x"}\n{"content": "y", "project": "other"}\n', encoding="utf-8")
    report = answer("import", project / "a.jsonl")
    scopes = {answer("show", each["id"])["scope"] for each in report["files"][0]["taken"]}
    assert scopes == {"project:host/acme/thing", "project:other"}
    (project / "b.jsonl").write_text('{"content": "z"}\n', encoding="utf-8")
    taken = answer("import", project / "b.jsonl", "--project", "mine")["files"][0]["taken"]
    assert answer("show", taken[0]["id"])["scope"] == "project:mine"


def test_an_export_comes_back_whole(program, answer, filled: Path, tmp_path: Path) -> None:
    """Into an empty home, byte for byte; on the same home it changes nothing."""
    answer("projects", "alias", "acme-shop", "shop")
    answer("forget", "L-2", "--yes")
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    assert answer("export", first)["records"] == len(first.read_text(encoding="utf-8").splitlines())
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    answer("import", first, "--home", tmp_path / "other")
    answer("export", second, "--home", tmp_path / "other")
    assert second.read_bytes() == first.read_bytes()
    assert answer("import", first)["taken"] == 0
    assert program("export").stdout.encode("utf-8") == first.read_bytes()
    assert answer("export")[0]["format"] == "hardwon-archive"


def test_an_export_that_fails_leaves_what_was_there(program, filled: Path, tmp_path: Path) -> None:
    """No half archive takes the place of a whole one."""
    target = tmp_path / "folder"
    target.mkdir()
    done = program("export", target / "missing" / "a.jsonl")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"There is no folder {target / 'missing'}" in done.stderr
    assert list(target.iterdir()) == []


def test_two_names_of_one_project_are_one(program, answer, filled: Path) -> None:
    """By alias or by merging, and apart again."""
    answer("projects", "merge", "blog", "shop")
    listed = {each["project"]: each for each in answer("projects", "list")}
    assert (listed["shop"]["memories"], listed["shop"]["names"]) == (2, ["blog"])
    assert "blog" not in listed
    assert answer("projects", "show", "blog")["project"] == "shop"
    answer("projects", "alias", "blog", "--remove")
    assert answer("status")["projects"] == 3
    assert program("projects", "merge", "nobody", "shop").returncode == 1
    assert program("projects", "alias", "shop", "shop").returncode == 1


def test_a_project_that_gets_a_remote_keeps_its_memories(answer, tmp_path: Path) -> None:
    """What was remembered under the folder's name is found under the remote's."""
    project = tmp_path / "user" / "thing"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "config").write_text("[core]\nbare = false\n", encoding="utf-8")
    answer("remember", "before the remote came", cwd=project)
    (project / ".git" / "config").write_text('[remote "origin"]\nurl = https://h/thing\n', encoding="utf-8")
    assert len(answer("recall", "before the remote came", cwd=project)["hits"]) == 1
    assert answer("projects", "show", cwd=project)["memories"] == 1
    answer("remember", "after the remote came", cwd=project)
    shown = answer("projects", "show", cwd=project)
    assert (shown["project"], shown["memories"], shown["names"]) == ("h/thing", 2, [str(project)])


@pytest.mark.skipif(os.name == "nt", reason="git is run through a shell here")
def test_every_command_leaves_the_history_clean(program, answer, filled: Path, environment: dict[str, str]) -> None:
    """What was done is committed with a reason."""
    answer("edit", "L-1", "--content", "Other words.")
    memory = Path(environment["HARDWON_HOME"]) / "memory"
    git = ["git", "-c", f"safe.directory={memory}", "-C", str(memory)]
    status = subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, encoding="utf-8")
    log = subprocess.run([*git, "log", "--format=%s"], check=True, capture_output=True, encoding="utf-8")
    assert status.stdout == ""
    assert any(line.startswith("Edit ") for line in log.stdout.splitlines())
