"""What a storage may offer beyond the port: small protocols that a caller asks for, each by its own methods."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from hardwon.kernel.ports.storage import Proposals
    from hardwon.kernel.records import Measurement, Problem


@runtime_checkable
class Filed(Protocol):
    """A storage that keeps each memory in a file of its own, which a person may open."""

    def path_of(self, id: str) -> Path | None:
        """Return the absolute path of a memory's file; None when there is no such memory."""
        ...


@runtime_checkable
class KeepsCopies(Protocol):
    """A storage beside which lie copies of the truth as it was, such as of before an upgrade."""

    def copies(self) -> list[Path]:
        """Return the copies, by name; what is forgotten stands in them still."""
        ...


@runtime_checkable
class KeepsProposals(Protocol):
    """A storage that keeps proposals in a table of its own instead of documents."""

    def proposals(self) -> Proposals:
        """Return the table."""
        ...


@runtime_checkable
class Tended(Protocol):
    """A storage that makes something of what it keeps which need not be there at once, such as summaries of topics."""

    def tend(self) -> None:
        """Make what is due; where nothing changed it costs next to nothing. Raises StoreBusy, StoreError."""
        ...


@runtime_checkable
class Verified(Protocol):
    """A storage that answers from something derived, and can compare that with the truth."""

    def verify(self) -> list[Problem]:
        """Return where the two differ; may take seconds, so `doctor` alone asks."""
        ...


@runtime_checkable
class Arranged(Protocol):
    """A storage that searches its vectors by something derived from them."""

    def arrange_vectors(self) -> None:
        """Derive what is missing. May take minutes, so the background does it. Raises Unavailable, StoreError."""
        ...

    def measure_vectors(self) -> Measurement:
        """Return how well the vectors that lie near a question are found; takes seconds. Raises as the other does."""
        ...


@runtime_checkable
class Backed(Protocol):
    """A storage whose truth lies in files of the home, of which it can make a copy while others write."""

    def backup(self, to: Path) -> None:
        """Write everything as of one moment into an empty folder, as it lies in a home. Raises StoreError."""
        ...


@runtime_checkable
class Snapshots(Protocol):
    """A storage that can be read as of one moment, while others write."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Let this thread read one state of everything inside."""
        ...


@runtime_checkable
class Shared(Protocol):
    """A storage that several machines have open at once."""

    def turn(self, name: str) -> AbstractContextManager[bool]:
        """Try to take a lock of all machines for as long as the block lasts; yield whether it was got.

        It is freed when its holder ends, however it ends. Raises StoreError.
        """
        ...


@runtime_checkable
class Replicated(Protocol):
    """A storage elsewhere, of which the home keeps a copy for the hook program, which waits for nobody."""

    def refresh_replica(self) -> None:
        """Bring the copy up to date, or make it. Raises StoreError."""
        ...


@runtime_checkable
class Stamped(Protocol):
    """A storage that tells cheaply whether something of its truth was changed."""

    def stamp(self) -> str:
        """Return what is another text after every finished operation that changed something, whoever made it.

        Activity and vectors are no part of it.
        """
        ...
