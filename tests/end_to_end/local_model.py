"""hardwon with a real small language model of this machine: it is asked through the product, and its answers are read.

Whether they are any good is not judged: the model has 135 million parameters. What is promised is that each task's
prompt is understood by a real server, that its answer is read under the schema or refused with a reason, that the
beginning of a prompt is found in the server's cache, and that all of it is counted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from support.local_model import LocalModel, require_model
from support.network import isolate
from support.programs import NotInstalled
from support.report import Report

BUDGET = float(os.environ.get("LOCAL_MODEL_SECONDS") or 0)
"""Seconds after which no further task is begun; a machine of two cores takes eight minutes for all of them."""
CACHED_FROM = 2_048
LESSONS = (
    "The nightly import hung for six hours, because the client that it uses has no read timeout.",
    "A health check blocked the deploy for an hour: it waited for a half-closed connection without a time limit.",
    "The crawler stopped at one slow host, since no request had a deadline.",
)
SAID = "Never open a client without a timeout again, that is what made the import hang."


def main() -> int:
    """Run the tasks; return the exit code."""
    report = Report("a real language model of this machine")
    if not BUDGET:
        return report.skip("it takes some eight minutes; give it its seconds: LOCAL_MODEL_SECONDS=480")
    try:
        folder = require_model()
    except NotInstalled as reason:
        return report.skip(str(reason))
    isolate(report)
    with tempfile.TemporaryDirectory() as place, LocalModel(folder) as model:
        tasks = _Tasks(report, Path(place), model.address)
        tasks.run()
    return report.end() if tasks.answered else report.skip("the machine is too busy for a model")


class _Tasks:
    """One home, and the tasks that are asked from it."""

    def __init__(self, report: Report, place: Path, address: str) -> None:
        self._report = report
        self._home = place / "home"
        self._environment = {
            **os.environ,
            "HOME": str(place),
            "HARDWON_HOME": str(self._home),
            "HARDWON_NO_BACKGROUND": "1",
            "HARDWON_LOAD_PLUGINS": "",
        }
        self.answered = 0
        """Calls that came back in time."""
        self._started = time.monotonic()
        self._hardwon("init")
        asked = f'model = "openai/smollm2"\napi_base = "{address}/v1"\ntimeout = {BUDGET}\ncalls_per_run = 1\n'
        parts = f'embedder = "none"\nextractor = "model"\n[language_model]\n{asked}'
        (self._home / "config.toml").write_text(parts, encoding="utf-8")

    def run(self) -> None:
        """Ask each task while there is time, and the first one twice."""
        for number, lesson in enumerate(LESSONS[:2]):
            self._task("lesson", lambda lesson=lesson: self._word(lesson), again=bool(number))
        self._task("rule", self._draft_rule)
        self._task("extraction", self._extract)
        standing = json.loads(self._hardwon("status", "--json"))["language_model"]
        self._report.check("status counts every call", standing["calls"] == len(self._lines()), standing)

    def _task(self, task: str, ask: Callable[[], None], *, again: bool = False) -> None:
        if time.monotonic() - self._started > BUDGET:
            self._report.info(f"{task}: left out, the model is too slow here today")
            return
        before = len(self._lines())
        ask()
        lines = self._lines()[before:]
        told = (
            {name: lines[0][name] for name in ("outcome", "tokens_in", "tokens_out", "seconds")} if lines else "no call"
        )
        if lines and lines[0]["outcome"] == "timeout":
            self._report.info(f"{task}: no answer in time, the machine is too busy for a model", told)
            return
        is_told = bool(lines) and _is_told(lines[0])
        holds = len(lines) == 1 and lines[0]["task"].startswith(task) and is_told
        self.answered += 1
        self._report.check(f"{task}: the answer is valid under its schema, or refused with a reason", holds, told)
        if holds:
            self._report.check(f"{task}: the beginning is long enough", lines[0]["tokens_in"] > CACHED_FROM)
            self._report.check(f"{task}: it costs nothing", lines[0]["dollars"] == 0.0)
        if holds and again:
            self._report.check(f"{task}: its beginning was cached", lines[0]["tokens_cached"] > CACHED_FROM, lines[0])

    def _word(self, lesson: str) -> None:
        """Have a lesson worded by a run, as at night."""
        self._hardwon("remember", lesson, "--project", "importer")
        self._hardwon("consolidate")

    def _extract(self) -> None:
        from hardwon.generalizer.extraction.by_model import ModelExtractor
        from hardwon.kernel.home import Home
        from hardwon.kernel.session import Message, Speaker, Turn

        messages = (
            Message("1", Speaker.USER, "Why does the import hang?"),
            Message("2", Speaker.AGENT, "The client had no read timeout; I set one."),
            Message("3", Speaker.USER, SAID),
        )
        with Home(self._home) as home:
            found = ModelExtractor(home).extract([Turn("claude-code", "s", "t", messages)], ended=True)
        told = [each.evidence for each in found]
        self._report.check(
            "extraction: whatever was found stands in the session", all(_stands(each) for each in told), told
        )

    def _draft_rule(self) -> None:
        from hardwon.generalizer.model_tasks import draft_rule
        from hardwon.kernel.home import Home
        from hardwon.kernel.memory import Kind
        from hardwon.kernel.query import Filter

        self._hardwon("remember", LESSONS[2], "--project", "crawler")
        with Home(self._home) as home:
            rule = draft_rule(home, list(home.storage.memories.scan(Filter(kinds=(Kind.LESSON,)))), "en")
        self._report.info("rule: what the model made of three lessons, after the checks", rule)

    def _hardwon(self, *arguments: str) -> str:
        command = [sys.executable, "-m", "hardwon.cli", *arguments]
        done = subprocess.run(
            command, cwd=self._home.parent, env=self._environment, capture_output=True, encoding="utf-8", check=False
        )
        if done.returncode:
            self._report.check(f"hardwon {arguments[0]} is done", False, done.stderr)
        return done.stdout

    def _lines(self) -> list[Mapping[str, Any]]:
        """Return what the activity tells of the model, a line a call."""
        files = sorted((self._home / "activity").glob("*.jsonl"))
        every = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
        calls = [each["details"] for each in every if each["kind"] == "model"]
        return [each for each in calls if each["outcome"] != "not asked"]


def _is_told(line: Mapping[str, Any]) -> bool:
    """Tell whether an answer was taken, or why not: so small a model now and then writes without end."""
    return line["outcome"] == "answered" or (line["outcome"] == "unusable" and bool(line["reason"]))


def _stands(evidence: str) -> bool:
    return evidence in f"{SAID}\nWhy does the import hang?\nThe client had no read timeout; I set one."


if __name__ == "__main__":
    sys.exit(main())
