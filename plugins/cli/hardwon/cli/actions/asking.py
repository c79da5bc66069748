"""The command that asks the memory: what is shown, and, on demand, why this and not that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.actions.here import project_to_read
from hardwon.cli.actions.moments import AsOf, KnownAt, asked_moment, asked_moments, moments_note
from hardwon.cli.views import escaped, quoted
from hardwon.kernel.actions import Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.mounts import VIA

if TYPE_CHECKING:
    from hardwon.kernel.journal import Block
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.query import Query
    from hardwon.kernel.ranking import Ranked
    from hardwon.kernel.scope import Context
    from hardwon.kernel.use_cases.recall import Recall
    from hardwon.kernel.use_cases.recall_answer import Hit

INCLUDED = ("observed", "archived")
JOURNAL = "journal"
TOLD_LINES, LONGEST_LINE = 6, 300
"""Lines of a turn, and characters of a line, that are told; --json has all."""
BROUGHT = {
    "rule": ", the rule behind the one above",
    "instance": ", an instance of the rule above",
    "against": ", which speaks against the one above",
}
"""What is shown only because of its link to a hit, and how that is said."""
IN_CONFLICT = "In conflict with another memory: `hardwon show {}` tells with which, `hardwon review` settles it."
WEAKER = "These come nearest; they may have nothing to do with it, and no agent is shown them unasked:"
EXPLAINED = 20
"""Candidates that an explanation lists; --json has all."""


def recall(
    home: Home,
    query: Annotated[str, "what you are about to do, or a question, in any words"],
    *,
    explain: Annotated[bool, "show what was found, ranked and shown, with each part of each score"] = False,
    include: Annotated[tuple[str, ...], "observed or archived memories, or the journal, too; may be given again"] = (),
    as_of: AsOf = None,
    known_at: KnownAt = None,
    project: Annotated[str | None, "ask from within this project, if not that of this folder"] = None,
    everywhere: Annotated[bool, "look into the memories of all projects"] = False,
    kind: Annotated[tuple[str, ...], "only this kind, as in rule; may be given again"] = (),
    limit: Annotated[int | None, "at most so many memories"] = None,
    budget: Annotated[int | None, "at most so many tokens"] = None,
    turns: Annotated[tuple[str, ...], "an earlier turn of the session, oldest first; may be given again"] = (),
) -> Report:
    """Ask the memory what it knows for a task."""
    from hardwon.kernel.memory import Status
    from hardwon.kernel.scope import Context
    from hardwon.kernel.use_cases.recall import hit_json, recall_json
    from hardwon.kernel.use_cases.recall import recall as ask
    from hardwon.kernel.use_cases.recall_weaker import weaker_answers

    home.require()
    _require_known(include)
    where = (Context(), None) if everywhere else _place(home, project)
    question = _question(home, query, where, kind, turns, (as_of, known_at), (limit, budget))
    then, _ = asked_moments(home, as_of, known_at)
    answer = ask(then, question, include=tuple(Status(name) for name in include if name != JOURNAL))
    weaker = weaker_answers(then, answer)
    data = recall_json(answer) | {"weaker": [hit_json(hit) for hit in weaker]}
    text = _text(answer, weaker) + (_became(home, answer, data) if known_at else _before(home, answer, data))
    if answer.refused and (note := moments_note(as_of, known_at)):
        text += f"\n\n{note}"
    if JOURNAL in include:
        blocks = home.storage.journal.search(query, question.limit, question.filter.projects)
        data[JOURNAL] = [_block_json(block) for block in blocks]
        text += _journal_text(query, blocks)
    if explain:
        data["explained"] = [_ranked_json(each) for each in answer.ranked]
    return Report(data, text + (_explanation(answer) if explain else ""))


def _before(home: Home, answer: Recall, data: dict[str, Any]) -> str:
    """Return how to see what came before the memories that are shown; programs find it among the notes."""
    from hardwon.kernel.use_cases.standing import replaced_told

    told = replaced_told(home, (hit.entry for hit in answer.hits))
    data["notes"] += told
    return "".join(f"\n\n{each}" for each in told)


def _became(home: Home, answer: Recall, data: dict[str, Any]) -> str:
    """Return the chain in which each memory stands that was believed then: what was before, and what came since."""
    from hardwon.kernel.use_cases.standing import chain_json, chain_text
    from hardwon.kernel.use_cases.superseding import chain_of

    chains = {hit.entry.id: chain for hit in answer.hits if (chain := chain_of(home, hit.entry.id))}
    data["chains"] = {id: chain_json(chain) for id, chain in chains.items()}
    return "".join(f"\n\n## What became of `{id}`\n\n{chain_text(chain)}" for id, chain in chains.items())


def _require_known(include: Sequence[str]) -> None:
    """Raise UsageError for what cannot be included."""
    for name in include:
        if name not in (*INCLUDED, JOURNAL):
            raise UsageError(f"--include takes {', '.join(INCLUDED)} or {JOURNAL}, not “{name}”.")


def _place(home: Home, project: str | None) -> tuple[Context, tuple[str | None, ...] | None]:
    """Return what is known of the asking reader, and by what names the projects go that are seen from there."""
    from hardwon.kernel.project_names import visible_names
    from hardwon.kernel.scope import Context
    from hardwon.kernel.use_cases.reading_place import context_in

    key, book = project_to_read(home, project)
    context = Context(project=key) if project else context_in(Path.cwd(), key)
    return context, visible_names(book, key)


def _question(
    home: Home,
    text: str,
    where: tuple[Context, tuple[str | None, ...] | None],
    kinds: Sequence[str],
    turns: Sequence[str],
    times: tuple[str | None, str | None],
    size: tuple[int | None, int | None],
) -> Query:
    """Return the question with who asks it. Raises UsageError, InvalidInput for a time that is none."""
    from pydantic import ValidationError

    from hardwon.kernel.memory import Kind
    from hardwon.kernel.query import RECALLED, Filter, Query

    unknown = [kind for kind in kinds if kind not in set(Kind)]
    if unknown:
        raise UsageError(f"“{unknown[0]}” is no kind of memory; there are {', '.join(Kind)}.")
    context, visible = where
    as_of, known_at = map(asked_moment, times)
    limit, budget = size
    wanted = tuple(map(Kind, kinds)) or None
    try:
        return Query(
            text=text,
            turns=tuple(turns),
            context=context,
            filter=Filter(kinds=wanted, projects=visible, statuses=RECALLED, as_of=as_of, known_at=known_at),
            limit=home.settings.recall.limit if limit is None else limit,
            budget=home.settings.recall.budget if budget is None else budget,
        )
    except ValidationError as error:
        field = error.errors()[0]["loc"][0]
        raise UsageError(f"--{field} cannot be so ({error.errors()[0]['msg']}); give another number.") from None


def _text(answer: Recall, weaker: Sequence[Hit[MemoryEntry]]) -> str:
    notes = "".join(f"\n\n{note}" for note in answer.notes)
    if weaker:
        return "\n\n".join([f"{answer.refused} {WEAKER}", *map(_hit_text, weaker)]) + notes
    if answer.refused:
        return f"Nothing is shown. {answer.refused}{notes}"
    brought: dict[str, list[Hit[MemoryEntry]]] = {}
    for hit in answer.hits:
        if hit.via in BROUGHT:
            brought.setdefault(hit.of or "", []).append(hit)
    own = [hit for hit in answer.hits if hit.via not in BROUGHT]
    ordered = [each for hit in own for each in (hit, *brought.get(hit.entry.id, ()))]
    return "\n\n".join(map(_hit_text, ordered)) + notes


def _hit_text(hit: Hit[MemoryEntry]) -> str:
    entry = hit.entry
    moment = entry.times.valid_at or entry.times.asserted_at
    via = BROUGHT.get(hit.via, "")
    place = entry.scope.project or "everywhere"
    by = " ".join(filter(None, [entry.source.said_by, entry.source.harness, entry.source.agent]))
    head = f"{entry.kind}{via}, {place}, {moment:%Y-%m-%d}, said by {by}, score {hit.score:.2f}"
    if hit.via == VIA:
        head = f"a mounted note, {place}, {entry.source.file}:{entry.source.line}, score {hit.score:.2f}"
    conflict = f"\n\n{IN_CONFLICT.format(entry.id)}" if entry.status == "conflict" else ""
    return f"**`{entry.id}`** ({escaped(head)})\n\n{quoted(entry.content)}{conflict}"


def _block_json(block: Block) -> dict[str, Any]:
    return {**asdict(block), "at": block.at.isoformat()}


def _journal_text(query: str, blocks: Sequence[Block]) -> str:
    """Return what was said about it, the lines that hold words of the question."""
    from hardwon.kernel.journal_search import telling_lines

    parts = ["\n\n## In the journal\n"]
    for block in blocks:
        head = f"{block.at:%Y-%m-%d %H:%M}, {block.harness}, {block.project or 'no project'}, session {block.session}"
        lines = telling_lines(query, block.said, TOLD_LINES)
        told = "\n".join(f"> {escaped(line.lstrip('> ')[:LONGEST_LINE])}" for line in lines)
        parts.append(f"**{escaped(head)}** (`{block.place}`)\n\n{told}\n")
    return "\n".join(parts) if blocks else f"{parts[0]}\nNothing that was said holds a word of the question."


def _explanation(answer: Recall) -> str:
    """Return what was found, how it was ranked and what was shown, with each part of each score."""
    shown = sum(1 for each in answer.ranked if each.hidden is None)
    lines = [
        f"\n\n## Why\n\nFound {counted(len(answer.ranked), 'candidate')}, shown {shown} of them and "
        f"{len(answer.hits) - shown} that their links brought; {answer.tokens} of {answer.query.budget} tokens.\n",
        "| memory | score | parts | shown |",
        "|---|---:|---|---|",
    ]
    for each in answer.ranked[:EXPLAINED]:
        parts = ", ".join(f"{name} {value:.2f}" for name, value in each.parts.items())
        lines.append(f"| `{each.candidate.id}` | {each.score:.3f} | {parts} | {escaped(each.hidden or 'yes')} |")
    if len(answer.ranked) > EXPLAINED:
        lines.append(f"\nand {len(answer.ranked) - EXPLAINED} more; `--json` has all of them")
    return "\n".join(lines)


def _ranked_json(each: Ranked) -> dict[str, Any]:
    return {
        "id": each.candidate.id,
        "score": round(each.score, 4),
        "parts": {name: round(value, 4) for name, value in each.parts.items()},
        "shown": each.hidden is None,
        "hidden": each.hidden,
    }
