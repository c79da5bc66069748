"""Jobs among a harness's hooks: commands that it runs at a moment of a session, and whose output it never sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.harness import FileChange
from hardwon_command_hooks import hook_groups
from hardwon_command_hooks.files import content_of, replace_file
from hardwon_command_hooks.hook_command import is_job, job_command
from hardwon_command_hooks.wired_files import JsonSettings

if TYPE_CHECKING:
    from hardwon.kernel.harness import Job
    from hardwon_command_hooks.adapter import HarnessTable


def schedule(table: HarnessTable, settings: JsonSettings, jobs: Sequence[Job]) -> list[str]:
    """Put these jobs among the hooks and take all others of ours out; return what was changed.

    Raises Unavailable where the harness has no such moment.
    """
    wanted = [(_event(table, job), job_command(job)) for job in jobs]
    before = content_of(settings.path)
    after = settings.edited(before, lambda text: _scheduled(table, text, wanted))
    if after == before:
        return []
    replace_file(FileChange(settings.path, before, after))
    return [f"Changed the jobs in {settings.path}."]


def _event(table: HarnessTable, job: Job) -> str:
    for event, moment in table.events.items():
        if moment == job.moment:
            return event
    raise Unavailable(f"{table.title} has no {job.moment}; run `hardwon {job.name}` yourself.")


def _scheduled(table: HarnessTable, text: str, wanted: Sequence[tuple[str, str]]) -> str:
    there = [(event, hook.get("command")) for event, hook in hook_groups.commands(text)]
    commands = {command for _, command in wanted}
    text = hook_groups.remove(text, lambda hook: is_job(hook.get("command")) and hook.get("command") not in commands)
    for event, command in wanted:
        if (event, command) not in there:
            hook = {"type": "command", "command": command, "timeout": table.timeouts[event]}
            text = hook_groups.add(text, event, hook)
    return text
