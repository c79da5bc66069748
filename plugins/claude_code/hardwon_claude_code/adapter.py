"""ClaudeCode: what hardwon knows of Claude Code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon_claude_code.transcript import HARNESS

if TYPE_CHECKING:
    from hardwon.kernel.records import Problem
    from hardwon.kernel.session import Turn


class ClaudeCode:
    """Speaks with Claude Code."""

    name = HARNESS

    def transcripts(self, since: datetime | None = None) -> Iterator[Path]:
        """Walk the transcripts, oldest first; those of sub-agents lie deeper and are left out."""
        folder = Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "projects"
        paths = [path for path in folder.glob("*/*.jsonl") if not path.name.startswith("agent-")]
        for path in sorted(paths, key=lambda each: each.stat().st_mtime):
            if since is None or datetime.fromtimestamp(path.stat().st_mtime, UTC) >= since:
                yield path

    def read(self, path: Path) -> Iterator[Turn | Problem]:
        """Walk the turns of a transcript."""
        from hardwon_claude_code.transcript import read_transcript

        return read_transcript(path)
