"""Wiring: brings the files of a harness into the state in which it calls us, and back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from hardwon.kernel.errors import Conflict
from hardwon.kernel.harness import FileChange
from hardwon_command_hooks.files import content_of, replace_file
from hardwon_command_hooks.wired_files import WiredFile
from hardwon_command_hooks.wiring_record import Kept, WiringRecord, digest

ATTEMPTS = 3
"""A harness that runs writes its settings now and then; it does not do so three times in a row."""


class Wiring:
    """The files of one harness and what of them is ours."""

    def __init__(self, harness: str, files: Sequence[WiredFile]) -> None:
        self._harness = harness
        self._files = files

    def home(self) -> Path | None:
        """Return the home that the hooks are wired to."""
        return self._files[0].home(content_of(self._files[0].path))

    def since(self) -> datetime | None:
        """Return when the home was wired last, where it remembers it."""
        home = self.home()
        return WiringRecord(home, self._harness).written_at() if home else None

    def changes(self, home: Path) -> list[FileChange]:
        """Return what wires the harness to a home."""
        return self._changes(home, self._kept(home))

    def _changes(self, home: Path, kept: Mapping[Path, Kept]) -> list[FileChange]:
        changes = []
        for file in self._files:
            before = content_of(file.path)
            after = file.wired(before, home, kept.get(file.path))
            if after != before:
                changes.append(FileChange(file.path, before, after))
        return changes

    def _kept(self, home: Path) -> dict[Path, Kept]:
        """Return how the files were before hardwon came, be it for another home: what that one remembers is newer."""
        kept = dict(WiringRecord(home, self._harness).read())
        other = self.home()
        if other is not None and other != home:
            kept |= WiringRecord(other, self._harness).read()
        return kept

    def install(self, home: Path) -> list[str]:
        """Wire the harness; the originals are kept before anything is written."""
        return _insisting(lambda: self._install(home))

    def _install(self, home: Path) -> list[str]:
        kept = self._kept(home)
        changes = self._changes(home, kept)
        if not changes:
            return []
        for change in changes:
            written = digest(change.after or b"")
            if old := kept.get(change.path):
                kept[change.path] = replace(old, written=written)
            else:
                kept[change.path] = Kept(self._original(change), written, tuple(_missing_folders(change.path)))
        WiringRecord(home, self._harness).write(kept)
        return _done(changes)

    def _original(self, change: FileChange) -> bytes | None:
        """Return what a file was before hardwon came, where nobody remembers it."""
        if change.before is None:
            return None
        file = next(each for each in self._files if each.path == change.path)
        return file.unwired(change.before, None)

    def uninstall(self, home: Path) -> list[str]:
        """Take the wiring to a home back; a harness that is wired to another home is left alone."""
        other = self.home()
        if other is not None and other != home and other.is_dir():
            return []
        return _insisting(lambda: self._uninstall(home))

    def _uninstall(self, home: Path) -> list[str]:
        record = WiringRecord(home, self._harness)
        kept = record.read()
        changes = []
        for file in reversed(self._files):  # What names a file goes before the file.
            before = content_of(file.path)
            after = None if before is None else file.unwired(before, kept.get(file.path))
            if after != before:
                changes.append(FileChange(file.path, before, after))
        done = _done(changes)
        _remove_folders(kept.values())
        record.write({})
        return done


def _insisting(work: Callable[[], list[str]]) -> list[str]:
    """Do work anew where a file was written by somebody else meanwhile; raise Conflict when that goes on."""
    for _ in range(ATTEMPTS - 1):
        try:
            return work()
        except Conflict:
            continue
    return work()


def _done(changes: Sequence[FileChange]) -> list[str]:
    for change in changes:
        replace_file(change)
    return [_sentence(change) for change in changes]


def _missing_folders(path: Path) -> Iterator[Path]:
    """Walk the folders that have to be made for a file, inner ones first."""
    for folder in path.parents:
        if folder.exists():
            return
        yield folder


def _remove_folders(files: Iterable[Kept]) -> None:
    """Remove the folders that were made for files; what somebody keeps something in stays."""
    for folder in sorted({each for kept in files for each in kept.folders}, key=lambda each: -len(each.parts)):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _sentence(change: FileChange) -> str:
    if change.before is None:
        return f"Wrote {change.path}."
    return f"Removed {change.path}." if change.after is None else f"Changed {change.path}."
