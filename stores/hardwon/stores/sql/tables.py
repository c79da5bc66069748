"""The tables of the store over SQL, as SQLModel classes: what databases are made and changed by.

Imported to make or change a database, never to read or write one: sqlmodel takes half a second. The statements of the
doors name their columns themselves, and a test holds the two together. Times in REAL columns are seconds since 1970
(UTC); `changed` is the number of the operation that last touched a row, so that whoever follows the database reads only
what is new.
"""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import Column, Index, Integer, LargeBinary
from sqlalchemy import text as sql
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel

from hardwon.stores.sql import columns


class Table(SQLModel, registry=registry()):
    """The base of the tables, with metadata of its own: another program's SQLModel classes are none of ours."""


class Meta(Table, table=True):
    """What the database says of itself: under `format`, the FORMAT_VERSION of its tables."""

    key: str = Field(sa_column=columns.text(key=True))
    value: str = Field(sa_column=columns.text())


class Operations(Table, table=True):
    """One change of the memory, and why it was made."""

    number: int = Field(sa_column=columns.number(primary_key=True))
    at: float = Field(sa_column=columns.real())
    why: str = Field(sa_column=columns.text())


class Memories(Table, table=True):
    """A memory as it stands. The columns from `namespace` to `channel` say again what `entry` says, to be asked for."""

    __table_args__ = (
        Index("memories_by_project", "project"),
        Index("memories_by_external_id", "external_id", sqlite_where=sql("external_id IS NOT NULL")),
        Index(
            "memories_by_idempotency_key",
            "idempotency_key",
            "namespace",
            unique=True,
            sqlite_where=sql("idempotency_key IS NOT NULL"),
        ),
        columns.index_of_some("memories_rules", "kind", where="kind = 'rule'"),
        columns.index_of_some("memories_hard", "project", where="strength = 'hard'"),
        columns.index_of_some("memories_proactive", "project", where="channel = 'proactive'"),
        Index("memories_by_change", "changed"),
    )

    number: int = Field(sa_column=columns.number(primary_key=True))
    id: str = Field(sa_column=columns.text(unique=True))
    namespace: str = Field(sa_column=columns.text())
    project: str | None = Field(sa_column=columns.text(null=True))
    agent: str | None = Field(sa_column=columns.text(null=True))
    kind: str = Field(sa_column=columns.text())
    status: str = Field(sa_column=columns.text())
    strength: str = Field(sa_column=columns.text())
    confidence: float = Field(sa_column=columns.real())
    importance: float = Field(sa_column=columns.real())
    asserted_at: float = Field(sa_column=columns.real())
    retracted_at: float | None = Field(sa_column=columns.real(null=True))
    valid_at: float | None = Field(sa_column=columns.real(null=True))
    valid_until: float | None = Field(sa_column=columns.real(null=True))
    external_id: str | None = Field(sa_column=columns.text(null=True))
    idempotency_key: str | None = Field(sa_column=columns.text(null=True))
    topics: str = Field(sa_column=columns.text())
    """JSON list, the home topic first."""
    tags: str = Field(sa_column=columns.text())
    """JSON list."""
    applies_when: str = Field(sa_column=columns.text())
    """JSON object of lists, without empty ones; empty for none."""
    characters: int = Field(sa_column=Column(Integer, nullable=False))
    """Of the content."""
    channel: str = Field(sa_column=columns.text())
    changed: int = Field(sa_column=columns.number())
    length: int = Field(sa_column=Column(Integer, nullable=False))
    """How many terms it is found by, repeats counted."""
    vector_keys: str = Field(sa_column=columns.text())
    """Of each text that is embedded: its language and its key, as in `en:4c1f…`; blanks between."""
    terms: str = Field(sa_column=columns.text())
    """The terms that it is found by, blanks between."""
    entry: str = Field(sa_column=columns.text())
    """The MemoryEntry as JSON, without its content and without what has its default value."""
    content: str = Field(sa_column=columns.text())
    """Last, since a long one is read page by page by whoever wants what stands behind it."""


class Removals(Table, table=True):
    """That a memory of this number was forgotten; nothing of what it said."""

    __table_args__ = (Index("removals_by_change", "changed"),)

    number: int = Field(sa_column=columns.number(primary_key=True))
    changed: int = Field(sa_column=columns.number())


class Topics(Table, table=True):
    """That a memory carries a topic."""

    __table_args__: ClassVar[dict[str, bool]] = {"sqlite_with_rowid": False}

    value: str = Field(sa_column=columns.text(key=True))
    memory: int = Field(sa_column=columns.number(primary_key=True))
    """Its number."""
    at: float = Field(sa_column=columns.real())
    """Since when the memory is true, or was learned: so that topics are summed up without reading the memories."""
    archived: int = Field(sa_column=Column(Integer, nullable=False))
    """1: out of recall."""


class Tags(Table, table=True):
    """That a memory carries a tag."""

    __table_args__: ClassVar[dict[str, bool]] = {"sqlite_with_rowid": False}

    value: str = Field(sa_column=columns.text(key=True))
    memory: int = Field(sa_column=columns.number(primary_key=True))
    """Its number."""


