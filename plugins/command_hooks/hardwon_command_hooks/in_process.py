"""InProcessAdapter: a HarnessAdapter for a harness that runs plugins in its own process (OpenCode, DSH).

Our plugin there starts the hook program as command hooks do, with hardwon's own form of an event; its files are copied
into the harness's folder, and beside them `data.json` says which home they are for.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardwon_command_hooks.wired_adapter import ANSWERED, LIMIT, WiredAdapter

if TYPE_CHECKING:
    from hardwon.kernel.harness import Job
    from hardwon_command_hooks.plugin_data import PluginData
    from hardwon_command_hooks.wired_files import WiredFile

MOMENTS = ("session-start", "prompt", "turn-end", "session-end")
FIELDS = ("event", "session", "folder", "prompt", "turn", "source", "messages", "subagent")


class InProcessAdapter(WiredAdapter):
    """Speaks with one harness through our plugin in its process."""

    title: str

    @abstractmethod
    def data(self) -> PluginData:
        """Return the file beside our plugin that says which home it is for."""

    @abstractmethod
    def further_files(self) -> Sequence[WiredFile]:
        """Return the other files that wire it, those of the plugin before those that name it."""

    def files(self) -> list[WiredFile]:
        """Return the data of the plugin, and the other files."""
        return [self.data(), *self.further_files()]

    def hook_table(self) -> Mapping[str, Any]:
        """Return what the hook program needs to know: our own form, event by event and field by field."""
        return {
            "title": self.title,
            "events": {moment: moment for moment in MOMENTS},
            "fields": {field: field for field in FIELDS},
            "answers": {moment: {"text": "$text"} for moment in ANSWERED},
            "limit": LIMIT,
            "capture": True,
            "recall": True,
            "subagents": False,
        }

    def schedule(self, jobs: Sequence[Job]) -> list[str]:
        """Let our plugin start these jobs and no others."""
        return self.data().schedule(jobs)
