"""The steps of the demo, each told in a few sentences with what is on disk after it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.cli.demo.exhibit import Exhibit, exhibit
from hardwon.cli.views import escaped, quoted
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import HardwonError

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Proposal
    from hardwon.kernel.use_cases.recall import Recall
    from hardwon.kernel.use_cases.recall_answer import Hit

LESSONS = Path(__file__).with_name("lessons.jsonl")
SHOWN_PROPOSALS = 6


@dataclass(frozen=True)
class Task:
    """What an agent in another project is about to do."""

    project: str
    text: str
    about: str = ""
    """A lesson whose rule should help; empty for a task that no rule is about."""


TASKS = (
    Task(
        "bakery-orders",
        "Our bakery app keeps its settings in a JSON file. Write the code that saves the file whenever the owner "
        "changes the opening hours on the tablet.",
        "demo-003",
    ),
    Task(
        "clinic-appointments",
        "给诊所的预约系统写一个导入脚本：读取护士在 Windows 电脑上导出的患者名单文本文件，解析中文姓名并写入数据库",
        "demo-006",
    ),
    Task(
        "bakery-orders",
        "Change the landing page so that the three price cards stand side by side on wide screens and the middle one "
        "gets a coloured border.",
    ),
)


@dataclass
class Story:
    """One run of the demo in a home of its own. `pause` is the time to read a step, in seconds."""

    home: Home
    pause: float
    told: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.home.create()
        self._exhibit: Exhibit = exhibit(self.home)
        self._step = 0

    def tell(self) -> dict[str, Any]:
        """Run every step; return what happened, for programs."""
        start = time.monotonic()
        self._import()
        pending = self._consolidate()
        for task in TASKS:
            if task.about:
                self._accept(self._about(pending, task.about), self._lesson(task.about))
        self.told["recalls"] = [self._recall(task) for task in TASKS]
        self._end()
        self.told["seconds"] = round(time.monotonic() - start, 1)
        return self.told

    def _say(self, title: str, *paragraphs: str) -> None:
        self._step += 1
        self.home.console.say("\n\n".join([f"\n## {self._step}. {title}", *paragraphs]))
        time.sleep(self.pause)

    def _import(self) -> None:
        from hardwon.kernel.use_cases.importing import import_files

        (report,) = import_files(self.home, [LESSONS], project_of={})
        if report.failed:
            raise HardwonError(f"{report.failed[0].where}: {report.failed[0].what}")
        projects = {entry.scope.project for entry in report.taken}
        self.told |= {"lessons": len(report.taken), "projects": len(projects)}
        self._say(
            f"{counted(len(report.taken), 'lesson')} of {counted(len(projects), 'project')}",
            "Each project learned these on its own, from a failure in public. Nobody outside of it is warned yet. "
            f"One of them, {self._exhibit.lesson}:",
            self._exhibit.memory(self._lesson(TASKS[0].about)),
            self._exhibit.changes(),
        )

    def _consolidate(self) -> list[Proposal]:
        from hardwon.kernel.use_cases.consolidate import consolidate

        found = consolidate(self.home)
        pending = self.home.queue.pending()
        self.told["proposals"] = len(pending)
        if not pending:
            raise HardwonError("The lessons gave no proposal; run `hardwon doctor` and report what it says.")
        rows = "\n".join(
            f"| {each.confidence:.2f} | {len(each.instances)}, {len(each.projects)} | {_wording(each)} |"
            for each in pending[:SHOWN_PROPOSALS]
        )
        self._say(
            f"What they have in common: {counted(len(pending), 'proposal')}",
            f"`hardwon consolidate` read {counted(found.lessons, 'lesson')} and looked for one cause behind several "
            f"projects' failures. It decides nothing: proposals wait for you, {self._exhibit.proposal}.",
            f"| confidence | lessons, projects | proposed rule |\n|---:|---|---|\n{rows}",
            self._exhibit.changes(),
        )
        return pending

    def _accept(self, proposal: Proposal, lesson: MemoryEntry) -> None:
        from hardwon.kernel.use_cases.review import accept

        accepted = accept(self.home, proposal, by="demo", why="It happened to others; it can happen to us.")
        first = "accepted" not in self.told
        self.told.setdefault("accepted", []).append(
            {
                "proposal": proposal.id,
                "rule_id": accepted.rule.id,
                "rule": accepted.rule.content,
                "lessons": list(accepted.lessons),
                "projects": list(proposal.projects),
            }
        )
        self._say(
            "You say yes" if first else "And yes to another one",
            f"`hardwon review accept {proposal.id}` makes this proposal of {', '.join(proposal.projects)} a rule:",
            quoted(accepted.rule.content),
            *(self._links(accepted.rule, lesson) if first else []),
            self._exhibit.changes(),
        )

    def _links(self, rule: MemoryEntry, lesson: MemoryEntry) -> list[str]:
        return [
            self._exhibit.rule,
            self._exhibit.memory(rule),
            self._exhibit.links,
            self._exhibit.link_back(lesson),
        ]

    def _recall(self, task: Task) -> dict[str, Any]:
        from hardwon.kernel.query import Query
        from hardwon.kernel.scope import Context
        from hardwon.kernel.use_cases.recall import recall, recall_json

        answer = recall(self.home, Query(text=task.text, context=Context(project=task.project)))
        title = f"A task in {task.project}, which never had the incident"
        if not task.about:
            title = "A task that no rule is about"
        self._say(title, quoted(task.text), *self._answer(answer))
        return {"project": task.project, **recall_json(answer)}

    def _answer(self, answer: Recall) -> list[str]:
        if answer.refused:
            return [f"Nothing is shown: {answer.refused}"]
        lines = []
        for hit in answer.hits:
            if hit.via != "instance":
                lines.append(f"- **{hit.entry.kind}**: {escaped(hit.entry.content)}")
                lines += [_instance_line(each) for each in answer.hits if each.of == hit.entry.id]
        return ["The memory answers, by itself, with:", "\n".join(lines)]

    def _end(self) -> None:
        self._say(
            "Everything is kept, and can be undone",
            f"{self._exhibit.steps} (`hardwon audit`; `hardwon review undo` takes one back):",
            self._exhibit.history(),
        )

    def _about(self, pending: list[Proposal], lesson: str) -> Proposal:
        """Return the proposal that covers a lesson: the one that you would pick."""
        covering = [each for each in pending if lesson in [instance.external_id for instance in each.instances]]
        return (covering or pending)[0]

    def _lesson(self, external_id: str) -> MemoryEntry:
        from hardwon.kernel.use_cases.lookup import find_memory

        return find_memory(self.home, external_id)


def _wording(proposal: Proposal) -> str:
    return escaped(proposal.rule) or "(no principle fits: you word it)"


def _instance_line(hit: Hit[MemoryEntry]) -> str:
    return f"  - as happened in {hit.entry.scope.project}: {escaped(hit.entry.content)}"
