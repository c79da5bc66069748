"""From the turns of one session to the journal and to memories, in one change of the history.

What no person, agent or tool said is taken out first. The extractor sees the whole session; what does not pass the
write gate, is known, was forgotten, or was shown by recall in this session, is counted and stays in the journal alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hardwon.kernel.confidence import DOUBTFUL
from hardwon.kernel.ids import fingerprint, new_id
from hardwon.kernel.import_format import tidy
from hardwon.kernel.injection import is_ours, without_ours
from hardwon.kernel.journal import Acquaintance, JournalTurn, Standing, known_as
from hardwon.kernel.lesson_fields import DERIVED, worded
from hardwon.kernel.memory import MemoryEntry, Source, Status, Times
from hardwon.kernel.plain_words import plain_words
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.redacting.values import redacted_turn
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.forgotten import load_forgotten, take_back, traces, words_trace
from hardwon.kernel.use_cases.known_words import KnownWords
from hardwon.kernel.use_cases.lesson_wording import with_sound_fields
from hardwon.kernel.use_cases.projects import load_projects
from hardwon.kernel.use_cases.remembering import stand_again
from hardwon.kernel.use_cases.session_places import SessionPlaces
from hardwon.kernel.use_cases.shown import ShownWords
from hardwon.kernel.use_cases.write_gate.admitting import admit
from hardwon.kernel.use_cases.write_gate.reinforcing import reinforce_each

if TYPE_CHECKING:
    from hardwon.kernel.extraction import Extract
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import Lesson
    from hardwon.kernel.ports import Extractor
    from hardwon.kernel.session import Turn

KNOWN, FORGOTTEN = "known", "forgotten"
SHOWN = "Recall showed it in this session."
OFFLINE = "offline"
"""The extractor that takes a lesson's parts from what was said, without a model."""
_FRESH = (Standing.NEW, Standing.GREW)


@dataclass
class Learned:
    """What came of turns."""

    turns: Counter[str] = field(default_factory=Counter)
    """By what was known of them before (`Standing`), and `off`: what is off leaves nothing."""
    extracts: int = 0
    kept: list[MemoryEntry] = field(default_factory=list)
    known: int = 0
    """Extracts that the memory has already."""
    forgotten: int = 0
    """Extracts that the user forgot on purpose before."""
    refused: Counter[str] = field(default_factory=Counter)
    """Extracts that the write gate refused, by reason."""

    def add(self, other: Learned) -> None:
        """Add what came of further turns."""
        self.turns += other.turns
        self.extracts += other.extracts
        self.kept += other.kept
        self.known += other.known
        self.forgotten += other.forgotten
        self.refused += other.refused

    def count(self, why: str) -> None:
        """Count an extract that was not wanted."""
        self.extracts += 1
        if why == KNOWN:
            self.known += 1
        elif why == FORGOTTEN:
            self.forgotten += 1
        else:
            self.refused[why] += 1

    def counts(self) -> dict[str, object]:
        """Return the numbers as JSON."""
        return {
            "turns": self.turns.total(),
            "standing": dict(self.turns),
            "extracts": self.extracts,
            "kept": len(self.kept),
            "known": self.known,
            "forgotten": self.forgotten,
            "refused": dict(self.refused.most_common()),
        }


