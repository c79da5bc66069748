"""The loop, end to end and offline: lessons of several projects become a rule that helps where it never happened."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

from hardwon.cli.demo.story import LESSONS as DEMO_LESSONS

TASK = "Write a function that saves the settings file to disk and survives a crash in the middle."


def test_a_rule_of_two_projects_and_more_helps_in_another(program, answer, accepted: dict[str, Any]) -> None:
    """It is recalled for a task in a project that never had the incident, with its instances, in the promised shape."""
    found = answer("recall", TASK, "--project", "new-app")
    assert found["refused"] is None
    rule, *others = found["hits"]
    assert (rule["id"], rule["kind"], rule["scope"], rule["via"]) == (accepted["rule_id"], "rule", "global", "direct")
    assert {hit["via"] for hit in others} == {"instance"}
    assert {hit["scope"] for hit in others} <= {"project:shop", "project:maps", "project:blog"}
    chinese = answer("recall", "写一个函数，在平板上修改营业时间后把配置保存到文件", "--project", "new-app")
    assert chinese["hits"][0]["id"] == accepted["rule_id"]
    assert answer("recall", "Choose the colours of the landing page.", "--project", "new-app")["hits"] == []


def test_before_the_yes_nothing_reaches_another_project(answer, proposed: dict[str, Any]) -> None:
    """A proposal is not a rule, and another project's lesson is not shown."""
    assert answer("recall", TASK, "--project", "new-app")["hits"] == []
    assert answer("rules") == []


def test_the_queue_has_the_promised_shape(proposed: dict[str, Any]) -> None:
    """With the lessons by their ids elsewhere and their projects; no project's name in the rule."""
    assert {
        "id", "kind", "rule", "rationale", "confidence", "confidence_parts", "suggested_action", "projects",
        "instances", "against",
    } <= set(proposed)  # fmt: skip
    assert {each["external_id"] for each in proposed["instances"]} == {"L-1", "L-2", "L-3"}
    assert {"id", "external_id", "project"} <= set(proposed["instances"][0])
    assert sorted(proposed["projects"]) == ["blog", "maps", "shop"]
    assert not re.search("shop|maps|blog", proposed["rule"])


def test_consolidating_again_changes_nothing(answer, memory: Path, three_lessons: Path) -> None:
    """Night after night; and a dry run not even once."""
    answer("import", three_lessons)
    answer("consolidate", "--dry-run")
    assert answer("review", "list") == []
    answer("consolidate")
    before = {path: path.read_bytes() for path in memory.rglob("*.md")}
    answer("consolidate")
    assert {path: path.read_bytes() for path in memory.rglob("*.md")} == before


def test_a_decision_is_kept_and_can_be_taken_back(program, answer, accepted: dict[str, Any]) -> None:
    """Accepting twice is refused, undoing brings the proposal back and takes the rule out of recall."""
    assert set(accepted) == {"proposal", "rule_id", "lessons", "rules"}
    assert accepted["rules"] == [accepted["rule_id"]]
    assert program("review", "accept", accepted["proposal"]).returncode == 1
    answer("review", "undo", accepted["proposal"])
    assert len(answer("review", "list")) == 1
    assert answer("recall", TASK, "--project", "new-app")["hits"] == []
    assert [each["action"] for each in answer("audit")] == ["accept", "undo"]


def test_what_is_rejected_does_not_come_back(answer, proposed: dict[str, Any]) -> None:
    """Nor is it recalled."""
    answer("review", "reject", proposed["id"], "--why", "We know.")
    answer("consolidate")
    assert answer("review", "list") == answer("rules") == []


def test_an_accepted_loop_leaves_everything_green(program, answer, memory: Path, accepted: dict[str, Any]) -> None:
    """The doctor finds nothing, git has nothing to commit, an export brings all of it elsewhere."""
    assert answer("doctor")["healthy"] is True
    status = subprocess.run(
        ["git", "-C", str(memory), "status", "--porcelain"], check=True, capture_output=True, encoding="utf-8"
    )
    assert status.stdout == ""
    archive = memory.parent.parent / "archive.jsonl"
    answer("export", archive)
    other = memory.parent.parent / "other"
    answer("import", archive, "--home", other)
    assert [each["id"] for each in answer("rules", "--home", other)] == [accepted["rule_id"]]
    assert len(answer("links", accepted["rule_id"], "--home", other)) == 3


def test_the_demo_shows_the_loop(program, environment: dict[str, str], tmp_path: Path) -> None:
    """With what is on disk at each step, in a memory of its own that is gone afterwards."""
    done = program("demo", "--fast", also={"TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    for words in ("durable_rename", "new        memory/rules/", "[[", "bakery-orders", "clinic-appointments",
                  "Nothing is shown", "review accept"):  # fmt: skip
        assert words in done.stdout, words
    assert not Path(environment["HARDWON_HOME"]).exists()
    assert list(tmp_path.glob("hardwon-demo-*")) == []


def test_the_demo_helps_where_it_says(answer, tmp_path: Path) -> None:
    """The English and the Chinese task each get a rule with instances of other projects; the unrelated one a reason."""
    told = answer("demo", "--keep", also={"TMPDIR": str(tmp_path)})
    english, chinese, unrelated = told["recalls"]
    rules = {each["rule_id"]: each for each in told["accepted"]}
    for recall in (english, chinese):
        first, *others = recall["hits"]
        assert first["id"] in rules
        assert "instance" in {hit["via"] for hit in others}
    assert english["hits"][0]["id"] != chinese["hits"][0]["id"]
    assert (unrelated["hits"], bool(unrelated["refused"])) == ([], True)
    assert told["lessons"] == len(DEMO_LESSONS.read_text(encoding="utf-8").splitlines())
    assert told["seconds"] > 0
    assert all(len(each["projects"]) >= 2 for each in rules.values())
    assert answer("doctor", "--home", told["home"])["healthy"] is True
