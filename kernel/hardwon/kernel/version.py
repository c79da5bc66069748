"""Version: a former state of a memory, which is what was believed until something replaced it."""

from __future__ import annotations

from hardwon.kernel.memory import MemoryEntry, Moment
from hardwon.kernel.scope import Value


class Version(Value):
    """What a memory said until `until`. What it says now is no version."""

    memory: str
    entry: MemoryEntry
    until: Moment
    """When it was replaced, by the clock of whoever replaced it; some stores keep whole seconds."""
    why: str = ""
    """The reason of the operation that replaced it, where it is known."""

    @property
    def key(self) -> tuple[str, float, str]:
        """Return what makes it the same version again: of the same memory, the same state until the same second."""
        return (self.memory, float(int(self.until.timestamp())), self.entry.revision)
