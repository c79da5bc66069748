"""Commands that write one memory: remember it, change it, forget it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.actions.here import project_to_write
from hardwon.cli.views import memory_json, problem_lines
from hardwon.kernel.actions import Report
from hardwon.kernel.errors import InvalidInput, UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.lesson_fields import Mending
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.records import Problem
    from hardwon.kernel.use_cases.write_gate.admitting import Admitted


def remember(
    home: Home,
    text: Annotated[str, "what to remember, in Markdown; - reads it from standard input"],
    *,
    topic: Annotated[tuple[str, ...], "where it belongs, as in storage.files; may be given again"] = (),
    project: Annotated[str | None, "the project it belongs to, if not that of this folder"] = None,
    global_: Annotated[bool, "it holds in every project"] = False,
    kind: Annotated[str, "fact, preference, event, decision, lesson, pattern or context"] = "lesson",
    situation: Annotated[str | None, "of a lesson: what was being done"] = None,
    cause: Annotated[str | None, "of a lesson: why it went wrong"] = None,
    fix: Annotated[str | None, "of a lesson: what helped"] = None,
    principle: Annotated[str | None, "of a lesson: one sentence without names that says what to do"] = None,
    tag: Annotated[tuple[str, ...], "a word to find it by; may be given again"] = (),
    replaces: Annotated[str | None, "the id of a memory that no longer holds and whose place this takes"] = None,
) -> Report:
    """Remember something, in your own words."""
    from hardwon.kernel.redacting.values import redacted
    from hardwon.kernel.use_cases.embedding_process import start_embedding
    from hardwon.kernel.use_cases.lesson_wording import with_sound_fields
    from hardwon.kernel.use_cases.lookup import find_memory
    from hardwon.kernel.use_cases.remembering import remember as keep

    if kind == "rule":
        raise UsageError("A rule comes from lessons and your yes; remember a lesson, then run `hardwon consolidate`.")
    record: dict[str, Any] = {"content": _given(text), "kind": kind, "topics": topic, "tags": tag}
    record["lesson"] = {"situation": situation, "cause": cause, "fix": fix, "principle": principle}
    made = not home.exists
    home.create()
    written = _written(home, record, project_to_write(home, project, everywhere=global_))
    whole, secrets = redacted(home.redactor, written)
    given, to_mend = with_sound_fields(home, whole, folder=None if global_ or project else Path.cwd())
    admitted = keep(home, given, replaces=find_memory(home, replaces) if replaces else None)
    start_embedding(home)
    return _kept_told(home, admitted, secrets, to_mend, made=made)


def _written(home: Home, record: dict[str, Any], project: str | None) -> MemoryEntry:
    """Return what the user wrote as a memory. Raises InvalidInput."""
    from hardwon.kernel.confidence import WRITTEN
    from hardwon.kernel.import_format import memory_of

    record = {**record, "confidence": WRITTEN, "source": {"said_by": "user"}}
    return memory_of(record, project=project, now=home.clock.now())


def _kept_told(
    home: Home, admitted: Admitted, secrets: Sequence[str], to_mend: Sequence[Mending], *, made: bool
) -> Report:
    """Return what became of what the user wrote, and what else happened by it."""
    from hardwon.kernel.lesson_fields import mending_text
    from hardwon.kernel.redacting.values import sentence
    from hardwon.kernel.text import language_of
    from hardwon.kernel.use_cases.drafts_told import mending_data

    entry = admitted.entry
    known = f"This is known already, as `{entry.id}`."
    told = [f"Remembered `{entry.id}` for {entry.scope}." if admitted.is_new else known, *admitted.notes]
    told += [f"The memory was made at `{home.path}` (named by {home.named_by})."] if made else []
    told += filter(None, [sentence(secrets)])
    if to_mend:
        mend = mending_text(to_mend, language_of(entry.content))
        told.append(f"Left out of it. {mend}\n\nGive only that, mended: `hardwon drafts save {entry.id} …`")
    data = {**memory_json(entry), "new": admitted.is_new, "notes": admitted.notes, "redacted": secrets}
    return Report(data | {"to_mend": mending_data(to_mend)}, "\n\n".join(told))


def _given(text: str) -> str:
    """Return the text that the user gave, or sent to standard input. Raises InvalidInput where it is empty."""
    content = sys.stdin.read() if text == "-" else text
    if not content.strip():
        raise InvalidInput("The text is empty, so nothing was kept; give what is to be remembered.")
    return content


def edit(
    home: Home,
    id: Annotated[str, "the memory's id, the start of it, or the id it had elsewhere"],
    *,
    content: Annotated[str | None, "the new text; without it, your $EDITOR opens the file"] = None,
) -> Report:
    """Change a memory: its file in your editor, or its text at once."""
    from hardwon.kernel.redacting.values import redacted, sentence
    from hardwon.kernel.use_cases.embedding_process import start_embedding
    from hardwon.kernel.use_cases.lookup import find_memory

    home.require()
    before = find_memory(home, id)
    given, secrets = redacted(home.redactor, content or "")
    after, problems = _by_hand(home, before) if content is None else (_with_content(home, before, given), [])
    changed = after.revision != before.revision
    if changed:
        start_embedding(home)
    text = f"Changed `{after.id}`." if changed else f"`{before.id}` is as it was."
    if secrets:
        text += f"\n\n{sentence(secrets)}"
    if problems:
        text += f"\n\n{problem_lines(problems)}"
    data = {**memory_json(after), "changed": changed, "redacted": secrets, "problems": problems}
    return Report(data, text, failed=bool(problems))


def _with_content(home: Home, before: MemoryEntry, content: str) -> MemoryEntry:
    from hardwon.kernel.import_format import tidy

    text = tidy(content)
    if not text:
        raise InvalidInput(f"The text is empty, so nothing was changed; `hardwon forget {before.id}` deletes a memory.")
    if text == before.content:
        return before
    with home.storage.operation(f"Edit {before.id}: {before.title}"):
        return home.storage.memories.update(before.id, {"content": text}, expected_revision=before.revision)


def _by_hand(home: Home, before: MemoryEntry) -> tuple[MemoryEntry, list[Problem]]:
    """Let the user edit the memory's file, or its text where the store has no files; return what it is now."""
    from hardwon.cli.editor import edit_file
    from hardwon.kernel.ports import Filed

    path = home.storage.path_of(before.id) if isinstance(home.storage, Filed) else None
    if path is None:
        return _with_content(home, before, home.console.edit(before.content)), []
    edit_file(path)
    home.close()  # a store that is opened again looks at its files again
    problems = [each for each in home.storage.problems() if each.where.startswith(str(path))]
    return home.storage.memories.get([before.id]).get(before.id, before), problems


