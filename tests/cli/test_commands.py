"""The commands of the box on a real memory: what a person types, and what came of it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.cli.catalogue import ACTIONS

LESSONS: list[dict[str, Any]] = [
    {
        "id": "L-1",
        "project": "shop",
        "content": "The settings file was half written when the power failed.",
        "lesson": {"principle": "Write to a temporary file and rename it."},
        "valid_at": "2025-03-01",
    },
    {"id": "L-2", "project": "blog", "content": "设置文件写到一半断电，文件损坏。", "tags": ["文件"]},
    {
        "id": "L-3",
        "project": "maps",
        "content": "A kernel panic left an empty cache file.",
        "topics": ["storage.files"],
    },
]


@pytest.fixture
def lessons(tmp_path: Path) -> Path:
    """Return a file of three lessons of three projects."""
    path = tmp_path / "lessons.jsonl"
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in LESSONS), encoding="utf-8")
    return path


@pytest.fixture
def filled(answer: Callable[..., Any], lessons: Path) -> Path:
    """Take the lessons into the memory."""
    assert answer("import", lessons)["taken"] == 3
    return lessons


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_every_command_shows_its_help_with_an_example(program, name: str) -> None:
    """And the example begins with the command itself."""
    text = " ".join(program(*name.split(), "--help").stdout.split())
    assert f"Example: hardwon {name}" in text
    assert "--json" in text
    assert "--home" in text


def test_init_makes_a_home_for_its_owner_alone(program, answer, environment: dict[str, str]) -> None:
    """Once; the second time it says that it is there."""
    first = answer("init")
    home = Path(environment["HARDWON_HOME"])
    assert first == {"home": str(home), "named_by": "$HARDWON_HOME", "created": True, "project": first["project"]}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert answer("init")["created"] is False
    assert "named by folder" in program("init").stdout


def test_status_counts_and_names_everything(answer, filled: Path, environment: dict[str, str]) -> None:
    """The home and what named it, store, embedder, counts, queue, problems."""
    found = answer("status")
    assert (found["home"], found["named_by"]) == (environment["HARDWON_HOME"], "$HARDWON_HOME")
    assert (found["store"], found["kinds"], found["projects"], found["queue"]) == ("files", {"lesson": 3}, 3, 0)
    assert found["problems"] == []
    assert found["embedding"]["total"] == 4


def test_the_doctor_is_green_or_says_what_is_wrong(program, answer, filled: Path, environment) -> None:
    """With exit code 1, the place, and what to do."""
    assert answer("doctor")["healthy"] is True
    home = Path(environment["HARDWON_HOME"])
    home.chmod(0o755)
    (broken,) = (home / "memory" / "digest" / "maps").rglob("a-kernel-panic*.md")
    broken.write_text("---\nkind: [lesson\n---\n\ntext\n", encoding="utf-8")
    done = program("doctor", "--json")
    assert done.returncode == 1
    problems = [problem for check in json.loads(done.stdout)["checks"] for problem in check["problems"]]
    assert any("chmod 700" in problem["what"] for problem in problems)
    assert any(str(broken) in problem["where"] for problem in problems)
    assert broken.read_text(encoding="utf-8").startswith("---\nkind: [lesson")
    assert str(broken) in program("status").stdout


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


def test_a_memory_is_found_by_its_id_the_start_of_it_and_the_id_it_had(program, answer, filled: Path) -> None:
    """What fits several is said with their names."""
    shown = answer("show", "L-3")
    assert answer("show", shown["id"]) == shown == answer("show", shown["id"][:17])
    several = program("show", shown["id"][:4])
    assert several.returncode == 1
    assert "fits 3 memories" in several.stderr
    assert program("show", "nothing-like-it").returncode == 1


def test_a_memory_is_shown_with_where_it_comes_from(answer, filled: Path) -> None:
    """Its file, the file and line that it was read from, its times, why it stands."""
    shown = answer("show", "L-1")
    assert (shown["source"]["file"], shown["source"]["line"]) == (str(filled), 1)
    assert shown["times"]["valid_at"].startswith("2025-03-01")
    assert Path(shown["path"]).read_text(encoding="utf-8").count("half written") == 1
    assert f"{filled}:1" in shown["why"]
    assert shown["links"] == shown["decisions"] == []


def test_topics_and_what_lies_under_them(program, answer, filled: Path) -> None:
    """By the home topic, which is the folder."""
    assert [(each["topic"], each["count"]) for each in answer("topics")] == [("storage.files", 1)]
    assert [each["external_id"] for each in answer("get", "storage")["memories"]] == ["L-3"]
    assert program("get", "nowhere").returncode == 1


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


def test_import_takes_the_good_and_names_the_bad(program, answer, lessons: Path) -> None:
    """Exit code 1 at the end, each bad line with its number."""
    with lessons.open("a", encoding="utf-8") as file:
        file.write('{"content": \n{"content": "good"}\n')
    done = program("import", lessons)
    assert done.returncode == 1
    assert f"{lessons}:4" in done.stdout
    assert answer("status")["kinds"] == {"lesson": 4}
    assert program("import", lessons.parent / "gone.jsonl").returncode == 1


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
    answer("remember", "after the remote came", cwd=project)
    shown = answer("projects", "show", cwd=project)
    assert (shown["project"], shown["memories"], shown["names"]) == ("h/thing", 2, [str(project)])


def test_recall_answers_explains_and_refuses(program, answer, filled: Path) -> None:
    """In the shape that programs rely on; in a project one sees its own memories, everywhere all of them."""
    found = answer("recall", "half written settings file", "--project", "shop", "--explain")
    assert found["query"] == "half written settings file"
    (hit,) = found["hits"]
    assert hit["external_id"] == "L-1"
    assert set(hit) == {"id", "external_id", "kind", "scope", "content", "score", "parts", "via"}
    assert (hit["scope"], hit["via"], found["refused"]) == ("project:shop", "direct", None)
    assert found["explained"][0]["shown"] is True
    nothing = answer("recall", "colours of the landing page", "--project", "shop")
    assert (nothing["hits"], bool(nothing["refused"])) == ([], True)
    assert [hit["external_id"] for hit in answer("recall", "断电损坏", "--everywhere")["hits"]] == ["L-2"]
    assert answer("recall", "断电损坏", "--project", "maps")["hits"] == []
    assert "| memory | score |" in program("recall", "settings file", "--everywhere", "--explain").stdout


@pytest.mark.parametrize(
    "option", [("--kind", "thought"), ("--limit", "0"), ("--include", "everything"), ("--as-of", "yesterday")]
)
def test_a_question_that_cannot_be_asked_is_told(program, filled: Path, option: tuple[str, str]) -> None:
    """And not answered in some other way."""
    done = program("recall", "x", *option)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_recall_sees_the_memory_as_of_a_day(answer, filled: Path) -> None:
    """What was not true yet is not shown."""
    asked = ("recall", "half written settings file", "--project", "shop", "--as-of")
    assert answer(*asked, "2025-02-01")["hits"] == []
    assert len(answer(*asked, "2025-04-01")["hits"]) == 1


@pytest.mark.parametrize("text", ['"', "AND OR NOT", "*", "NEAR(", "🦀", "a\x01b", "x " * 50_000, "", "--", "';--"])
def test_any_words_are_a_question(program, filled: Path, text: str) -> None:
    """They are answered or refused, never an error."""
    done = (
        program("recall", "--json", "--", text) if len(text) < 100_000 else program("recall", text[:90_000], "--json")
    )
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)


def test_stats_rules_and_audit_begin_empty(program, answer, filled: Path) -> None:
    """And say so in words."""
    assert answer("stats")["projects"] == {"shop": 1, "blog": 1, "maps": 1}
    assert answer("rules") == answer("audit") == []
    assert "hardwon consolidate" in program("rules").stdout


def test_plugins_are_named_with_what_they_offer(answer) -> None:
    """The parts of the box come through the same door."""
    loaded = {each["name"]: each for each in answer("plugins")["loaded"]}
    assert {"cli", "stores", "review_queue", "generalizer"} <= set(loaded)
    assert "files" in loaded["stores"]["offers"]["stores"]
    assert "recall" in loaded["cli"]["offers"]["actions"]


def test_the_files_of_a_memory_are_its_owners_alone(filled: Path, environment: dict[str, str]) -> None:
    """Whatever the umask."""
    home = Path(environment["HARDWON_HOME"])
    open_to_others = [
        path for path in (home / "memory" / "digest").rglob("*") if path.is_file() and path.stat().st_mode & 0o077
    ]
    assert open_to_others == []


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