@dataclass
class Learning:
    """One run over any number of sessions: what it has to know is looked up once."""

    home: Home
    project: str | None = None
    """The project of all turns, if one was given."""
    taken_by: str = ""
    """The import that takes them; empty where the session itself told of them."""
    again: bool = False
    """Take what was taken back, forgotten or archived as well."""
    dry_run: bool = False
    _met: Acquaintance = field(default_factory=Acquaintance)
    """The turns that a dry run met: it keeps nothing that could tell of them."""
    _agreements: list[tuple[str, MemoryEntry]] = field(default_factory=list)
    """Memories by their ids, and what says the same of which was not kept."""

    @cached_property
    def places(self) -> SessionPlaces:
        """Return where turns belong."""
        return SessionPlaces(self.home, self.project)

    @cached_property
    def _extractor(self) -> Extractor:
        extractor: Extractor = self.home.registry.get("extractors", self.home.settings.extractor)(self.home)
        return extractor

    @cached_property
    def _projects(self) -> ProjectBook:
        return load_projects(self.home) if self.home.exists else ProjectBook({})

    @cached_property
    def _known_words(self) -> KnownWords:
        return KnownWords(self.home)

    @cached_property
    def _forgotten(self) -> set[str]:
        return set() if self.again or not self.home.exists else load_forgotten(self.home)

    def require(self) -> None:
        """Open what every session needs. Raises StoreError, InvalidInput or PluginError where that is missing."""
        self._extractor  # noqa: B018 - opening is the check
        self.home.redactor  # noqa: B018
        if self.home.exists:
            load_projects(self.home)

    def learn(self, turns: Iterable[Turn], why: str, *, ended: bool, file: str | None = None) -> Learned:
        """Keep what one session's turns hold. Raises StoreError when nothing was kept, InvalidInput, PluginError."""
        learned = Learned()
        said = [turn for each in turns if (turn := self._said(each)).messages]
        on = [on for turn in said if (on := self.places.captured(turn)) is not None]
        learned.turns["off"] = len(said) - len(on)
        standing = self._standing(on)
        learned.turns.update(standing)
        fresh = {turn.id for turn, each in zip(on, standing, strict=True) if self._is_fresh(each)}
        if not fresh and not ended:
            return learned
        here = [turn for turn, each in zip(on, standing, strict=True) if each is not Standing.RETRACTED or self.again]
        own = {turn.id: turn for turn, each in zip(on, standing, strict=True) if each is not Standing.ELSEWHERE}
        extracts = [each for each in self._extractor.extract(here, ended=ended) if each.turn in own] if here else []
        wanted = self._sorted_out(extracts, own, fresh, learned, file)
        if not self.dry_run and (fresh or wanted):
            self._keep([turn for turn in on if turn.id in fresh], wanted, learned, why)
        else:
            learned.kept = wanted
        return learned

    def _said(self, turn: Turn) -> Turn:
        """Return a turn without secrets, what is private and what hardwon showed; what then says nothing is left out.

        An extractor may cut a text, and of half a secret nobody can tell what it is: so they go first.
        """
        messages = (
            replace(message, text=without_ours(message.text), request=without_ours(message.request))
            if is_ours(message.text) or is_ours(message.request)
            else message
            for message in turn.messages
        )
        turn = replace(turn, messages=tuple(each for each in messages if each.text.strip() or each.tool))
        return redacted_turn(self.home.redactor, turn)

    def _is_fresh(self, standing: Standing) -> bool:
        return standing in _FRESH or (standing is Standing.RETRACTED and self.again)

    def _standing(self, turns: Sequence[Turn]) -> list[Standing]:
        standing = self.home.storage.journal.standing(turns) if self.home.exists else [Standing.NEW] * len(turns)
        if self.dry_run:
            standing = [
                self._meet(turn) if each is Standing.NEW else each for turn, each in zip(turns, standing, strict=True)
            ]
        return standing

    def _meet(self, turn: Turn) -> Standing:
        standing = self._met.standing(turn)
        entry = self._journal_turn(turn)
        self._met.learn(known_as(entry, turn.messages, "", at=entry.at))
        return standing

    def _sorted_out(
        self, extracts: Sequence[Extract], turns: dict[str, Turn], fresh: set[str], learned: Learned, file: str | None
    ) -> list[MemoryEntry]:
        """Return the memories that are wanted; of the others, those of fresh turns are counted, each once."""
        shown = ShownWords(self.home, turns.values())
        wanted = []
        for extract in extracts:
            entry = self._entry(extract, turns[extract.turn], file)
            judged = self._judge(extract, entry, shown, archived_too=not self.again or extract.turn not in fresh)
            if judged is None:
                self._known_words.add(entry)
                wanted.append(entry)
                learned.extracts += 1
            elif extract.turn in fresh:
                learned.count(judged)
                self._note_agreement(entry, judged)
        return wanted

    def _note_agreement(self, entry: MemoryEntry, judged: str) -> None:
        """Take note of a memory that this session says too, in the same words: it is evidence for that one."""
        known = self._known_words.said_by(entry) if judged == KNOWN else None
        if known is not None and not self.taken_by:
            self._agreements.append((known, entry))

    def _judge(self, extract: Extract, entry: MemoryEntry, shown: ShownWords, *, archived_too: bool) -> str | None:
        """Return why an extract is not wanted: a reason, KNOWN or FORGOTTEN; None if it is.

        What lies in the archive is known too, unless its turn is being taken again.
        """
        if extract.refused:
            return extract.refused
        if shown.say(extract):
            return SHOWN
        if not self._forgotten.isdisjoint((*traces(entry), words_trace(entry))):
            return FORGOTTEN
        return KNOWN if self._known_words.holds(entry, archived_too=archived_too) else None

    def _entry(self, extract: Extract, turn: Turn, file: str | None) -> MemoryEntry:
        project = self.places.of_turn(turn).project
        now = self.home.clock.now()
        content = tidy(extract.content)
        doubtful = extract.confidence < DOUBTFUL or project is None
        entry = MemoryEntry(
            id=new_id(now),
            # Not of the project: a session that was taken once stays known, whatever its folder is called by then.
            idempotency_key=f"capture:{fingerprint(turn.harness, turn.session, plain_words(content))}",
            kind=extract.kind,
            content=content,
            scope=Scope(project=project),
            branch=turn.branch,
            source=_source(extract, turn, file),
            times=Times(valid_at=extract.at or turn.at, asserted_at=now),
            confidence=extract.confidence,
            status=Status.OBSERVED if doubtful else Status.ACTIVE,
        )
        return self._with_parts(entry, extract.lesson)

    def _with_parts(self, entry: MemoryEntry, lesson: Lesson) -> MemoryEntry:
        """Return a memory with the parts that the extractor gave it, noted as the extractor's, as far as they stand."""
        given, _ = with_sound_fields(self.home, entry.model_copy(update={"lesson": lesson}), book=self._projects)
        parts = {name: words for name, words in given.lesson.model_dump().items() if words}
        by = DERIVED if self._extractor.name == OFFLINE else self._extractor.name
        return entry.model_copy(update=worded(entry, parts, by)) if parts else entry

    def _keep(self, turns: list[Turn], wanted: Sequence[MemoryEntry], learned: Learned, why: str) -> None:
        """Write turns and memories in one change."""
        storage = self.home.storage
        with storage.operation(why):
            self.places.claim(turns)
            storage.journal.write([self._journal_turn(turn) for turn in turns], again=self.again)
            kept = self._admitted(wanted)
            reinforce_each(self.home, self._agreements)
            self._agreements.clear()
            if self.again:
                take_back(self.home, wanted)
                kept = [stand_again(self.home, each, entry.status) for each, entry in zip(kept, wanted, strict=True)]
        fresh = {entry.id for entry in wanted}
        learned.kept = [entry for entry in kept if entry.id in fresh or self.again]
        learned.known += len(kept) - len(learned.kept)

    def _admitted(self, wanted: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """Return what says each now: itself, or a memory that said it before. A bulk import is examined later."""
        if self.taken_by or self.again:
            return self.home.storage.memories.put(wanted)
        return [admit(self.home, entry).entry for entry in wanted]

    def _journal_turn(self, turn: Turn) -> JournalTurn:
        at = turn.at or next((each.at for each in turn.messages if each.at), None) or self.home.clock.now()
        return JournalTurn(turn, at, self.places.of_turn(turn).project, self.taken_by)


def _source(extract: Extract, turn: Turn, file: str | None) -> Source:
    return Source(
        said_by=extract.said_by,
        harness=turn.harness,
        agent=turn.harness if extract.said_by == "agent" else None,
        session=turn.session,
        turn=extract.turn,
        file=file,
        evidence=tidy(extract.evidence) or None,
    )
