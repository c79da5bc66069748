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


class Life:
    """What happens to one rule, chapter by chapter; before each, how everything stood."""

    def __init__(self, harbour: Harbour) -> None:
        self.harbour, self.answer, self.story = harbour, harbour.answer, harbour.story
        self.states: list[dict[str, Any]] = []

    def links(self, id: str) -> set[tuple[str, str]]:
        """Return the links of a memory, by name and other end."""
        return {(each["relation"], each["id"]) for each in self.answer("links", id)}

    def begin(self) -> None:
        """Remember how everything stands: undoing what follows has to lead back here."""
        self.states.append(self.harbour.state())

    def six_lessons_and_a_rule(self) -> None:
        projects = ("north", "south", "east", "west", "mole", "quay")
        self.six = self.harbour.learn(*zip(projects, self.story.lessons, strict=True))
        self.born = self.harbour.proposal("new-rule")["id"]
        self.begin()
        self.rule = self.answer("review", "accept", self.born)["rule_id"]
        assert self.links(self.rule) == {("generalizes", each) for each in self.six}
        assert f"accepted rule {self.rule}" in self.harbour.log()

    def a_corroboration(self) -> None:
        """Let two later lessons join it, unasked."""
        self.later = self.harbour.learn(("pier", self.story.later[0]), ("dock", self.story.later[1]))
        self.begin()
        self.answer("consolidate")
        assert self.links(self.rule) == {("generalizes", each) for each in (*self.six, *self.later)}
        assert ("applies_to", self.rule) in self.links(self.later[0])
        assert f"2 lessons joined rule {self.rule}" in self.harbour.log()
        assert all(each in self.harbour.shown(self.rule) for each in self.later)

    def a_contradiction(self) -> None:
        """Let it be counted and shown, unasked; the rule stands."""
        (self.denial,) = self.harbour.learn(("basin", self.story.denial))
        self.begin()
        self.answer("consolidate")
        assert ("contradicts", self.rule) in self.links(self.denial)
        assert f"1 lesson speaks against rule {self.rule}" in self.harbour.log()
        assert [each["health"]["condition"] for each in self.answer("rules")] == ["doubted"]

    def an_exception(self) -> None:
        """Let the user name it, where the machine had it among the lessons."""
        (self.exception,) = self.harbour.learn(("canal", self.story.exception))
        self.answer("consolidate")
        self.answer("unlink", self.rule, self.exception)
        self.begin()
        self.answer("link", self.rule, self.exception, "--against", "--why", "pumps")
        assert {each["id"] for each in self.answer("show", self.rule)["against"]} == {self.denial, self.exception}
        assert f"linked lesson {self.exception} against rule {self.rule}" in self.harbour.log()

    def a_supersession(self) -> None:
        """Let the user's own catalogue say it better."""
        self.harbour.word_the_cause(self.story.better)
        proposal = self.harbour.proposal("refine")
        assert [each["id"] for each in proposal["targets"]] == [self.rule]
        self.refined = proposal["id"]
        self.begin()
        self.version = self.answer("review", "accept", self.refined)["rule_id"]
        assert [each["id"] for each in self.answer("show", self.version)["versions"]] == [self.rule, self.version]
        assert ("superseded_by", self.version) in self.links(self.rule)
        assert [each["id"] for each in self.answer("rules")] == [self.version]
        assert f"refined rule {self.rule}" in self.harbour.log()
        assert self.story.better in self.harbour.shown(self.version)

    def a_failed_prevention(self) -> None:
        """Let it happen again where the rule had been shown."""
        hits = self.answer("recall", self.story.task, "--project", "north")["hits"]
        assert self.version in {each["id"] for each in hits}
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        (self.again,) = self.harbour.learn(("north", self.story.again), on=tomorrow)
        self.begin()
        proposal = self.harbour.proposal("retire")
        assert {each["id"] for each in proposal["against"]} == {self.denial, self.exception}
        self.retirement = proposal["id"]
        health = self.answer("show", self.version)["health"]
        assert (health["condition"], health["not_prevented"]) == ("failing", [self.again])
        assert health["shown_in"] == ["north"]
        assert "failing" in self.harbour.shown(self.version)

    def a_retirement(self) -> None:
        self.begin()
        self.answer("review", "accept", self.retirement, "--why", "does more harm than good")
        assert self.answer("rules") == []
        assert self.answer("show", self.version)["status"] == "archived"
        assert f"retired rule {self.version}" in self.harbour.log()
        conditions = {each["id"]: each["health"]["condition"] for each in self.answer("rules", "--all")}
        assert conditions == {self.rule: "superseded", self.version: "retired"}

    def undone(self, *commands: tuple[str, ...]) -> None:
        """Undo a chapter; everything stands as before it."""
        for command in commands:
            self.answer(*command)
        assert self.harbour.state() == self.states.pop(), commands

    def all_of_it_undone(self) -> None:
        """Undo the chapters, the last first."""
        self.undone(("review", "undo", self.retirement))
        self.undone(("unlink", self.version, self.again), ("consolidate",))
        self.undone(("review", "undo", self.refined))
        self.harbour.word_the_cause(self.story.first)
        self.undone(("unlink", self.rule, self.exception), ("consolidate",))
        self.undone(("unlink", self.rule, self.denial))
        self.undone(*(("unlink", self.rule, each) for each in self.later))
        self.undone(("review", "undo", self.born))
        assert self.answer("rules") == self.states == []

    def what_was_taken_back_stays_so(self) -> None:
        self.answer("review", "accept", self.born)
        self.answer("consolidate")
        assert self.links(self.rule) == {("generalizes", each) for each in self.six}
        assert self.answer("doctor")["healthy"] is True


def test_the_life_of_a_rule(harbour: Harbour) -> None:
    """Each step is in `log`, `links` and `show`; each is undone, and everything stands as before it."""
    life = Life(harbour)
    life.six_lessons_and_a_rule()
    life.a_corroboration()
    life.a_contradiction()
    life.an_exception()
    life.a_supersession()
    life.a_failed_prevention()
    life.a_retirement()
    life.all_of_it_undone()
    life.what_was_taken_back_stays_so()
