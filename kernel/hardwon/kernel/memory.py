"""MemoryEntry: one thing worth remembering, with where it came from, where it holds and when it was true."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from hardwon.kernel.clock import aware
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.scope import Scope, Value, Visibility

MAXIMUM_TOPIC_LEVELS = 8

Moment = Annotated[datetime, AfterValidator(aware)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Kind(StrEnum):
    """What sort of thing is remembered."""

    FACT = "fact"
    PREFERENCE = "preference"
    EVENT = "event"
    DECISION = "decision"
    LESSON = "lesson"
    RULE = "rule"
    PATTERN = "pattern"
    CONTEXT = "context"

    @property
    def memory_type(self) -> str:
        """Return the psychologist's name for it: episodic, semantic or procedural."""
        if self is Kind.EVENT:
            return "episodic"
        return "procedural" if self in (Kind.LESSON, Kind.RULE, Kind.PATTERN, Kind.PREFERENCE) else "semantic"


class Strength(StrEnum):
    """Hard: always shown where it holds. Soft: shown when it is relevant."""

    HARD = "hard"
    SOFT = "soft"


class Channel(StrEnum):
    """About the user; ordinary; an intention that is due and expires."""

    PROFILE = "profile"
    NORMAL = "normal"
    PROACTIVE = "proactive"


class Status(StrEnum):
    """Observed memories are kept and not recalled unasked; archived ones are out of recall, never lost."""

    OBSERVED = "observed"
    ACTIVE = "active"
    CONFLICT = "conflict"
    ARCHIVED = "archived"


class Lesson(Value):
    """The parts of a lesson. The principle is one sentence without names that says what to do."""

    situation: str | None = None
    cause: str | None = None
    fix: str | None = None
    principle: str | None = None

    def __bool__(self) -> bool:
        """Tell whether anything is filled in."""
        return any((self.situation, self.cause, self.fix, self.principle))


class Source(Value):
    """Provenance: who said it, in which session, and the quoted words that prove it."""

    said_by: str = "user"
    """user, tool, agent, import or inference."""
    harness: str | None = None
    agent: str | None = None
    session: str | None = None
    turn: str | None = None
    file: str | None = None
    line: int | None = None
    url: str | None = None
    evidence: str | None = None


class Times(Value):
    """Bitemporal: true from `valid_at` until `valid_until`; believed from `asserted_at` until `retracted_at`."""

    valid_at: Moment | None = None
    valid_until: Moment | None = None
    asserted_at: Moment
    retracted_at: Moment | None = None

    def holds(self, as_of: datetime | None = None, known_at: datetime | None = None) -> bool:
        """Tell whether it was true at `as_of` and believed at `known_at`; None asks nothing of that axis."""
        if as_of is not None:
            if self.valid_at is not None and as_of < self.valid_at:
                return False
            if self.valid_until is not None and as_of >= self.valid_until:
                return False
        if known_at is not None:
            if known_at < self.asserted_at:
                return False
            if self.retracted_at is not None and known_at >= self.retracted_at:
                return False
        return True


def _topics(topics: Iterable[str]) -> tuple[str, ...]:
    clean = []
    for topic in topics:
        parts = [part.strip() for part in re.split(r"[./]", topic) if part.strip()]
        if not parts or len(parts) > MAXIMUM_TOPIC_LEVELS:
            raise ValueError(f"a topic has 1 to {MAXIMUM_TOPIC_LEVELS} levels joined by dots, not “{topic[:60]}”")
        clean.append(".".join(parts))
    return tuple(dict.fromkeys(clean))


class MemoryEntry(Value):
    """One memory. `id` is stable for life; `revision` changes with its content and fields."""

    id: str
    external_id: str | None = None
    idempotency_key: str | None = None
    kind: Kind = Kind.LESSON
    content: str
    lesson: Lesson = Lesson()
    scope: Scope = Scope()
    visibility: Visibility = Visibility.PRIVATE
    branch: str | None = None
    topics: Annotated[tuple[str, ...], AfterValidator(_topics)] = ()
    tags: tuple[str, ...] = ()
    source: Source = Source()
    times: Times
    confidence: Share = 0.5
    importance: Share = 0.5
    strength: Strength = Strength.SOFT
    channel: Channel = Channel.NORMAL
    status: Status = Status.ACTIVE
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def home_topic(self) -> str:
        """Return the first topic: the folder that it lives in; empty for none."""
        return self.topics[0] if self.topics else ""

    @property
    def applies_when(self) -> dict[str, tuple[str, ...]]:
        """Return what narrows its scope, by languages, frameworks, roles and tags; of each what is named."""
        return {kind: values for kind, values in self.scope.applies_when if values}

    @property
    def title(self) -> str:
        """Return the first line of the content without Markdown signs, at most 80 characters; names keep their `_`."""
        for line in self.content.splitlines():
            plain = re.sub(r"^[\s#>*\-]+|[*`]", "", line).strip()
            if plain:
                return plain if len(plain) <= 80 else plain[:79].rstrip() + "…"
        return self.id

    @property
    def revision(self) -> str:
        """Return the hash of content and fields: what a decision, a proof or an edit refers to."""
        return fingerprint(json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False))
