"""The life of a rule, told by commands: six lessons, a rule, and everything that happens to it; then all of it undone.

The real store, queue and generalizer; no embedder, and one cause of the user's own, so that nothing hangs on what the
shipped catalogue says this month. The commands run in this process: there are some hundred of them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hardwon.cli.application import build_application
from hardwon.kernel.registry import registry

CAUSE = """[[concept]]
topic = "harbour.tides"
title = {{ en = "Gates opened against the tide", zh = "逆潮开闸" }}
principle = {{ en = "{en}", zh = "{zh}" }}
cues = {{ en = ["tide table*"], zh = ["潮汐表"] }}
"""


@dataclass(frozen=True)
class Story:
    """What is told in one language."""

    first: str
    better: str
    lessons: tuple[str, ...]
    later: tuple[str, ...]
    denial: str
    exception: str
    again: str
    task: str


ENGLISH = Story(
    first="Read the tide table of the day before any lock gate is opened for a vessel.",
    better="Read the tide table of the day aloud and have it confirmed before any lock gate is opened for a vessel.",
    lessons=(
        "Nobody had read the tide table; the gate opened against the flood and a barge was lost.",
        "The tide table on the wall was of last year, and the gate flooded the dry dock.",
        "The relief crew trusted its watch instead of the tide table; the gate jammed.",
        "An app showed another harbour, the tide table was not read, and the pontoon broke.",
        "The tide table lay in the office while the gate was opened on a guess.",
        "A page of the tide table was missing and the ferry grounded behind the gate.",
    ),
    later=(
        "The trainee opened the gate without the tide table and the mooring tore.",
        "Twice in spring the tide table stayed unread and the gate had to be closed again.",
    ),
    denial="Never read the tide table when the lock gate opens here: the inner basin has no tide.",
    exception="On the canal side the tide table is of no use; the level is kept by pumps.",
    again="It happened again: the gate was opened without the tide table and the barge struck the sill.",
    task="Open the lock gate for the vessel that waits; do I need the tide table?",
)
CHINESE = Story(
    first="为船只打开船闸之前必须先核对当天的潮汐表。",
    better="为船只打开船闸之前必须两人共同核对并复述当天的潮汐表。",
    lessons=(
        "没有人看潮汐表，闸门逆着涨潮打开，驳船沉了。",
        "墙上的潮汐表是去年的，开闸后干船坞被淹。",
        "接班的人只看手表不看潮汐表，闸门卡住了。",
        "应用显示的是别的港口，没有核对潮汐表，浮桥断了。",
        "潮汐表放在办公室里，闸门凭感觉打开。",
        "潮汐表缺了一页，渡轮在闸后搁浅。",
    ),
    later=(
        "实习生没有看潮汐表就开闸，缆绳断了。",
        "春天两次忘记核对潮汐表，只好用手关闸。",
    ),
    denial="这里不要核对当天的潮汐表：内港没有潮汐。",
    exception="运河一侧潮汐表没有用处，水位由水泵保持。",
    again="又发生了：没有看潮汐表就开闸，驳船撞上了门槛。",
    task="要为等候的船只打开船闸，需要看潮汐表吗？",
)


class Harbour:
    """A memory, by its commands."""

    def __init__(self, folder: Path, home: Path, story: Story) -> None:
        self._folder, self._home, self.story = folder, home, story
        self._number = 0
        self.answer("init")
        (home / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        self.word_the_cause(story.first)

    def told(self, *arguments: str | Path) -> str:
        """Run a command; return what it printed."""
        words = list(map(str, arguments))
        application, _ = build_application(registry(), words)
        done = CliRunner().invoke(application, words)
        assert done.exit_code == 0, f"{words}: {done.output}"
        return done.stdout

    def answer(self, *arguments: str | Path) -> Any:
        """Run a command; return its answer for programs."""
        return json.loads(self.told(*arguments, "--json"))

    def word_the_cause(self, words: str) -> None:
        """Let the user's own catalogue say this of the cause, in the story's language."""
        folder = self._home / "catalogue"
        folder.mkdir(exist_ok=True)
        other = ENGLISH.first if self.story is CHINESE else CHINESE.first
        spoken = {"en": other, "zh": words} if self.story is CHINESE else {"en": words, "zh": other}
        (folder / "own.toml").write_text(CAUSE.format(**spoken), encoding="utf-8")

    def learn(self, *lessons: tuple[str, str], on: datetime | None = None) -> list[str]:
        """Import lessons (project and text); return their ids."""
        lines = []
        for project, content in lessons:
            self._number += 1
            record = {"id": f"L-{self._number}", "project": project, "content": content}
            lines.append(json.dumps(record | ({"valid_at": on.isoformat()} if on else {}), ensure_ascii=False))
        path = self._folder / f"lessons-{self._number}.jsonl"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return [each["id"] for each in self.answer("import", path)["files"][0]["taken"]]

    def proposal(self, kind: str) -> dict[str, Any]:
        """Consolidate, and return the only proposal that waits, which is of this kind."""
        self.answer("consolidate")
        (found,) = self.answer("review", "list")
        assert found["kind"] == kind
        return dict(found)

    def state(self) -> dict[str, Any]:
        """Return everything that stands of rules: words, places, links both ways, how each does, and what waits."""
        rules = {}
        for rule in self.answer("rules"):
            links = sorted((each["relation"], each["id"]) for each in self.answer("links", rule["id"]))
            rules[rule["id"]] = (
                rule["content"],
                rule["scope"],
                rule["applies_when"],
                links,
                rule["health"]["condition"],
            )
        return {"rules": rules, "waiting": sorted(each["id"] for each in self.answer("review", "list"))}

    def log(self) -> str:
        """Return the log as a person reads it."""
        return " ".join(self.told("log", "--limit", "100").split())

    def shown(self, id: str) -> str:
        """Return a memory as a person is shown it."""
        return " ".join(self.told("show", id).split())


@pytest.fixture(params=[ENGLISH, CHINESE], ids=["english", "chinese"])
def harbour(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Harbour:
    monkeypatch.setenv("HARDWON_HOME", str(tmp_path / "memory-home"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    return Harbour(tmp_path, tmp_path / "memory-home", request.param)


def test_the_life_of_a_rule(harbour: Harbour) -> None:
    """Each step is in `log`, `links` and `show`; each is undone, and everything stands as before it."""
    answer, story = harbour.answer, harbour.story
    states = []

    # Six lessons and a rule.
    projects = ("north", "south", "east", "west", "mole", "quay")
    six = harbour.learn(*zip(projects, story.lessons, strict=True))
    born = harbour.proposal("new-rule")
    states.append(harbour.state())
    rule = answer("review", "accept", born["id"])["rule_id"]
    assert {each["id"] for each in answer("links", rule) if each["relation"] == "generalizes"} == set(six)
    assert f"accepted rule {rule}" in harbour.log()

    # A corroboration: two later lessons join it, unasked.
    later = harbour.learn(("pier", story.later[0]), ("dock", story.later[1]))
    states.append(harbour.state())
    answer("consolidate")
    assert {each["id"] for each in answer("links", rule)} == {*six, *later}
    assert f"2 lessons joined rule {rule}" in harbour.log()
    assert all(each in harbour.shown(rule) for each in later)
    assert ("applies_to", rule) in {(each["relation"], each["id"]) for each in answer("links", later[0])}

    # A contradiction: counted and shown, unasked; the rule stands.
    (denial,) = harbour.learn(("basin", story.denial))
    states.append(harbour.state())
    answer("consolidate")
    assert ("contradicts", rule) in {(each["relation"], each["id"]) for each in answer("links", denial)}
    assert f"1 lesson speaks against rule {rule}" in harbour.log()
    assert next(each for each in answer("rules") if each["id"] == rule)["health"]["condition"] == "doubted"

    # An exception that the user names, where the machine had it among the lessons.
    (exception,) = harbour.learn(("canal", story.exception))
    answer("consolidate")
    answer("unlink", rule, exception)
    states.append(harbour.state())
    answer("link", rule, exception, "--against", "--why", "pumps")
    told = answer("show", rule)
    assert {each["id"] for each in told["against"]} == {denial, exception}
    assert f"linked lesson {exception} against rule {rule}" in harbour.log()

    # A supersession: the user's own catalogue says it better by now.
    harbour.word_the_cause(story.better)
    refined = harbour.proposal("refine")
    assert refined["targets"][0]["id"] == rule
    states.append(harbour.state())
    version = answer("review", "accept", refined["id"])["rule_id"]
    assert [each["id"] for each in answer("show", version)["versions"]] == [rule, version]
    assert ("superseded_by", version) in {(each["relation"], each["id"]) for each in answer("links", rule)}
    assert [each["id"] for each in answer("rules")] == [version]
    assert f"refined rule {rule}" in harbour.log()
    assert story.better in harbour.shown(version)

    # A failed prevention: it was shown where it happened again.
    hits = answer("recall", story.task, "--project", "north")["hits"]
    assert version in {each["id"] for each in hits}
    (again,) = harbour.learn(("north", story.again), on=datetime.now(UTC) + timedelta(days=1))
    states.append(harbour.state())
    retirement = harbour.proposal("retire")
    health = answer("show", version)["health"]
    assert (health["condition"], health["not_prevented"], health["shown_in"]) == ("failing", [again], ["north"])
    assert "failing" in harbour.shown(version)

    # A retirement, with the evidence.
    assert {each["id"] for each in retirement["against"]} == {denial, exception}
    states.append(harbour.state())
    answer("review", "accept", retirement["id"], "--why", "does more harm than good")
    assert answer("rules") == []
    assert answer("show", version)["status"] == "archived"
    assert f"retired rule {version}" in harbour.log()
    assert next(each for each in answer("rules", "--all") if each["id"] == version)["health"]["condition"] == "retired"

    # And all of it undone, the last first.
    def undone(*command: str) -> None:
        answer(*command)
        assert harbour.state() == states.pop(), command

    undone("review", "undo", retirement["id"])
    answer("unlink", version, again)
    undone("consolidate")
    undone("review", "undo", refined["id"])
    harbour.word_the_cause(story.first)
    answer("unlink", rule, exception)
    undone("consolidate")
    undone("unlink", rule, denial)
    answer("unlink", rule, later[0])
    undone("unlink", rule, later[1])
    undone("review", "undo", born["id"])
    assert states == []
    assert answer("rules") == []
    assert answer("doctor")["healthy"] is True

    # What was taken back stays so.
    answer("review", "accept", born["id"])
    answer("consolidate")
    assert {each["id"] for each in answer("links", rule)} == set(six)
