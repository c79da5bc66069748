"""A stage: one harness with its fake model, a memory, and the folders that its sessions are held in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hardwon.kernel.injection import MARKER
from support.fake_models.server import Call, FakeModel
from support.fake_models.wire import Asked
from support.harness import Harness
from support.memory import Memory
from support.report import Report
from support.workplace import Finished, Workplace

MEMORY = re.compile(r"^- \[\w+\] .*(?:\n  .*)*", re.MULTILINE)
"""A memory in a block of hardwon's: its short id, what is known of it, and its content, of which further lines are
indented."""


@dataclass(frozen=True)
class Turn:
    """What came of one question: how the program ended, and what the model was asked."""

    finished: Finished
    asked: Sequence[Asked]

    @property
    def went_on(self) -> bool:
        """Tell whether the model was asked and the program ended well."""
        return self.finished.code == 0 and bool(self.asked)

    def holding(self, *words: str) -> list[str]:
        """Return the texts in what the model was asked that hold all these words."""
        texts = (text for asked in self.asked for text in asked.strings())
        return [text for text in texts if all(word in text for word in words)]

    def came_back(self) -> list[str]:
        """Return what tools answered in this turn: the texts of its last request that its first did not hold."""
        first = set(self.asked[0].strings()) if self.asked else set()
        return [text for text in self.asked[-1].strings() if text not in first] if self.asked else []

    def shown(self) -> list[str]:
        """Return the memories that hardwon showed to the model, each as it was shown."""
        return [shown for text in self.holding(MARKER) for shown in MEMORY.findall(text)]


@dataclass(frozen=True)
class Stage:
    """One harness, ready to be asked."""

    harness: Harness
    place: Workplace
    memory: Memory
    model: FakeModel
    report: Report

    def turn(self, folder: Path, prompt: str, calls: Sequence[Call] = (), *, resume: bool = False) -> Turn:
        """Ask one question in a session of this folder, a new one or the last one again."""
        self.model.script(calls)
        finished = self.harness.ask(self.place, folder, prompt, resume=resume)
        return Turn(finished, self.model.turns)


@contextmanager
def open_stage(harness: Harness, place: Workplace, memory: Memory, report: Report) -> Iterator[Stage]:
    """Configure the harness as its user has it, with a model that answers for as long as the block lasts."""
    with FakeModel(harness.wire, place.root / f"requests-{harness.name}.jsonl") as model:
        place.environment.update(harness.environment(model.address))
        for name, text in harness.settings(model.address).items():
            path = place.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        yield Stage(harness, place, memory, model, report)
