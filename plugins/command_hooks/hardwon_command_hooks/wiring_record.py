"""What a home remembers of the files that it wired: how each was before, so that it can be put back byte for byte.

`<home>/hook/wiring/<harness>.json` names the files; the originals lie beside it, readable as they are.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hardwon.kernel.errors import InvalidInput, NewerFormat
from hardwon.kernel.whole_file import write_whole

FORMAT_VERSION = 1


@dataclass(frozen=True)
class Kept:
    """A file that was wired."""

    before: bytes | None
    """Its content before the first wiring; None: there was no such file."""
    written: str
    """The SHA-256 of what was written last."""
    folders: tuple[Path, ...] = ()
    """The folders that were made for it, inner ones first."""

    def wrote(self, content: bytes) -> bool:
        """Tell whether a content is the one that was written: nobody edited it since."""
        return digest(content) == self.written


def digest(content: bytes) -> str:
    """Return the SHA-256 of a content."""
    return hashlib.sha256(content).hexdigest()


class WiringRecord:
    """The record of one harness in one home."""

    def __init__(self, home: Path, harness: str) -> None:
        self._folder = home / "hook" / "wiring" / harness
        self._file = self._folder.with_name(f"{harness}.json")

    def read(self) -> Mapping[Path, Kept]:
        """Return what is kept, by file; nothing of a file whose original is gone. Raises InvalidInput, NewerFormat."""
        try:
            record = json.loads(self._file.read_bytes())
            if record["format"] > FORMAT_VERSION:
                raise NewerFormat(f"{self._file} was written by a newer hardwon; upgrade hardwon, nothing was touched.")
            kept = {Path(path): self._kept(each) for path, each in record["files"].items()}
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidInput(f"{self._file} cannot be read ({error!r}); move it away.") from None
        return {path: each for path, each in kept.items() if each is not None}

    def written_at(self) -> datetime | None:
        """Return when the record was written; None where there is none."""
        try:
            return datetime.fromtimestamp(self._file.stat().st_mtime, UTC)
        except FileNotFoundError:
            return None

    def _kept(self, each: Mapping[str, Any]) -> Kept | None:
        folders = tuple(map(Path, each.get("folders", ())))
        try:
            before = (self._folder / each["before"]).read_bytes() if each["before"] else None
        except FileNotFoundError:
            return None
        return Kept(before, str(each["written"]), folders)

    def write(self, files: Mapping[Path, Kept]) -> None:
        """Keep these files and no others; none leaves no trace."""
        if not files:
            self._file.unlink(missing_ok=True)
            shutil.rmtree(self._folder, ignore_errors=True)
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        record = {}
        for place, (path, kept) in enumerate(files.items(), 1):
            name = f"{place}-{path.name}" if kept.before is not None else None
            if name and kept.before is not None:
                _write(self._folder / name, kept.before)
            record[str(path)] = {"before": name, "written": kept.written, "folders": list(map(str, kept.folders))}
        content = json.dumps({"format": FORMAT_VERSION, "files": record}, indent=1) + "\n"
        _write(self._file, content.encode("utf-8"))


def _write(path: Path, content: bytes) -> None:
    """Put a file in place whole, for its owner alone: settings may hold a secret.

    It is on the disk before the settings are written; without it nobody could put them back after a power cut.
    """
    write_whole(path, content, durable=True)
