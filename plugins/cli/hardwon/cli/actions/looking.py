"""Commands that show what is in the memory: by topic, by id, the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from hardwon.cli.actions.moments import AsOf, KnownAt, asked_moments
from hardwon.cli.actions.rules import life_of
from hardwon.cli.views import escaped, link_json, memory_json, memory_line, quoted
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import NotFound
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from datetime import datetime

    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.proposal import Decision
    from hardwon.kernel.records import TopicSummary
    from hardwon.kernel.use_cases.standing import StandingNow


def topics(home: Home, prefix: Annotated[str, "only what lies at or below this topic"] = "") -> Report:
    """List the topics with the number of memories in each."""
    home.require()
    found = home.storage.memories.topics(prefix)
    lines = "\n".join(f"- `{each.topic}`: {counted(each.count, 'memory', 'memories')}" for each in found)
    return Report(found, lines or "No topic yet; `hardwon remember` takes one with --topic.")


def get(
    home: Home,
    topic: Annotated[str, "a topic, as in storage.files"],
    *,
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> Report:
    """Show what holds at or below a topic: its memories, how many each topic has, and from when to when they are."""
    from hardwon.kernel.filtering import summaries
    from hardwon.kernel.query import Filter
    from hardwon.kernel.use_cases.superseding import holding_at

    home.require()
    then, moment = asked_moments(home, as_of, known_at)
    moment = moment or home.clock.now()
    every = list(then.storage.memories.scan(Filter(topic_prefix=topic)))
    entries = holding_at(then, every, moment)
    if not every:
        raise NotFound(f"No memory lies under “{topic}”; `hardwon topics` lists what there is.")
    found = summaries(entries, topic)
    shown = {entry.id for entry in entries}
    others = [entry.id for entry in every if entry.id not in shown]
    memories = [memory_json(entry) for entry in entries]
    data = {"topic": topic, "topics": found, "memories": memories, "others": others}
    texts = [f"{memory_line(entry)}\n\n{quoted(entry.content)}" for entry in entries]
    return Report(data, "\n\n".join([f"# {topic}", _topics_text(found), *texts, *_others_told(others)]))


def _topics_text(found: Sequence[TopicSummary]) -> str:
    lines = [
        f"- `{each.topic}`: {counted(each.count, 'memory', 'memories')}, {_days(each.first, each.last)}"
        for each in found
    ]
    return "\n".join(lines) or "Nothing holds."


def _days(first: datetime | None, last: datetime | None) -> str:
    days = list(dict.fromkeys(f"{moment:%Y-%m-%d}" for moment in (first, last) if moment))
    return " to ".join(days)


def _others_told(others: Sequence[str]) -> list[str]:
    """Return how to see what does not hold; nothing where all does."""
    if not others:
        return []
    some = counted(len(others), "memory that is over, superseded or yet to begin", "memories that are not so")
    return [f"Not shown: {some} (--as-of DAY shows what held on a day, `hardwon show ID` what came before)."]


def show(
    home: Home,
    id: Annotated[str, "the memory's id, the start of it, or the id it had elsewhere"],
    *,
    as_of: Annotated[str | None, "what held at this time, of the chain in which it stands"] = None,
    known_at: KnownAt = None,
) -> Report:
    """Show one memory: its text, where it comes from, its links both ways, and why it stands."""
    from hardwon.kernel.use_cases.explaining import explain
    from hardwon.kernel.use_cases.lookup import find_memory
    from hardwon.kernel.use_cases.standing import standing_json, standing_now, standing_text
    from hardwon.kernel.use_cases.superseding import held_at

    home.require()
    home, moment = asked_moments(home, as_of, known_at)
    entry = find_memory(home, id)
    if as_of and moment:
        entry = held_at(home, entry, moment)
    found = explain(home, entry)
    standing = standing_now(home, entry)
    data = {
        **memory_json(entry),
        **standing_json(standing),
        "path": found.path,
        "links": [link_json(*link) for link in found.links],
        "decisions": found.decisions,
        "why": found.why,
        "restore": found.restore,
    }
    life, told = life_of(home, entry) if entry.kind == "rule" else ({}, "")
    data |= life
    facts = _facts(entry, standing, found.path or _deleted(entry))
    lines = "\n".join(f"- {name}: {escaped(str(value))}" for name, value in facts.items() if value)
    text = f"# {escaped(entry.title)}\n\n{quoted(entry.content)}\n\n{_lesson_text(entry)}{lines}\n- Why: {found.why}"
    if found.restore:
        text += f"\n\nThis brings the file back, and the memory with it:\n\n    {found.restore}"
    parts = (text, told, standing_text(standing), f"## Links\n\n{_links_text(found.links)}")
    return Report(data, "\n\n".join(filter(None, parts)))


def _facts(entry: MemoryEntry, standing: StandingNow, file: str) -> dict[str, object]:
    """Return what is known of a memory, by what a person calls it; empty where nothing is."""
    return {
        "Kind": entry.kind,
        "Holds": entry.scope,
        "Status": entry.status,
        "Topics": ", ".join(entry.topics),
        "Tags": ", ".join(entry.tags),
        "Id elsewhere": entry.external_id,
        "True since": _time(entry.times.valid_at),
        "True until": _time(standing.until),
        "Superseded by": standing.superseded_by,
        "Believed since": _time(entry.times.asserted_at),
        "Confidence": _confidence(entry.confidence, standing.confidence),
        "Source": ", ".join(
            f"{name.replace('_', ' ')} {value}" for name, value in entry.source.model_dump().items() if value
        ),
        "File": file,
    }


def _time(when: datetime | None) -> str:
    """Return a time as a person reads it, in this machine's zone; an empty text for none."""
    return f"{when.astimezone():%Y-%m-%d %H:%M}" if when else ""


