"""The memories of a store: what is kept, changed, found, related, and what was before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from hardwon.kernel.candidate import Found
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.query import Filter, Query
    from hardwon.kernel.records import TopicSummary
    from hardwon.kernel.relation import Relation, RelationKind
    from hardwon.kernel.version import Version

Capability = Literal["history", "vectors", "concurrent-writers"]


class MemoryStore(Protocol):
    """Keeps memories and the relations between them."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Return what this store can do beyond the port."""
        ...

    def put(self, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Keep new memories, all or none; return them as kept, in order.

        Texts are kept as `hardwon.kernel.cleaning` says, all else as it is. An entry whose idempotency key is known in
        its namespace is not kept again: the known one is returned in its place. Raises Conflict when an id is taken by
        another memory, StoreError when nothing was written.
        """
        ...

    def update(self, id: str, changes: Mapping[str, Any], expected_revision: str | None = None) -> MemoryEntry:
        """Replace fields (by name, validated) and return the new entry.

        Raises NotFound, InvalidInput for a field that does not exist, and Conflict when `expected_revision` is given
        and the memory is no longer at it, or when the idempotency key is another's in its namespace.
        """
        ...

    def get(self, ids: Sequence[str]) -> dict[str, MemoryEntry]:
        """Return those that exist, by id, whatever their status."""
        ...

    def search(self, query: Query) -> Found:
        """Return every candidate worth ranking, unranked, within the query's deadline. Any text is a valid query."""
        ...

    def scan(self, filter: Filter) -> Iterator[MemoryEntry]:
        """Walk the memories that the filter means, oldest id first."""
        ...

    def topics(self, prefix: str = "") -> list[TopicSummary]:
        """Summarise each topic at or below `prefix`, in alphabetical order; archived memories do not count."""
        ...

    def relate(self, relations: Sequence[Relation]) -> None:
        """Assert edges; one that stands already is not asserted twice. Raises NotFound when an end does not exist.

        An edge that comes retracted is kept as one that stood, once (its key and `asserted_at` tell it from others).
        """
        ...

    def unrelate(self, relations: Sequence[Relation], at: datetime) -> None:
        """Retract edges at that moment; what does not stand is passed over."""
        ...

    def relations(self, id: str) -> list[Relation]:
        """Return the standing edges that touch a memory, from either end, oldest first."""
        ...

    def edges(self, *, retracted_after: datetime | None = None) -> Iterator[Relation]:
        """Walk every edge, the retracted ones too, by source, kind, target and the moment it was asserted.

        `retracted_after`: those alone that were retracted after that moment, and so may have stood at it.
        """
        ...

    def traverse(self, id: str, kind: RelationKind, depth: int = 8) -> list[str]:
        """Return the ids reached by following edges of one kind outwards, nearest first, without `id` itself."""
        ...

    def versions(self, ids: Sequence[str] | None = None, *, after: datetime | None = None) -> list[Version]:
        """Return the former states of these memories, of all where none are named, those that ended first first.

        `after`: those alone that ended after that moment; of each memory the first of them is what it said then.
        A state that was replaced within the operation that made it is none, nor is one that changed into an equal one.
        Empty where a store has not the capability `history` and was given none to keep.
        """
        ...

    def keep_versions(self, versions: Sequence[Version]) -> None:
        """Keep former states as another store had them; one that is known already (`Version.key`) is kept once.

        Raises NotFound when a memory does not exist, keeping none.
        """
        ...

    def delete(self, ids: Sequence[str]) -> None:
        """Forget memories, their former states and their edges for good; only `forget` calls this.

        Raises NotFound, deleting none.
        """
        ...

    def close(self) -> None:
        """Let go of files and connections; closing twice is harmless."""
        ...