def forget(
    home: Home,
    id: Annotated[str, "the memory's id, the start of it, or the id it had elsewhere"],
    *,
    yes: Annotated[bool, "do not ask"] = False,
) -> Report:
    """Delete a memory and its links, so that no import brings it back."""
    from hardwon.kernel.ports import Filed
    from hardwon.kernel.use_cases.lookup import find_memory
    from hardwon.kernel.use_cases.remembering import forget as delete

    home.require()
    entry = find_memory(home, id)
    if not yes and not home.console.confirm(f"Forget {entry.id} “{entry.title}” for good?"):
        raise UsageError(f"Nothing was forgotten; repeat with --yes to forget {entry.id}.")
    others = delete(home, entry)
    text = f"Forgot `{entry.id}`; no import brings it back."
    if others:
        ids = ", ".join(f"`{each.id}`" for each in others)
        text += f" Other sources said the same, and their words lie in the archive: forget {ids} too if they shall go."
    if isinstance(home.storage, Filed):
        text += " Its earlier text is still in the history of the memory's git repository."
    copies = _copies(home)
    if copies:
        text += f" It may still stand in {', '.join(map(str, copies))}: remove what you need no more."
    return Report(
        {
            "forgotten": entry.id,
            "external_id": entry.external_id,
            "said_elsewhere": [each.id for each in others],
            "copies": [str(each) for each in copies],
        },
        text,
    )


def _copies(home: Home) -> list[Path]:
    """Return what lies in the home of the memory as it was, and may hold what is forgotten."""
    from hardwon.kernel.kept_where import Places
    from hardwon.kernel.ports import KeepsCopies

    copies = home.storage.copies() if isinstance(home.storage, KeepsCopies) else []
    return copies + Places(home.path, home.registry.all("store_places")).left_behind(home.settings.store)
