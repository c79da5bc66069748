"""What a Filter means, in its plainest form: for memories at hand, and the reference for every store's query."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from hardwon.kernel.memory import MemoryEntry
from hardwon.kernel.query import Filter
from hardwon.kernel.records import TopicSummary
from hardwon.kernel.visibility import may_see


def below(topic: str, prefix: str) -> bool:
    """Tell whether `topic` is `prefix` or lies under it; everything lies under the empty one."""
    return not prefix or topic == prefix or topic.startswith(f"{prefix}.")


def means(filter: Filter, entry: MemoryEntry) -> bool:
    """Tell whether every condition of the filter holds for a memory; None sets no condition."""
    conditions = (
        (filter.ids, (entry.id,)),
        (filter.external_ids, (entry.external_id,)),
        (filter.idempotency_keys, (entry.idempotency_key,)),
        (filter.kinds, (entry.kind,)),
        (filter.statuses, (entry.status,)),
        (filter.projects, (entry.scope.project,)),
        (filter.tags, entry.tags),
    )
    return (
        all(_one_of(wanted, had) for wanted, had in conditions)
        and filter.namespace in (None, entry.scope.namespace)
        and may_see(entry.scope.agent, filter.agent)
        and (not filter.topic_prefix or any(below(topic, filter.topic_prefix) for topic in entry.topics))
        and entry.times.holds(filter.as_of, filter.known_at)
    )


def _one_of(wanted: Iterable[object] | None, had: Iterable[object]) -> bool:
    return wanted is None or not set(wanted).isdisjoint(had)


def summaries(entries: Iterable[MemoryEntry], prefix: str = "") -> list[TopicSummary]:
    """Summarise each topic at or below `prefix` that these memories carry, in alphabetical order."""
    moments: dict[str, list[datetime]] = {}
    for entry in entries:
        for topic in entry.topics:
            if below(topic, prefix):
                moments.setdefault(topic, []).append(entry.times.valid_at or entry.times.asserted_at)
    return [
        TopicSummary(topic=topic, count=len(times), first=min(times), last=max(times))
        for topic, times in sorted(moments.items())
    ]
