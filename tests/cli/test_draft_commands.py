"""An agent with a shell words what waits for words as one with MCP does."""

from __future__ import annotations

PRINCIPLE = "Set a time limit on every network call, and decide what happens when it is reached."


def test_a_weak_principle_is_mended_by_a_draft(program, answer) -> None:
    """The memory is kept meanwhile, and says what is to be mended."""
    done = program("remember", "The worker hung.", "--principle", "worker.py was slow", "--cause", "No time limit.")
    assert done.returncode == 0
    assert "principle holds a path or file name (worker.py)" in done.stdout.replace("\n", " ")
    [work] = answer("drafts", "next")["work"]
    assert (work["for"], work["asked"], work["present"]) == (
        "lesson",
        ["situation", "fix", "principle"],
        "worker.py was slow",
    )
    refused = program("drafts", "save", work["id"], "--principle", "The worker.py was slow.", "--by", "codex")
    assert refused.returncode == 1
    assert "To mend: principle holds a path" in refused.stderr.replace("\n", " ")
    kept = answer("drafts", "save", work["id"], "--principle", PRINCIPLE, "--by", "codex")
    assert kept["kept"] == {"principle": PRINCIPLE}
    assert answer("drafts", "next") == {"waiting": 0, "work": []}
    shown = answer("show", work["id"])
    assert shown["lesson"]["principle"] == PRINCIPLE
    assert shown["metadata"]["worded_by"]["principle"]["by"] == "codex"
    assert "weak_principle" not in shown["metadata"]
    told = " ".join(program("show", work["id"]).stdout.split())
    assert f"Principle: {PRINCIPLE} (worded by codex)" in told
    assert "Cause: No time limit. -" in told


def test_what_holds_nowhere_else_is_set_aside(program, answer) -> None:
    id = answer("remember", "The key of the printer room hangs behind the door.")["id"]
    assert program("drafts", "save", id, "--nothing", "--cause", "x").returncode == 2
    assert answer("drafts", "save", id, "--nothing")["nothing"] is True
    assert "Nothing waits for words." in program("drafts", "next").stdout
    assert program("drafts", "next", "--limit", "0").returncode == 2


def test_an_import_says_which_fields_it_left_out(program, answer, tmp_path) -> None:
    path = tmp_path / "team.jsonl"
    path.write_text(
        '{"project": "shop", "content": "The worker hung.", "lesson": {"cause": "n/a", "principle": "It hung."}}\n'
        '{"project": "shop", "content": "服务卡住了。", "lesson": {"principle": "' + PRINCIPLE + '"}}\n',
        encoding="utf-8",
    )
    taken = answer("import", str(path))
    assert taken["taken"] == 2
    [weak] = taken["files"][0]["weak"]
    assert "cause says nothing (n/a); principle" in weak["what"]
    said = {
        each["content"]: each["lesson"] for each in (answer("show", one["id"]) for one in taken["files"][0]["taken"])
    }
    assert said["The worker hung."]["principle"] is None
    assert said["服务卡住了。"]["principle"] == PRINCIPLE
