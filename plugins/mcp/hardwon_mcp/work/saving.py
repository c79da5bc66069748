"""memory_save: something that an agent was taught, kept for its project, with what of its lesson is to be mended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.git_config import current_branch
from hardwon.kernel.import_format import memory_of
from hardwon.kernel.lesson_fields import FIELDS, Mending, mending_text
from hardwon.kernel.memory import Kind, MemoryEntry
from hardwon.kernel.ports import Filed
from hardwon.kernel.redacting.values import redacted, sentence
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.drafts_told import mending_data
from hardwon.kernel.use_cases.embedding_process import start_embedding
from hardwon.kernel.use_cases.lesson_wording import with_sound_fields
from hardwon.kernel.use_cases.lookup import find_memory
from hardwon.kernel.use_cases.projects import claim
from hardwon.kernel.use_cases.remembering import remember
from hardwon_mcp.work.context import Context, Told
from hardwon_mcp.work.telling import memory_data

CONFIDENCE = 0.6
"""Of what an agent says; what a person says has 1."""
LEFT_OUT = {
    "en": "Kept without what follows. {} Send only that, by memory_draft_save with the id {}; the rest stays.",
    "zh": "以下内容没有保存，其余已保存。{} 请只把改好的字段用 memory_draft_save 和编号 {} 再发一次。",
}
NO_PRINCIPLE = (
    "It has no principle, so it cannot become part of a rule; if what it teaches holds elsewhere, give one by "
    "memory_draft_save with the id {}."
)


def save(context: Context, arguments: dict[str, Any]) -> Told:
    """Keep a memory. Raises InvalidInput that says what was refused and how to mend it."""
    context.require_capture()
    if context.identity is None:
        raise InvalidInput(
            f"Nothing was saved: the folder {context.folder} is no project, and nobody would find it again; ask the "
            "user to open a project, or to run `hardwon remember --global` for what holds everywhere."
        )
    record = _record(context, arguments)
    entry = memory_of(record, project=claim(context.home, context.identity), now=_now(context))
    whole, secrets = redacted(context.home.redactor, entry)
    given, to_mend = with_sound_fields(context.home, whole, folder=context.folder)
    replaced = find_memory(context.home, arguments["replaces"], context.visible) if "replaces" in arguments else None
    admitted = remember(context.home, given, replaces=replaced, by=context.caller.name)
    start_embedding(context.home)
    notes = [*admitted.notes, *([sentence(secrets)] if secrets else [])]
    told = _told(context, admitted.entry, admitted.is_new, to_mend, notes)
    return Told({**told.data, "replaces": replaced.id if replaced else None, "redacted": secrets}, told.text)


def _now(context: Context) -> Any:
    return context.home.clock.now()


def _record(context: Context, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "content": arguments["content"],
        "kind": arguments.get("kind", Kind.LESSON.value),
        "topics": arguments.get("topic"),
        "tags": arguments.get("tags", []),
        "lesson": {name: arguments[name] for name in FIELDS if arguments.get(name)},
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


def _told(context: Context, kept: MemoryEntry, new: bool, to_mend: Sequence[Mending], notes: list[str]) -> Told:
    storage = context.home.storage
    path = storage.path_of(kept.id) if isinstance(storage, Filed) else None
    where = f" in {path}" if path else ""
    head = f"Saved as {kept.id} for {kept.scope}{where}." if new else f"This was known already, as {kept.id}{where}."
    lines = [head, *notes]
    if to_mend:
        language = language_of(kept.content)
        lines.append(LEFT_OUT[language].format(mending_text(to_mend, language), kept.id))
    elif kept.kind is Kind.LESSON and not kept.lesson.principle:
        lines.append(NO_PRINCIPLE.format(kept.id))
    data = {"saved": new, "path": str(path) if path else None, "memory": memory_data(kept)}
    # Some clients show their model the data alone.
    return Told({**data, "to_mend": mending_data(to_mend), "advice": " ".join(lines[1:])}, " ".join(lines))
