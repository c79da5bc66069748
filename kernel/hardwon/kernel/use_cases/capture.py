"""Capture: takes what the hooks left in the spool, session by session, into the journal and the memory.

A record is removed once what came of it is committed, and everything is known again by its own keys, so that a process
that is killed anywhere loses nothing and keeps nothing twice. What cannot be taken stops no other session.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardwon.kernel import background
from hardwon.kernel.errors import HardwonError, StoreError
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.use_cases.captured_turns import clear_readings, turns_of
from hardwon.kernel.use_cases.learning import Learned, Learning
from hardwon.kernel.use_cases.showing import record_shown
from hardwon.kernel.use_cases.spooled import (
    ENDED,
    LOCK_FILE,
    OPEN,
    SHOWN,
    Record,
    clear_unfinished,
    keep_open,
    records,
    remove,
    set_aside,
)

if TYPE_CHECKING:
    from hardwon.kernel.home import Home

KIND = "capture"
"""Of the activity that tells of it."""
IDLE = 600.0
"""Seconds without an event after which a session counts as ended."""
PATIENCE = 86_400.0
"""Seconds for which a record waits for a transcript that is not there."""
LONGEST_WAIT = 60.0
"""Seconds for which whoever needs all that was captured waits for another process."""
FORGOTTEN = 30 * PATIENCE
"""Seconds after which a record of a harness that nothing here can read is set aside."""


@dataclass
class Captured:
    """What came of the spool."""

    sessions: int = 0
    learned: Learned = field(default_factory=Learned)
    shown: int = 0
    lost: int = 0
    """Sessions whose transcript was gone for a day."""
    problems: list[Problem] = field(default_factory=list)
    waiting: int = 0
    """Records that are left for another time."""
    busy: bool = False
    """Another process was at it, and nothing was done."""


def capture(home: Home, *, settle: bool = False, patience: float = 0.0) -> Captured:
    """Take what is in the spool; `settle` counts every session as ended.

    Another process that is at it is waited for as many seconds as `patience` says; then nothing is done. Raises
    StoreError when the memory cannot be written, InvalidInput and PluginError when something is missing that every
    session needs; what was not taken is still in the spool.
    """
    with background.alone(home.path / LOCK_FILE, patience) as free:
        if not free:
            return Captured(busy=True)
        clear_readings(home.path)
        clear_unfinished(home.path, home.clock.now().timestamp())
        return _Run(home, settle=settle).take_all()


class _Run:
    """One run over the spool by the process that holds the lock."""

    def __init__(self, home: Home, *, settle: bool) -> None:
        self._home = home
        self._settle = settle
        self._learning = Learning(home)
        self._result = Captured()
        self._now = home.clock.now().timestamp()

    def take_all(self) -> Captured:
        """Take every session's records, the session that began first before the others."""
        found = list(records(self._home.path))
        if found:
            self._learning.require()
        shown = [record for record in found if record.moment == SHOWN]
        self._result.shown = record_shown(self._home, shown)
        sessions: dict[tuple[str, str], list[Record]] = {}
        for record in sorted(found, key=lambda each: each.name):
            if record.moment != SHOWN:
                sessions.setdefault((record.harness, record.session), []).append(record)
        begun = [session[0] for session in sessions.values() if session[0].folder != OPEN]
        for session in sessions.values():
            self._take_or_leave(session, begun)
        return self._result

    def _take_or_leave(self, session: Sequence[Record], begun: Sequence[Record]) -> None:
        """Take one session, or say why it was left; a memory that cannot be written ends the run."""
        try:
            ended = self._settle or self._is_ended(session, begun)
            if ended or any(record.folder != OPEN for record in session):
                self._take(session, ended=ended)
        except StoreError:
            raise
        except FileNotFoundError as error:
            why = f"{error.filename} is not there (yet); it is looked for until this is a day old."
            self._wait(session, PATIENCE, why)
        except (HardwonError, OSError) as error:
            self._wait(session, FORGOTTEN, str(error))
        except Exception as error:  # an adapter or an extractor may be anybody's: its mistake stops no other session
            name = f"{type(error).__name__}: {error}"
            self._set_aside(session, f"It cannot be read ({name}); tell the author of the plugin.")

    def _is_ended(self, session: Sequence[Record], begun: Sequence[Record]) -> bool:
        """Tell whether a session is over: it said so, nothing came for a while, or the project has a later one.

        `begun` holds the first event of each session that began since the spool was last looked at.
        """
        last = session[-1]
        if last.moment == ENDED or abs(self._now - last.at) >= IDLE:
            return True
        project = self._project(last)
        later = (other for other in begun if other.name > last.name and other.session != last.session)
        return project is not None and any(self._project(other) == project for other in later)

    def _project(self, record: Record) -> str | None:
        """Return the project of an event; None where there is none, or its folder says something broken."""
        with contextlib.suppress(HardwonError, OSError):
            return self._learning.places.place(record.harness, record.working_folder).project
        return None

    def _take(self, session: Sequence[Record], *, ended: bool) -> None:
        last = session[-1]
        read = turns_of(self._home, session)
        why = f"Capture a session of {last.harness} ({last.session[:36]})"
        learned = self._learning.learn(read.turns, why, ended=ended, file=read.file)
        self._result.problems += read.problems
        self._result.sessions += 1
        self._result.learned.add(learned)
        self._record(last, learned, ended=ended, problems=len(read.problems))
        self._let_go(session, ended=ended)

    def _let_go(self, session: Sequence[Record], *, ended: bool) -> None:
        """Remove records; of a session that goes on, those that it needs to be looked at again are kept."""
        needed: list[Record] = []
        if not ended:
            telling = [record for record in session if record.transcript]
            needed = telling[-1:] or [record for record in session if record.has_messages]
        keep_open(self._home.path, needed)
        remove(self._home.path, [record for record in session if record not in needed])

    def _wait(self, session: Sequence[Record], patience: float, why: str) -> None:
        """Leave a session for another time, or, once it has waited long enough, give it up and say so."""
        last = session[-1]
        if abs(self._now - last.at) < patience:
            self._result.waiting += len(session)
            self._result.problems.append(Problem(where=str(last.transcript or last.session), what=why))
        elif patience == PATIENCE:
            details = {"harness": last.harness, "lost": why, "transcript": str(last.transcript)}
            self._note(last, details)
            remove(self._home.path, session)
            self._result.lost += 1
        else:
            self._set_aside(session, why)

    def _set_aside(self, session: Sequence[Record], why: str) -> None:
        set_aside(self._home.path, [(record.folder, record.name) for record in session], why)
        self._result.problems.append(Problem(where=str(session[-1].transcript or session[-1].session), what=why))

    def _record(self, last: Record, learned: Learned, *, ended: bool, problems: int) -> None:
        if not (learned.kept or learned.extracts or learned.turns["new"] or learned.turns["grew"]):
            return
        self._note(
            last,
            {
                "harness": last.harness,
                **learned.counts(),
                "memories": [entry.id for entry in learned.kept],
                "ended": ended,
                "problems": problems,
            },
        )

    def _note(self, last: Record, details: Mapping[str, object]) -> None:
        activity = Activity(kind=KIND, at=self._home.clock.now(), session=last.session, details=dict(details))
        self._home.storage.ledger.append([activity])
