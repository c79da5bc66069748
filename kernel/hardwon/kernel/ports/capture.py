"""From sessions to memories: what takes secrets out, and what finds the things worth keeping."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.extraction import Extract
    from hardwon.kernel.session import Turn


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets."""

    text: str
    found: tuple[str, ...] = ()
    """The sorts of secrets that were taken out, as often as they were found; never the secrets."""


class Redactor(Protocol):
    """Takes secrets out of texts."""

    @property
    def name(self) -> str:
        """Return the name by which the settings call it."""
        ...

    def redact(self, text: str) -> Redacted:
        """Return the text with `[redacted: SORT]` in place of each secret; doing it twice changes nothing more."""
        ...


class Extractor(Protocol):
    """Finds in a session what is worth remembering."""

    @property
    def name(self) -> str:
        """Return the name by which the settings call it."""
        ...

    def extract(self, turns: Sequence[Turn], *, ended: bool) -> list[Extract]:
        """Return what one session's turns hold, in their order; at most one extract for one thing taught.

        The same turns give the same extracts. While a session has not `ended`, what the agent claims is held back for
        as long as a later turn may overturn it. Never taken: what recall showed, and what no person, agent or tool
        said.
        """
        ...
