"""Past sessions by the real program: a preview, an import, the same again, what is in the journal, taking it back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .fake_harness import Plugged, plug_in

DRIVER = Path(__file__).with_name("import_killed.py")
Answer = Callable[..., Any]


@pytest.fixture
def environment(environment: dict[str, str], tmp_path: Path, install_plugin: Callable[..., None]) -> dict[str, str]:
    """Return the environment of a user who has the fake harness, and no memory yet."""
    return plug_in(environment, tmp_path, install_plugin).environment


@pytest.fixture
def plugged(environment: dict[str, str]) -> Plugged:
    return Plugged(environment)


@pytest.fixture
def sessions(plugged: Plugged) -> Path:
    """Return the folder of transcripts of two past sessions."""
    lessons = {
        "s-1": "Pin the runner image, a floating tag broke the build.",
        "s-2": "缓存要在部署后清空，否则旧页面还在。",
    }
    for name, lesson in lessons.items():
        rows = [
            {"id": f"{name}-1", "session": name, "by": "user", "text": f"Why is it red?\nRemember: {lesson}"},
            {"id": f"{name}-2", "session": name, "by": "agent", "text": "The certificate of the mirror had expired."},
            {"id": f"{name}-3", "session": name, "by": "user", "text": "Refuse: Call this one v2."},
        ]
        path = plugged.transcripts / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        os.utime(path, (1_770_000_000, 1_770_000_000))
    return plugged.transcripts


def test_a_preview_and_an_import_say_the_same(sessions: Path, plugged: Plugged, answer: Answer) -> None:
    """The preview leaves nothing behind; the numbers say why the rest was not kept."""
    dry = answer("import", "--from", "fake", "--dry-run", "--project", "shop")
    assert not (plugged.home / "memory").exists()
    wet = answer("import", "--from", "fake", "--project", "shop")
    told = ("files", "sessions", "turns", "extracts", "kept", "refused")
    assert [dry[name] for name in told] == [wet[name] for name in told]
    assert (wet["sessions"], wet["turns"], wet["extracts"], wet["kept"]) == (2, 4, 4, 2)
    assert wet["refused"] == {"It holds for this task alone.": 2}
    assert wet["problems"] == []


def test_what_was_taken_is_recalled_and_taken_once(sessions: Path, program: Any, answer: Answer) -> None:
    """In any language; a second import has nothing to do, from whatever files."""
    answer("import", "--from", "fake", "--project", "shop")
    (hit,) = answer("recall", "the build broke with a floating runner image", "--project", "shop")["hits"]
    assert hit["content"].startswith("Pin the runner")
    assert answer("import", "--from", "fake")["unchanged"] == 2
    copy = sessions.parent / "copy.jsonl"
    copy.write_bytes((sessions / "s-2.jsonl").read_bytes())
    again = answer("import", copy, "--from", "fake", "--project", "maps")
    assert (again["files"], again["kept"], again["standing"]["known"]) == (1, 0, 2)


def test_the_journal_is_searched_when_asked(sessions: Path, program: Any, answer: Answer) -> None:
    """What was not kept is there too; recall alone shows none of it."""
    answer("import", "--from", "fake", "--project", "shop")
    question = ("recall", "expired certificate of the mirror", "--project", "shop")
    assert "journal" not in answer(*question)
    found = answer(*question, "--include", "journal")["journal"]
    assert {block["session"] for block in found} == {"s-1", "s-2"}
    text = program(*question, "--include", "journal").stdout
    assert "The certificate of the mirror had expired." in text
    assert "daily/" in text


def test_an_import_is_taken_back_by_what_the_log_calls_it(
    sessions: Path, plugged: Plugged, program: Any, answer: Answer
) -> None:
    """In one commit, with nothing uncommitted; told to, an import takes it again."""
    taken = answer("import", "--from", "fake", "--project", "shop")
    (told,) = answer("log")
    assert (told["kind"], told["id"], told["counts"]["kept"]) == ("import", taken["import"], 2)
    assert taken["import"] in program("log").stdout
    back = answer("revert", taken["import"])
    assert (len(back["memories"]), back["turns"]) == (2, 4)
    assert answer("recall", "floating runner image", "--project", "shop")["hits"] == []
    assert answer("import", "--from", "fake", "--project", "shop")["standing"]["retracted"] == 4
    assert answer("import", "--from", "fake", "--project", "shop", "--forgotten")["kept"] == 2
    git = ["git", "-C", str(plugged.home / "memory")]
    status = subprocess.run([*git, "status", "--porcelain"], check=True, capture_output=True, encoding="utf-8")
    assert status.stdout == ""
    assert answer("doctor")["healthy"]


def test_a_transcript_among_files_of_lessons_is_sent_on(sessions: Path, program: Any) -> None:
    """The sentence says which command takes it."""
    row = {"type": "user", "sessionId": "s", "uuid": "u", "message": {"role": "user", "content": "Go on."}}
    path = sessions / "other.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = program("import", path, "--project", "shop")
    assert done.returncode == 1
    assert "hardwon import --from HARNESS" in done.stdout


@pytest.mark.parametrize(
    "arguments", [("import",), ("import", "--since", "2026-01-01"), ("import", "--from", "fake", "--global")]
)
def test_a_call_that_makes_no_sense_changes_nothing(program: Any, plugged: Plugged, arguments: tuple[str, ...]) -> None:
    """It is a usage error, and no memory is made."""
    done = program(*arguments)
    assert done.returncode == 2
    assert [path.name for path in plugged.home.iterdir()] == ["config.toml"]


def test_an_import_killed_at_any_write_goes_on(plugged: Plugged) -> None:
    """Nothing is doubled, and nothing is left out."""
    lessons = [f"Lesson {number}." for number in range(60)]
    for number, lesson in enumerate(lessons):
        row = {"id": f"m-{number}", "session": f"s-{number // 3}", "by": "user", "text": f"Remember: {lesson}"}
        path = plugged.transcripts / f"s-{number // 3}.jsonl"
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        os.utime(path, (1_770_000_000 + number, 1_770_000_000 + number))
    writes = [*range(1, 60, 7), *range(60, 400, 40)]
    done = subprocess.run(
        [sys.executable, str(DRIVER), str(plugged.home), *map(str, writes)],
        env=plugged.environment,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.pop("killed") > 5, "the writes of an import were not seen"
    assert found == {"memories": sorted(lessons), "turns": 60, "blocks": 60, "problems": []}
