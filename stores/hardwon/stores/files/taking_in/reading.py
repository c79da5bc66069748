"""Reads one file of the memory for what it holds; what cannot be read is a problem of that file alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.proposal import Decision
from hardwon.stores.files.atomic.disk import Stat
from hardwon.stores.files.decision_files import is_decision, read_decision
from hardwon.stores.files.journal_files import is_journal
from hardwon.stores.files.kept_versions import is_of_versions, read_versions
from hardwon.stores.files.notes.copies import IN_CONFLICT, is_conflict_copy
from hardwon.stores.files.notes.fields import Reading, read_entry
from hardwon.stores.files.notes.frontmatter import parse
from hardwon.stores.files.notes.hidden_text import hidden_text
from hardwon.stores.files.notes.journal_blocks import FORMAT_VERSION, Placed, read_blocks
from hardwon.stores.files.notes.layout import is_memory, place_of
from hardwon.stores.files.taking_in import deletions
from hardwon.stores.files.taking_in.withheld import require_none

if TYPE_CHECKING:
    from hardwon.kernel.version import Version
    from hardwon.stores.files.workspace import Workspace


@dataclass
class Taken:
    """One file as it was read."""

    path: str
    stat: Stat
    hash: str | None
    """Git's name of the content; None where it could not be opened."""
    reading: Reading | None = None
    decision: Decision | None = None
    journal: list[Placed] = field(default_factory=list)
    line: int | None = None
    problem: str | None = None

    refused_id: str | None = None
    """The id that the file claims and another has."""

    @property
    def id(self) -> str | None:
        """Return the memory that is taken from the file."""
        return self.reading.entry.id if self.reading else None

    @property
    def claimed_id(self) -> str | None:
        """Return the memory that the file says it holds, whether or not it was taken."""
        return self.refused_id or self.id

    def refuse(self, problem: str) -> None:
        """Take nothing of the file, for this reason, and remember whose id it claims."""
        self.refused_id, self.reading, self.line, self.problem = self.id, None, None, problem


def read_file(workspace: Workspace, path: str, stat: Stat) -> Taken | None:
    """Read a file from disk; None when it is gone since it was seen."""
    try:
        data = workspace.path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return Taken(path, stat, None, problem=f"it cannot be opened: {error.strerror}")
    return read_content(workspace, path, data, stat)


def read_content(workspace: Workspace, path: str, data: bytes, stat: Stat) -> Taken:
    """Read a file's content."""
    result = Taken(path, stat, workspace.repository.hash_of(data))
    versions: list[Version] = []
    try:
        if is_memory(path):
            result.reading = read_entry(parse(data, path), place_of(path, workspace.project_of), stat.mtime_ns)
            _refuse_copy(path, result.reading)
            result.line, result.problem = _oddity(data, result.reading)
        elif is_decision(path):
            result.decision = read_decision(data, path)
        elif is_journal(path):
            result.journal = read_blocks(data, path)
            result.problem = _newer_blocks(result.journal)
        elif path == deletions.FILE:
            deletions.read_deletions(data)
        elif is_of_versions(path):
            versions = read_versions(data, path)
        if not result.journal:
            said = versions or (result.reading.entry if result.reading else result.decision)
            require_none(workspace, path, data, said)
    except UnreadableFile as error:
        result.reading = result.decision = None
        result.line, result.problem = error.line, error.reason
    return result


def _refuse_copy(path: str, reading: Reading) -> None:
    """Raise UnreadableFile for a note without an id that a sync tool laid beside the one that it lost against."""
    if not reading.has_id and is_conflict_copy(path):
        raise UnreadableFile(path, IN_CONFLICT)


def _newer_blocks(blocks: list[Placed]) -> str | None:
    number = sum(block.newer for block in blocks)
    if not number:
        return None
    return f"{number} of its turns have a format newer than {FORMAT_VERSION}, which this hardwon knows; upgrade hardwon"


def _oddity(data: bytes, reading: Reading) -> tuple[int | None, str | None]:
    if reading.odd:
        return reading.odd[0][0], "; ".join(reason for _, reason in reading.odd)
    return hidden_text(data.decode("utf-8")) or (None, None)
