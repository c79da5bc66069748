"""What the memory says at a session's start and to a prompt, in one session of one harness."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from hardwon.kernel.hook.capturing import capture_shown
from hardwon.kernel.hook.place import place_of
from hardwon.kernel.hook.session_state import SessionState
from hardwon.kernel.hook.tables import SESSION_START
from hardwon.kernel.injection import LIMIT, TOKENS_BESIDE, guidance_of, render, tokens_of_frame
from hardwon.kernel.injection_words import CHINESE, ENGLISH
from hardwon.kernel.mounts import FILE as MOUNTS
from hardwon.kernel.prompt import asked
from hardwon.kernel.ranking import tokens_of

if TYPE_CHECKING:
    from hardwon.kernel.hook.deadline import Deadline
    from hardwon.kernel.hook.reading import Found, Reader
    from hardwon.kernel.hook.tables import Event

QUEUE = "memory/review-queue"
RESUME, COMPACT, CLEAR = "resume", "compact", "clear"


class Answering:
    """One answer. A memory that cannot be read is silent; whether the worker has to look after it, it tells."""

    def __init__(self, home: str, harness: str, data: Mapping[str, Any], event: Event, deadline: Deadline) -> None:
        self._home = home
        self._harness = harness
        self._data = data
        self._event = event
        self._deadline = deadline
        self._state = SessionState(home, harness, event.session)
        self._table: Mapping[str, Any] = data["harnesses"][harness]
        self._place = place_of(home, data, event.folder)
        self._said: list[tuple[str, str, float]] = []
        self.wants_worker = False

    def text(self) -> str:
        """Return what is said; empty where there is nothing to say."""
        if self._event.moment == SESSION_START:
            return self._at_start()
        return self._to_prompt()

    def remember(self) -> None:
        """Keep what was said, for this session and for `why`. Raises OSError where that is not possible."""
        if self._said:
            self._state.add(id for id, _, _ in self._said)
            capture_shown(self._home, self._harness, self._event, self._said)

    def _at_start(self) -> str:
        source = self._event.source
        if source == RESUME:
            return ""
        if source in (COMPACT, CLEAR):
            self._state.forget()
        self._state.prune()
        has_tools = bool(self._table.get("tools"))
        guidance = guidance_of(self._language(), has_tools=has_tools)
        budget = self._data["settings"]["session_budget"] - tokens_of_frame(self._language(), guidance)
        found = self._asked(lambda reader: reader.at_start(budget))
        pending = _pending(self._home)
        if has_tools and not (found or pending):
            return ""  # the tools bring their own instructions
        return self._rendered(found, guidance, pending)

    def _to_prompt(self) -> str:
        settings = self._data["settings"]
        words, pasted = asked(self._event.prompt)
        turns = (*self._event.turns, pasted) if pasted else self._event.turns
        known = self._state.shown()
        limit, budget = settings["limit"], settings["budget"] - tokens_of_frame(self._language())
        found = self._asked(lambda reader: reader.recall(words, turns, known, limit, budget))
        if os.path.exists(f"{self._home}/{MOUNTS}"):  # what mounted folders say stands beside what is remembered
            limit -= len(found)
            budget -= sum(tokens_of(each.shown.content) + TOKENS_BESIDE for each in found)
            found += self._asked(lambda reader: reader.recall(words, turns, known, limit, budget), "mount_reader")
        return self._rendered(found)

    def _asked(self, ask: Callable[[Reader], list[Found]], half: str = "reader") -> list[Found]:
        """Return what the store's half says, or another; nothing where that cannot be read now."""
        name = self._data.get(half)
        if not name:
            return []
        store = __import__(name, fromlist=["open_reader"])
        reader: Reader | None = store.open_reader(
            self._home, self._harness, self._place, self._language(), self._deadline
        )
        found = ask(reader) if reader else []
        self.wants_worker = self.wants_worker or reader is None or reader.is_behind
        return found

    def _rendered(self, found: list[Found], guidance: tuple[str, ...] = (), pending: int = 0) -> str:
        block = render(
            [each.shown for each in found],
            language=self._language(),
            project=self._place.names,
            guidance=guidance,
            pending=pending,
            limit=min(LIMIT, self._table.get("limit", LIMIT)),
        )
        kept = set(block.ids)
        self._said = [(each.shown.id, each.via, each.score) for each in found if each.shown.id in kept]
        return block.text

    def _language(self) -> str:
        """Return the language to speak: that of the settings, else the prompt's, else that of the user's system."""
        chosen = self._data["settings"].get("language")
        if chosen:
            return str(chosen)
        if self._event.prompt:
            from hardwon.kernel.text import language_of

            return language_of(self._event.prompt)
        spoken = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
        return CHINESE if spoken.startswith("zh") else ENGLISH


def _pending(home: str) -> int:
    """Return how many proposals await review: files right in the queue's folder (DESIGN.md §3)."""
    try:
        return sum(name.endswith(".md") for name in os.listdir(f"{home}/{QUEUE}"))
    except OSError:
        return 0
