"""memory_save: something that an agent was taught, kept for its project, or refused with what is to be mended."""

from __future__ import annotations

from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.git_config import current_branch
from hardwon.kernel.import_format import memory_of
from hardwon.kernel.memory import Kind, Lesson, MemoryEntry
from hardwon.kernel.ports import Filed
from hardwon.kernel.principle import LONGEST, SHORTEST, principle_problems
from hardwon.kernel.redacting.values import redacted, sentence
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.kernel.use_cases.embedding_process import start_embedding
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.projects import claim
from hardwon.kernel.use_cases.remembering import remember
from hardwon_mcp.work.context import Context, Told
from hardwon_mcp.work.telling import memory_data

CONFIDENCE = 0.6
"""Of what an agent says; what a person says has 1."""
PARTS = tuple(Lesson.model_fields)


def save(context: Context, arguments: dict[str, Any]) -> Told:
    """Keep a memory. Raises InvalidInput that says what was refused and how to mend it."""
    context.require_capture()
    if context.identity is None:
        raise InvalidInput(
            f"Nothing was saved: the folder {context.folder} is no project, and nobody would find it again; ask the "
            "user to open a project, or to run `hardwon remember --global` for what holds everywhere."
        )
    require_nameless(arguments.get("principle"), context, "saved")
    record = _record(context, arguments)
    entry = memory_of(record, project=claim(context.home, context.identity), now=_now(context))
    given, secrets = redacted(context.home.redactor, entry)
    replaced = find_memory(context.home, arguments["replaces"], context.visible) if "replaces" in arguments else None
    with context.home.storage.operation(f"Remember: {given.title}"):
        kept, new = remember(context.home, given)
        kept = _completed(context, kept, given.lesson)
        if replaced and replaced.id != kept.id:
            _supersede(context, kept, replaced)
    start_embedding(context.home)
    notes = [
        *([f"It takes the place of {replaced.id}."] if replaced else []),
        *([sentence(secrets)] if secrets else []),
    ]
    told = _told(context, kept, new, notes)
    return Told({**told.data, "replaces": replaced.id if replaced else None, "redacted": secrets}, told.text)


def require_nameless(sentence: str | None, context: Context, done: str) -> None:
    """Raise InvalidInput for a principle that could not stand as a rule; `done` is what was not done."""
    problems = principle_problems(sentence, [name for name in context.names if name]) if sentence else []
    if problems:
        raise InvalidInput(
            f"Nothing was {done}, because the principle “{sentence}” {', '.join(problems)}; write one sentence of "
            f"{SHORTEST} to {LONGEST} words that says what to do in any project, without names of projects, files, "
            "functions, versions or people and without quoted code, and call this again with everything else."
        )


def _now(context: Context) -> Any:
    return context.home.clock.now()


def _record(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "content": arguments["content"],
        "kind": arguments.get("kind", Kind.LESSON.value),
        "topics": arguments.get("topic"),
        "tags": arguments.get("tags", []),
        "lesson": {name: arguments[name] for name in PARTS if arguments.get(name)},
        "source": {
            "said_by": "agent",
            "harness": context.caller.harness,
            "agent": context.caller.name,
            "session": context.session,
            "evidence": arguments.get("evidence"),
        },
        "branch": current_branch(str(context.folder)),
        "confidence": CONFIDENCE,
    }


def _completed(context: Context, kept: MemoryEntry, given: Lesson) -> MemoryEntry:
    """Return a memory that was known with the parts that it lacked; what it says already stays."""
    lacking = {name: getattr(given, name) for name in PARTS if getattr(given, name) and not getattr(kept.lesson, name)}
    if not lacking:
        return kept
    return context.home.storage.memories.update(kept.id, {"lesson": kept.lesson.model_copy(update=lacking)})


def _supersede(context: Context, kept: MemoryEntry, replaced: MemoryEntry) -> None:
    edge = Relation(source=kept.id, kind=RelationKind.SUPERSEDES, target=replaced.id, asserted_at=_now(context))
    context.home.storage.memories.relate([edge])


def _told(context: Context, kept: MemoryEntry, new: bool, notes: list[str]) -> Told:
    storage = context.home.storage
    path = storage.path_of(kept.id) if isinstance(storage, Filed) else None
    where = f" in {path}" if path else ""
    head = f"Saved as {kept.id} for {kept.scope}{where}." if new else f"This was known already, as {kept.id}{where}."
    lines = [head, *notes]
    if kept.kind is Kind.LESSON and not kept.lesson.principle:
        lines.append("It has no principle, so it cannot become part of a rule; call this again with one to add it.")
    return Told({"saved": new, "path": str(path) if path else None, "memory": memory_data(kept)}, " ".join(lines))
