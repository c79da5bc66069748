"""`evaluate` and `backtest` do everything for real in a home of their own, and leave the user's memory as it was."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hardwon.generalizer.evaluation.actions import backtest, evaluate
from hardwon.generalizer.evaluation.hindsight import LABELS, RECORDED, SUGGESTED, Hindsight
from hardwon.generalizer.evaluation.replay import replay, task_of
from hardwon.generalizer.ties import rejected_as_mixed
from hardwon.kernel.errors import InvalidInput, Unavailable
from hardwon.kernel.home import Home
from hardwon.kernel.memory import Lesson, MemoryEntry
from hardwon.kernel.proposal import Action, ProposalKind
from hardwon.kernel.query import Filter
from hardwon.kernel.use_cases.consolidate import consolidate
from hardwon.kernel.use_cases.review import accept, reject
from hardwon.testing.examples import complete_decision, complete_proposal, instance, memory

START = datetime(2026, 1, 5, tzinfo=UTC)
WEEK = timedelta(days=7)
TEXTS = (
    "A fixed sleep in the test was too short under load; it polls for the condition now.",
    "The test used sleep and was flaky on slow runners; it waits for the event with a deadline.",
    "Sleeping two seconds in the test hid a race; the flaky test uses a fake clock now.",
    "The flaky test slept until the entry expired; a fake clock replaced the sleep.",
    "A test with a sleep failed on a busy runner; polling with a deadline fixed it.",
    "The upload test slept for a second and was flaky at night; it polls with a deadline now.",
)


def incident(number: int, text: str) -> MemoryEntry:
    lesson = memory(text, f"project-{number}", START + number * WEEK, external_id=f"l{number}")
    times = lesson.times.model_copy(update={"valid_at": START + number * WEEK})
    fields = Lesson(situation="write a test that waits, without a flaky sleep")
    return lesson.model_copy(update={"times": times, "lesson": fields})


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with Home(tmp_path / "home") as opened:
        opened.create()
        (opened.path / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        yield opened


@pytest.fixture
def lessons() -> list[MemoryEntry]:
    """Return twelve lessons a week apart, all of one cause."""
    return [incident(number, f"{TEXTS[number % 6]} This was incident {number}.") for number in range(12)]


def keep(home: Home, lessons: list[MemoryEntry]) -> None:
    with home.storage.operation("Lessons of a test"):
        home.storage.memories.put(lessons)


def snapshot(home: Home) -> dict[str, bytes]:
    memory_folder = home.path / "memory"
    return {
        str(path.relative_to(memory_folder)): path.read_bytes()
        for path in sorted(memory_folder.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


def test_later_incidents_are_warned_of_once_a_rule_stands(home: Home, lessons: list[MemoryEntry]) -> None:
    """Three lessons make the rule; every later one finds it in force, and recall shows it for the task."""
    keep(home, lessons)
    report = backtest(home)
    verdicts = report.data["verdicts"]
    assert verdicts["incidents"] == 12
    assert verdicts["of a cause met before"] == 11
    (rule, *_) = report.data["rules"]
    assert rule["after"] >= 3
    assert verdicts["with a rule in force"] == verdicts["warned"] > 0
    assert "would have been warned of" in report.text


def test_a_replay_leaves_the_memory_as_it_was(home: Home, lessons: list[MemoryEntry]) -> None:
    keep(home, lessons)
    before = snapshot(home)
    backtest(home)
    assert snapshot(home) == before
    assert home.queue.all() == []
    assert list(home.storage.ledger.activity("shown")) == []


def test_recorded_decisions_are_repeated(home: Home, lessons: list[MemoryEntry]) -> None:
    """What the user rejected, the replay rejects: then nothing is ever in force."""
    keep(home, lessons)
    consolidate(home)
    for proposal in home.queue.pending():
        reject(home, proposal, by="a user")
    found = replay(home, list(home.storage.memories.scan(Filter())), WEEK)
    assert found.decided_by == RECORDED
    assert found.rules == []
    assert not any(each.warned for each in found.incidents)


def test_a_rule_that_stands_is_the_cause_of_its_lessons(home: Home, lessons: list[MemoryEntry]) -> None:
    keep(home, lessons)
    consolidate(home)
    (proposal, *_) = home.queue.pending()
    rule = accept(home, proposal, by="a user").rule
    found = replay(home, lessons, WEEK)
    covered = {each.id for each in proposal.instances}
    assert {each.cause for each in found.incidents if each.lesson in covered} == {rule.id}


def test_labels_decide_where_they_are_known(home: Home, lessons: list[MemoryEntry]) -> None:
    keep(home, lessons)
    found = replay(home, lessons, WEEK, {each.id: "sleep" for each in lessons})
    assert found.decided_by == LABELS
    assert {each.cause for each in found.rules} == {"sleep"}


@pytest.mark.parametrize(
    ("labels", "cause", "verdict"),
    [
        ("aaaa", "a", Action.ACCEPT),
        ("aaaab", "a", Action.ACCEPT),
        ("aaab", "a", Action.REJECT),
        ("aabb", None, Action.REJECT),
        ("bbaa", None, Action.REJECT),
        ("nn", None, Action.REJECT),
    ],
)
def test_a_reviewer_who_knows_the_causes_accepts_what_is_pure(labels: str, cause: str | None, verdict: Action) -> None:
    """What mixes them is turned down, and says so, that its parts may come back; half a cause each is no cause."""
    lessons = [incident(number, f"Lesson {number}.") for number in range(len(labels))]
    causes = {each.id: None if label == "n" else label for each, label in zip(lessons, labels, strict=True)}
    hindsight = Hindsight(causes, LABELS)
    proposal = complete_proposal(kind=ProposalKind.NEW_RULE, instances=tuple(map(instance, lessons)))
    assert hindsight.verdict(proposal) is verdict
    assert hindsight.cause_of([each.id for each in lessons]) == cause
    if verdict is Action.REJECT:
        rejection = complete_decision(
            kind=ProposalKind.NEW_RULE, action=verdict.value, why=hindsight.reason_to_reject(proposal), undoes=None
        )
        assert bool(rejected_as_mixed([rejection])) == ("n" not in labels)


def test_undated_lessons_take_no_part_and_too_few_are_refused(home: Home, lessons: list[MemoryEntry]) -> None:
    undated = [
        each.model_copy(update={"times": each.times.model_copy(update={"valid_at": None})}) for each in lessons[:4]
    ]
    keep(home, undated + lessons[4:])
    with pytest.raises(InvalidInput, match="here 8 lessons"):
        backtest(home)
    keep(home, [incident(20, "Another."), incident(21, "One more.")])
    assert backtest(home).data["undated"] == 4


def test_hindsight_without_decisions_is_what_would_be_suggested(home: Home, lessons: list[MemoryEntry]) -> None:
    assert replay(home, lessons, WEEK).decided_by == SUGGESTED


@pytest.mark.parametrize(
    ("content", "task"),
    [
        ("The build broke. Nobody knew why.", "The build broke."),
        ("构建失败了。没人知道原因。", "构建失败了。"),
        ("Who ran the migration? Nobody had locked it.", "Who ran the migration?"),
        ("谁跑了迁移？没人加锁。", "谁跑了迁移？"),
        ("No end", "No end"),
        ("Version 1.2 broke it.\nMore", "Version 1.2 broke it."),
    ],
)
def test_the_task_is_the_first_sentence_where_no_situation_is_known(content: str, task: str) -> None:
    assert task_of(memory(content, "shop", START)) == task


def labelled_set(path: Path) -> Path:
    rows: list[dict[str, object]] = [
        {"id": f"s{number}", "project": f"project-{number}", "content": text, "cause": "sleep"}
        for number, text in enumerate(TEXTS)
    ]
    rows.append({"id": "n1", "project": "shop", "content": "The logo is blue.", "cause": None})
    rows.append({"task": "write a test that waits without a flaky sleep", "cause": "sleep"})
    rows.append({"task": "choose the colour of the curtains", "cause": None})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_labelled_set_is_scored_from_import_to_recall(home: Home, tmp_path: Path) -> None:
    report = evaluate(home, str(labelled_set(tmp_path / "set.jsonl")))
    assert report.data["clusters"]["causes covered"] == 1.0
    assert report.data["rules"]["normative"] == 1.0
    assert report.data["retrieval"]["recall at 3"] == 1.0
    assert report.data["retrieval"]["false injection"] == 0.0
    assert list(home.storage.memories.scan(Filter(statuses=None))) == []


def test_a_labelled_set_is_replayed_by_its_labels(home: Home, tmp_path: Path) -> None:
    rows = [
        {"id": f"s{number}", "project": f"project-{number}", "content": f"{TEXTS[number % 6]} Case {number}."}
        | {"cause": "sleep", "valid_at": f"2026-01-{number + 1:02d}"}
        for number in range(12)
    ]
    path = tmp_path / "dated.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report = backtest(home, str(path), days=2)
    assert report.data["decided_by"] == LABELS
    assert {each["cause"] for each in report.data["rules"]} == {"sleep"}
    assert not list(home.storage.memories.scan(Filter()))


def test_two_lessons_that_contradict_each_other_do_not_disturb_it(home: Home, tmp_path: Path) -> None:
    """Consolidating asks about them, and that question is no proposed rule."""
    path = labelled_set(tmp_path / "set.jsonl")
    odd = [
        {"id": f"c{port}", "project": "shop", "content": f"The staging database runs on port {port}.", "cause": None}
        for port in (5432, 5433)
    ]
    lines = "".join(json.dumps(row) + "\n" for row in odd)
    path.write_text(path.read_text(encoding="utf-8") + lines, encoding="utf-8")
    assert evaluate(home, str(path)).data["clusters"]["causes covered"] == 1.0


def test_a_plot_that_cannot_be_made_is_refused_before_the_work(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    for module in ("evaluate.evaluate", "replay.replay_labelled"):
        monkeypatch.setattr(f"hardwon.generalizer.evaluation.{module}", lambda *_: pytest.fail("worked for nothing"))
    path = str(labelled_set(tmp_path / "set.jsonl"))
    for command in (evaluate, backtest):
        with pytest.raises(Unavailable, match="matplotlib"):
            command(home, path, plot=str(tmp_path / "plot.png"))


def test_the_plots_are_pictures(home: Home, lessons: list[MemoryEntry], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the extra `plots` is not installed")
    evaluate(home, str(labelled_set(tmp_path / "set.jsonl")), plot=str(tmp_path / "reliability.png"))
    keep(home, lessons)
    backtest(home, plot=str(tmp_path / "backtest.png"))
    for name in ("reliability.png", "backtest.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("days", [7, timedelta.max.days])
def test_a_replay_ends_where_the_calendar_does(home: Home, lessons: list[MemoryEntry], days: int) -> None:
    """Dates of the first and of the last year, and steps longer than all of time, are dates and steps as others are."""
    ends = (datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, tzinfo=UTC))
    far = [
        each.model_copy(update={"times": each.times.model_copy(update={"valid_at": ends[number % 2]})})
        for number, each in enumerate(lessons)
    ]
    keep(home, far)
    assert replay(home, far, timedelta(days=days)).lessons == 12


def test_steps_that_no_calendar_has_are_refused(home: Home) -> None:
    with pytest.raises(InvalidInput, match="--days"):
        backtest(home, days=timedelta.max.days + 1)