def _confidence(stored: float, now: float) -> str:
    return f"{now:.2f}" if now == stored else f"{now:.2f}, by what became of it since; it was kept with {stored:.2f}"


def _deleted(entry: MemoryEntry) -> str:
    """Return what is known of a file that a person deleted; an empty text where none did."""
    path, when = entry.metadata.get("deleted_by_hand"), entry.times.retracted_at
    return f"{path} was deleted by hand, noticed on {when:%Y-%m-%d %H:%M}" if path and when else ""


def links(
    home: Home,
    id: Annotated[str, "the memory's id, the start of it, or the id it had elsewhere"],
    *,
    as_of: Annotated[str | None, "only to memories that held at this time"] = None,
    known_at: KnownAt = None,
) -> Report:
    """List the links of a memory, seen from it."""
    from hardwon.kernel.use_cases.explaining import links_of
    from hardwon.kernel.use_cases.lookup import find_memory
    from hardwon.kernel.use_cases.superseding import holds_at

    home.require()
    home, moment = asked_moments(home, as_of, known_at)
    found = links_of(home, find_memory(home, id).id)
    if as_of and moment:
        found = [(relation, entry) for relation, entry in found if holds_at(home, entry, moment)]
    return Report([link_json(*link) for link in found], _links_text(found))


def audit(home: Home) -> Report:
    """List every decision: who, when, why, on which proposal, with the texts before and after."""
    home.require()
    decisions = home.storage.ledger.decisions()
    return Report(decisions, "\n".join(map(_decision_text, decisions)) or "Nothing was decided yet.")


def _decision_text(decision: Decision) -> str:
    lines = [f"- {decision.at:%Y-%m-%d %H:%M} {escaped(decision.by)}: {decision.action} of `{decision.proposal}`"]
    for name, text in (("why", decision.why), ("before", decision.before), ("after", decision.after)):
        if text:
            lines.append(f"  - {name}: {escaped(text)}")
    if decision.rule:
        lines.append(f"  - rule: `{decision.rule}`")
    return "\n".join(lines)


def _links_text(found: list[tuple[str, MemoryEntry]]) -> str:
    return (
        "\n".join(f"- {relation} {memory_line(entry).removeprefix('- ')}" for relation, entry in found) or "No links."
    )


def _lesson_text(entry: MemoryEntry) -> str:
    """Return the fields, and of each that the memory's own speaker did not word, who did."""
    from hardwon.kernel.lesson_fields import author_of

    lines = ""
    for name, value in entry.lesson.model_dump().items():
        if value:
            author = author_of(entry, name)
            by = f" (worded by {escaped(str(author))})" if author != entry.source.said_by else ""
            lines += f"- {name.capitalize()}: {escaped(value)}{by}\n"
    return lines
