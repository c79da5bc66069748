"""Recall: what the memory has to say to a question, and the reason for each thing that is shown or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreError
from hardwon.kernel.memory import MemoryEntry, Status
from hardwon.kernel.mounts import VIA
from hardwon.kernel.project_names import visible_names
from hardwon.kernel.query import Query
from hardwon.kernel.ranking import TOO_WEAK, Ranked, rank
from hardwon.kernel.records import Activity
from hardwon.kernel.text import query_terms
from hardwon.kernel.use_cases.past.home import home_at
from hardwon.kernel.use_cases.projects import load_projects
from hardwon.kernel.use_cases.recall_answer import Answer, Hit
from hardwon.kernel.use_cases.recall_mounted import MountShelf, mounted
from hardwon.kernel.use_cases.shown import KIND
from hardwon.kernel.use_cases.usage import evidence, uses

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a question, and everything that led there."""

    query: Query
    """As it was searched for, with the scopes and times that follow from the reader's place."""
    hits: tuple[Hit[MemoryEntry], ...]
    """What is shown: what was found, best first, then what that brought."""
    refused: str | None
    """Why nothing is shown; None where something is."""
    ranked: tuple[Ranked, ...]
    """Everything found, with its score and the reason why it is not shown."""
    notes: tuple[str, ...]
    """What could not be looked at."""
    tokens: int
    """What is shown takes about so many tokens."""


def recall(
    home: Home,
    query: Query,
    *,
    include: Sequence[Status] = (),
    session: str | None = None,
    harness: str | None = None,
) -> Recall:
    """Answer a question, and record in the ledger what was shown.

    Inside a project one sees its memories and global ones; outside of any, everything. `include` adds observed or
    archived memories. Unless the query's filter says otherwise, what holds and is believed now counts; where it says
    when something was known, the answer is that of then, about what held then unless it says otherwise. Raises
    StoreError, and InvalidInput when the list of projects is broken.
    """
    now = home.clock.now()
    asked = _asked(home, query, include, now)
    home = home_at(home, query.filter.known_at)
    found, beside = home.storage.memories.search(asked), mounted(home, asked)
    candidates = [*found.candidates, *beside.candidates]
    helpful, known = uses(home), evidence(home)
    for candidate in candidates:
        candidate.used = helpful.get(candidate.id, 0)
        candidate.weigh(known.get(candidate.id), observed_too=Status.OBSERVED in (asked.filter.statuses or Status))
    ranked = rank(candidates, asked.context, (query.filter.known_at or now).timestamp())
    answer = Answer(MountShelf(home, asked), ranked, asked.limit, asked.budget, situation=asked.context)
    refused = None if answer.hits else _refusal(asked, answer.ranked)
    notes = [*found.notes, *beside.notes, *_record(home, answer, (session, harness, asked.context.project), now)]
    return Recall(asked, tuple(answer.hits), refused, tuple(answer.ranked), tuple(notes), answer.tokens)


def _asked(home: Home, query: Query, include: Sequence[Status], now: datetime) -> Query:
    """Return the query with the scopes and times that follow from the reader's place and the present."""
    given = query.filter
    changes: dict[str, Any] = {
        "namespace": given.namespace or query.context.namespace,
        "projects": (
            visible_names(load_projects(home), query.context.project) if given.projects is None else given.projects
        ),
        "agent": query.context.agent if given.agent is None else given.agent,
        "statuses": given.statuses and tuple(dict.fromkeys((*given.statuses, *include))),
        "as_of": given.as_of or given.known_at or now,
        # What is archived is often retracted as well: who asks for it does not ask what is believed now.
        "known_at": given.known_at or (None if Status.ARCHIVED in include else now),
    }
    return query.model_copy(update={"filter": given.model_copy(update=changes)})


def _refusal(query: Query, ranked: Sequence[Ranked]) -> str:
    """Return one sentence on why nothing is shown."""
    if not query.text.strip():
        return "The question is empty; ask something."
    if not ranked:
        if not query_terms(query.text):
            return "The question holds no word that tells anything; name the thing that it is about."
        where = f"project {query.context.project}" if query.context.project else "this memory"
        return f"Nothing that holds in {where} shares a word or the meaning of the question."
    reasons = Counter(each.hidden for each in ranked)
    if set(reasons) == {TOO_WEAK}:
        best = max(each.parts["evidence"] for each in ranked)
        reached = f"{len(ranked)} found, evidence {best:.2f} at best where 1 is needed"
        return f"Nothing answers this well enough ({reached}); ask in other words, or look with --explain."
    told = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
    return f"Nothing of what was found is shown: {told}."


def _record(
    home: Home, answer: Answer[MemoryEntry], asked_in: tuple[str | None, str | None, str | None], now: datetime
) -> list[str]:
    """Record what was shown; return a sentence if that was not possible: the answer stands without it.

    A record holds ids and never the question, which may hold a secret.
    """
    session, harness, project = asked_in
    where = {name: value for name, value in (("harness", harness), ("project", project)) if value}
    shown = [
        Activity(
            kind=KIND,
            at=now,
            memory=hit.entry.id,
            session=session,
            details={**where, "via": hit.via, "score": round(hit.score, 4), "parts": _rounded(hit.parts)},
        )
        for hit in answer.hits
    ]
    try:
        home.storage.ledger.append(shown)
    except StoreError as error:
        return [f"That this was shown is not recorded: {error}"]
    return []


def _rounded(parts: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in parts.items()}


def recall_json(recall: Recall, question: str | None = None) -> dict[str, Any]:
    """Return the form that programs may rely on (DESIGN.md §8)."""
    return {
        "query": recall.query.text if question is None else question,
        "hits": [hit_json(hit) for hit in recall.hits],
        "refused": recall.refused,
        "budget": {"limit": recall.query.limit, "tokens": recall.query.budget, "used": recall.tokens},
        "notes": list(recall.notes),
    }


def hit_json(hit: Hit[MemoryEntry]) -> dict[str, Any]:
    """Return the form of one memory that is shown."""
    source = hit.entry.source
    where = {"path": source.file, "line": source.line} if hit.via == VIA else {}
    return {
        "id": hit.entry.id,
        "external_id": hit.entry.external_id,
        "kind": hit.entry.kind.value,
        "status": hit.entry.status.value,
        "scope": str(hit.entry.scope),
        "content": hit.entry.content,
        "score": round(hit.score, 4),
        "parts": _rounded(hit.parts),
        "via": hit.via,
        "against": hit.against,
        **where,
    }
