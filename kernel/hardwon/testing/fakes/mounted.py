"""FakeMountedNotes: notes in memory, each one passage, shown in some projects or everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from hardwon.kernel.candidate import Found
from hardwon.kernel.filtering import means
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import Kind, MemoryEntry, Source, Times
from hardwon.kernel.mounts import PREFIX, Mount
from hardwon.kernel.query import Query
from hardwon.kernel.records import Problem
from hardwon.kernel.scope import Scope
from hardwon.testing.examples import MOMENT
from hardwon.testing.fakes.searching import candidates


class FakeMountedNotes:
    """What a mounted folder holds, by the names of its notes; a test changes them as a person would."""

    def __init__(self, *projects: str) -> None:
        """Mount a folder in these projects, or everywhere."""
        self.notes: dict[str, str] = {}
        self.is_away = False
        """The folder cannot be reached."""
        self._mount = Mount("/notes", projects)

    def search(self, query: Query) -> Found:
        """Return the notes that share a word with the question."""
        may_see, project = self._mount.project_for(query.filter.projects)
        if not may_see:
            return Found([])
        if self.is_away:
            return Found([], [f"The mounted folder {self._mount.path} was not looked at: it is not there."])
        free = query.filter.model_copy(update={"projects": None})
        return candidates(query, [each for each in self._entries(project) if means(free, each)])

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that are there, by id."""
        project = self._mount.projects[0] if self._mount.projects else None
        found = {} if self.is_away else {entry.id: entry for entry in self._entries(project)}
        return {id: found[id] for id in ids if id in found}

    def refresh_all(self) -> None:
        """Do nothing: what is there is known."""

    def problems(self) -> list[Problem]:
        """Return that the folder is away, if it is."""
        return [Problem(where=self._mount.path, what="It is not there; mount its disk.")] if self.is_away else []

    def _entries(self, project: str | None) -> list[MemoryEntry]:
        return [
            MemoryEntry(
                id=f"{PREFIX}{fingerprint(name, text, length=12)}",
                kind=Kind.CONTEXT,
                content=f"{name}\n\n{text}",
                scope=Scope(project=project),
                source=Source(said_by="import", file=f"{self._mount.path}/{name}", line=1),
                times=Times(asserted_at=MOMENT),
            )
            for name, text in self.notes.items()
        ]