class Relations(Table, table=True):
    """A relation; retracted ones stay."""

    __table_args__ = (
        Index(
            "standing_relations",
            "source",
            "kind",
            "target",
            unique=True,
            sqlite_where=sql("retracted_at IS NULL"),
            postgresql_where=sql("retracted_at IS NULL"),
        ),
        Index("relations_by_source", "source"),
        Index("relations_by_target", "target"),
        columns.index_of_some("relations_by_end", "retracted_at", where="retracted_at IS NOT NULL"),
        Index("relations_by_change", "changed"),
    )

    number: int = Field(sa_column=columns.number(primary_key=True))
    source: str = Field(sa_column=columns.end())
    kind: str = Field(sa_column=columns.text())
    target: str = Field(sa_column=columns.end())
    asserted_at: float = Field(sa_column=columns.real())
    retracted_at: float | None = Field(sa_column=columns.real(null=True))
    relation: str = Field(sa_column=columns.text())
    """The whole Relation as JSON."""
    changed: int = Field(sa_column=columns.number())


class Versions(Table, table=True):
    """A former state of a memory."""

    __table_args__ = (
        Index("versions_by_memory", "memory"),
        Index("versions_by_end", "ended"),
        Index("versions_by_change", "changed"),
    )

    number: int = Field(sa_column=columns.number(primary_key=True))
    memory: str = Field(sa_column=columns.text())
    """Its id."""
    revision: str = Field(sa_column=columns.text())
    ended: float = Field(sa_column=columns.real())
    """When it was replaced."""
    until: str = Field(sa_column=columns.text())
    """The same in ISO 8601, with the offset that was given."""
    why: str = Field(sa_column=columns.text())
    content: str = Field(sa_column=columns.text())
    entry: str = Field(sa_column=columns.text())
    changed: int = Field(sa_column=columns.number())
    """Below 0: by the same operation the memory went back to this state, so that it was none."""


class Decisions(Table, table=True):
    """A person's decision."""

    __table_args__ = (Index("decisions_by_proposal", "proposal"),)

    id: str = Field(sa_column=columns.text(key=True))
    proposal: str = Field(sa_column=columns.text())
    at: float = Field(sa_column=columns.real())
    decision: str = Field(sa_column=columns.text())
    """The whole Decision as JSON."""
    changed: int = Field(sa_column=columns.number())


class Activity(Table, table=True):
    """One thing of the activity."""

    __table_args__ = (Index("activity_by_kind", "kind", "at"), Index("activity_by_time", "at"))

    number: int = Field(sa_column=Column(columns.BIG, primary_key=True, autoincrement=True))
    kind: str = Field(sa_column=columns.text())
    at: float = Field(sa_column=columns.real())
    record: str = Field(sa_column=columns.text())
    """The whole Activity as JSON."""


class Documents(Table, table=True):
    """A named text."""

    name: str = Field(sa_column=columns.text(key=True))
    text: str = Field(sa_column=columns.text())
    changed: int = Field(sa_column=columns.number())


class Journal(Table, table=True):
    """A block of the journal."""

    __table_args__ = (
        Index("journal_by_session", "session"),
        Index("journal_by_turn", "turn"),
        Index("journal_by_copy", "copy", sqlite_where=sql("copy != ''"), postgresql_where=sql("copy != ''")),
        Index("journal_by_time", "at"),
    )

    number: int = Field(sa_column=columns.number(primary_key=True))
    harness: str = Field(sa_column=columns.text())
    session: str = Field(sa_column=columns.text())
    turn: str = Field(sa_column=columns.text())
    at: float = Field(sa_column=columns.real())
    moment: str = Field(sa_column=columns.text())
    """The same in ISO 8601, with the offset that was given."""
    project: str | None = Field(sa_column=columns.text(null=True))
    branch: str | None = Field(sa_column=columns.text(null=True))
    taken_by: str = Field(sa_column=columns.text())
    """The import that took it; empty for none."""
    retracted_at: str | None = Field(sa_column=columns.text(null=True))
    copy_key: str = Field(sa_column=Column("copy", columns.TEXT, nullable=False))
    """By what a copy of the turn is known; empty for a short one."""
    messages: str = Field(sa_column=columns.text())
    """By what its messages are known, with blanks between."""
    said: str = Field(sa_column=columns.text())
    changed: int = Field(sa_column=columns.number())


class Spaces(Table, table=True):
    """The name of a vector space."""

    number: int = Field(sa_column=Column(Integer, primary_key=True, autoincrement=True))
    name: str = Field(sa_column=columns.text(unique=True))


class Vectors(Table, table=True):
    """An embedding, as `packing.py` packs it; rows stand in the order in which they came, which fills their pages."""

    __table_args__ = (Index("vectors_by_key", "space", "key", unique=True),)

    number: int = Field(sa_column=Column(columns.BIG, primary_key=True, autoincrement=True))
    space: int = Field(sa_column=Column(Integer, nullable=False))
    key: str = Field(sa_column=columns.text())
    vector: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Proposals(Table, table=True):
    """A proposal of the review queue, in whatever state."""

    __table_args__ = (Index("proposals_by_state", "state"),)

    id: str = Field(sa_column=columns.text(key=True))
    state: str = Field(sa_column=columns.text())
    at: float = Field(sa_column=columns.real())
    """When it last changed."""
    proposal: str = Field(sa_column=columns.text())
    """The whole Proposal as JSON."""
    notes: str = Field(sa_column=columns.text())
    """What a person noted on it."""
    changed: int = Field(sa_column=columns.number())


class Counters(Table, table=True):
    """The last number that was given in a table of SQLite; PostgreSQL has sequences."""

    name: str = Field(sa_column=columns.text(key=True))
    value: int = Field(sa_column=columns.number())
