"""Query: what is asked of the memory. Filter: which memories a scan walks."""

from __future__ import annotations

from pydantic import Field

from hardwon.kernel.memory import Kind, Moment, Status
from hardwon.kernel.scope import Context, Value
from hardwon.kernel.visibility import NOBODY

RECALLED = (Status.ACTIVE, Status.CONFLICT)


class Filter(Value):
    """Which memories are meant; an empty filter means all that are not archived. Every condition must hold."""

    ids: tuple[str, ...] | None = None
    external_ids: tuple[str, ...] | None = None
    idempotency_keys: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    statuses: tuple[Status, ...] | None = (Status.OBSERVED, Status.ACTIVE, Status.CONFLICT)
    namespace: str | None = None
    projects: tuple[str | None, ...] | None = None
    """Project keys; None among them means memories without a project."""
    agent: str | None = None
    """Who asks: an agent sees what is for any agent and what is for it (`visibility`). None: the user, who sees all."""
    topic_prefix: str | None = None
    tags: tuple[str, ...] | None = None
    as_of: Moment | None = None
    known_at: Moment | None = None


GENERALIZED = Filter(kinds=(Kind.LESSON,), namespace="default", agent=NOBODY)
"""The lessons that a rule may stand on, as far as their projects allow it: a rule is seen by any agent, and so are
they; what is for one agent, or kept apart in another namespace, never becomes part of one."""


class Query(Value):
    """A question in any text at all, and who asks it."""

    text: str
    turns: tuple[str, ...] = ()
    """The recent turns of the session, oldest first."""
    context: Context = Field(default_factory=Context)
    filter: Filter = Field(default_factory=lambda: Filter(statuses=RECALLED))
    limit: int = Field(default=8, ge=1, le=1000)
    budget: int = Field(default=800, ge=1)
    """Tokens that what is shown may take."""
    deadline: float | None = Field(default=None, gt=0)
    """Seconds within which the store answers with what it has."""
    by_words: bool = False
    """Look for words alone: no model is loaded for it."""
