"""PluginData: `data.json` beside our plugin in a harness: which home it is for, and the command lines that it starts.

It is ours as a whole: whatever stands there is replaced, but for the jobs, which `schedule` puts in.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.harness import FileChange
from hardwon_command_hooks.files import content_of, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardwon.kernel.harness import Job
    from hardwon_command_hooks.wiring_record import Kept

FORMAT_VERSION = 1
LIMIT = 3.5
"""Seconds after which our plugin gives the hook program up. It ends itself after one; the first time after `setup`,
when it may have to be compiled, after three."""
MOMENTS = frozenset({"session-start", "turn-end", "session-end"})
"""At which our plugins start jobs."""


@dataclass(frozen=True)
class PluginData:
    """The file of one harness."""

    path: Path
    harness: str
    commands: Mapping[str, Callable[[Path], list[str] | None]] = field(default_factory=dict)
    """Command lines that this harness's plugin starts besides the hook program, by name."""

    def wired(self, content: bytes | None, home: Path, kept: Kept | None) -> bytes:
        """Return the data for a home; the jobs that are there stay."""
        from hardwon.kernel.use_cases.hook_program import hook_command

        data = {
            "format": FORMAT_VERSION,
            "home": str(home),
            "command": shlex.split(hook_command(home, self.harness)),
            "limit": LIMIT,
            **{name: command(home) for name, command in self.commands.items()},
            "jobs": _read(content).get("jobs", []),
        }
        return _written(data)

    def unwired(self, content: bytes, kept: Kept | None) -> None:
        """Return nothing: the file is ours."""
        return

    def home(self, content: bytes | None) -> Path | None:
        """Return the home that the data are for."""
        home = _read(content).get("home")
        return Path(home) if isinstance(home, str) else None

    def schedule(self, jobs: Sequence[Job]) -> list[str]:
        """Put these jobs in, and no others; return what was changed. Raises Unavailable where that cannot be done."""
        for job in jobs:
            if job.moment not in MOMENTS:
                raise Unavailable(f"No job can be started at {job.moment} there; run `hardwon {job.name}` yourself.")
        before = content_of(self.path)
        data = _read(before)
        wanted = json.loads(json.dumps([asdict(job) for job in jobs]))
        if data.get("jobs", []) == wanted:
            return []
        if before is None:
            raise Unavailable(f"hardwon is not set up there; run `hardwon setup {self.harness}` first.")
        replace_file(FileChange(self.path, before, _written(data | {"jobs": wanted})))
        return [f"Changed the jobs in {self.path}."]


def _read(content: bytes | None) -> dict[str, Any]:
    """Return the data that a file holds; none where it is not ours any more."""
    try:
        data = json.loads(content or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _written(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=2) + "\n").encode("utf-8")
