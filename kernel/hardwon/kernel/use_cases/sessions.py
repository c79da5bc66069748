"""Past sessions: the transcripts that a harness keeps, or given ones, into the journal and the memory.

Each turn is taken once, however many files hold it. What was read is noted file by file, so that a second import passes
over what has not changed. An import is one change of the history as long as its turns fit into memory at once; a longer
one is several with one id, and what stands of it when it is cut off is not done again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hardwon.kernel import background
from hardwon.kernel.errors import HardwonError, NotFound, StoreError
from hardwon.kernel.ids import new_id
from hardwon.kernel.records import Activity, Problem
from hardwon.kernel.session import Turn
from hardwon.kernel.use_cases.capture import IDLE, LONGEST_WAIT
from hardwon.kernel.use_cases.capture_process import start_capture
from hardwon.kernel.use_cases.captured_turns import require_file
from hardwon.kernel.use_cases.learning import Learned, Learning
from hardwon.kernel.use_cases.read_sessions import ReadFiles, file_mark
from hardwon.kernel.use_cases.spooled import LOCK_FILE

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.ports import HarnessAdapter

KIND = "import"
"""Of the activity that tells of it."""
BATCH = 2_000
"""Turns that are held at once."""
SUFFIXES = (".jsonl", ".json")
"""Of transcripts in a given folder."""


@dataclass
class SessionsImport:
    """What came of an import of past sessions."""

    id: str
    harness: str
    files: int = 0
    """Transcripts that were read."""
    unchanged: int = 0
    """Transcripts that were read before and have not changed."""
    sessions: int = 0
    learned: Learned = field(default_factory=Learned)
    problems: list[Problem] = field(default_factory=list)


@dataclass
class _Transcript:
    """One file, and the turns that were read from it."""

    path: Path
    mark: tuple[int, str]
    turns: list[Turn]
    is_settled: bool
    """Nothing was written to it for a while: the session is over."""


def import_sessions(
    home: Home,
    harness: str,
    paths: Sequence[Path] = (),
    *,
    since: datetime | None = None,
    project: str | None = None,
    again: bool = False,
    dry_run: bool = False,
) -> SessionsImport:
    """Take the sessions of a harness: of the given files, else of all that it keeps.

    `since` leaves out what was said before; `again` takes what was taken back or forgotten as well. A dry run changes
    nothing. Raises NotFound, PluginError, InvalidInput; StoreError when the memory cannot be written: what was taken
    until then stands, and the next import goes on from there.
    """
    adapter: HarnessAdapter = home.registry.get("harnesses", harness)
    files = list(_files(adapter, paths, since))
    run = _Run(home, adapter, since, again=again, dry_run=dry_run, project=project)
    run.learning.require()
    with home.console.track(f"Reading sessions of {harness}", len(files)) as done:
        for path in files:
            run.read(path)
            done(1)
    run.finish()
    if not dry_run:
        start_capture(home)
    return run.result


def _files(adapter: HarnessAdapter, paths: Sequence[Path], since: datetime | None) -> Iterator[Path]:
    """Walk the transcripts, the oldest first: a copy is known by what it was copied from."""
    found = [file for path in paths for file in _below(path)] if paths else list(adapter.transcripts(since))
    yield from sorted(dict.fromkeys(found), key=lambda path: (path.stat().st_mtime, str(path)))


def _below(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (each for each in sorted(path.rglob("*")) if each.suffix in SUFFIXES and each.is_file())
    elif path.exists():
        yield path
    else:
        raise NotFound(f"There is no {path}; give a transcript or a folder of transcripts that exists.")


class _Run:
    """One import under way."""

    def __init__(
        self,
        home: Home,
        adapter: HarnessAdapter,
        since: datetime | None,
        *,
        again: bool,
        dry_run: bool,
        project: str | None,
    ) -> None:
        id = new_id(home.clock.now())
        self.result = SessionsImport(id, adapter.name)
        self.learning = Learning(home, project=project, taken_by=id, again=again, dry_run=dry_run)
        self._home = home
        self._adapter = adapter
        self._since = since
        self._read_before = ReadFiles(home)
        self._batch: list[_Transcript] = []
        self._files_of: dict[str, list[Path]] = {}
        """By session: the files of earlier batches that hold turns of it."""

    def read(self, path: Path) -> None:
        """Read one transcript; when there are many turns, take them."""
        try:
            require_file(path)
            mark = file_mark(path)
            if not self.learning.again and self._read_before.has(path, mark, self._since):
                self.result.unchanged += 1
                return
            settled = abs(self._home.clock.now().timestamp() - path.stat().st_mtime) >= IDLE
            turns = self._turns(path, tell=True)
        except (HardwonError, OSError) as error:
            self._leave(path, str(error))
        except Exception as error:  # an adapter may be anybody's: its mistake stops no other file
            name = f"{type(error).__name__}: {error}"
            self._leave(path, f"{self._adapter.name} cannot read it ({name}); tell the author of its plugin.")
        else:
            self.result.files += 1
            self._batch.append(_Transcript(path, mark, turns, settled))
            if sum(len(each.turns) for each in self._batch) >= BATCH:
                self.finish()

    def _leave(self, path: Path, why: str) -> None:
        self.result.problems.append(Problem(where=str(path), what=why))

    def _turns(self, path: Path, *, tell: bool) -> list[Turn]:
        """Return the turns of a file; a row that cannot be read is told, once. Raises whatever the adapter does."""
        turns: list[Turn] = []
        for each in self._adapter.read(path):
            if not isinstance(each, Problem):
                turns.append(each)
            elif tell:
                self.result.problems.append(each)
        return [turn for turn in turns if self._since is None or turn.at is None or turn.at >= self._since]

    def finish(self) -> None:
        """Take what was read, in one change of the history, and note which files need not be read again."""
        batch, self._batch = self._batch, []
        if not batch:
            return
        if self.learning.dry_run:
            self._take(batch)
            return
        # A worker may be at the same session: it is waited for, and the keys tell what it took in any case.
        with background.alone(self._home.path / LOCK_FILE, LONGEST_WAIT):
            self._keep(batch)

    def _keep(self, batch: Sequence[_Transcript]) -> None:
        learned = Learned()
        why = f"Import sessions of {self._adapter.name} ({self.result.id})"
        with self._home.storage.operation(why):
            learned.add(self._take(batch))
        self._note(batch, learned)
        for each in batch:
            if each.is_settled:
                sessions = {turn.session for turn in each.turns}
                self._read_before.add(each.path, each.mark, self._since, sessions)
        self._read_before.save()

    def _take(self, batch: Sequence[_Transcript]) -> Learned:
        """Take each session of some files, the one that began first before the others."""
        learned = Learned()
        files: dict[str, list[_Transcript]] = {}
        for each in batch:
            for session in dict.fromkeys(turn.session for turn in each.turns):
                files.setdefault(session, []).append(each)
        turns = {session: self._whole(session, files[session]) for session in files}
        # A fork begins when what it was forked from does: the order must not depend on that of the files.
        for session in sorted(turns, key=lambda each: (_moment(turns[each][0]), _moment(turns[each][-1]), each)):
            learned.add(self._learn(turns[session], files[session]))
            self._files_of.setdefault(session, []).extend(each.path for each in files[session])
        self.result.sessions += len(turns)
        self.result.learned.add(learned)
        return learned

    def _learn(self, turns: Sequence[Turn], files: Sequence[_Transcript]) -> Learned:
        """Take one session; where it cannot be, its files are read again next time."""
        ended = all(each.is_settled for each in files)
        try:
            return self.learning.learn(turns, "Import a session", ended=ended, file=str(files[-1].path))
        except StoreError:
            raise
        except HardwonError as error:
            self._leave(files[-1].path, str(error))
        except Exception as error:  # an extractor may be anybody's: its mistake stops no other session
            self._leave(files[-1].path, f"Its lessons cannot be looked for ({type(error).__name__}: {error}).")
        for each in files:
            each.is_settled = False
        return Learned()

    def _whole(self, session: str, files: Sequence[_Transcript]) -> list[Turn]:
        """Return the turns of a session from all its files, those of earlier batches among them, in order."""
        earlier = [turn for path in self._files_of.get(session, ()) for turn in self._turns(path, tell=False)]
        here = [turn for each in files for turn in each.turns]
        return merged(turn for turn in (*earlier, *here) if turn.session == session)

    def _note(self, batch: Sequence[_Transcript], learned: Learned) -> None:
        details = {
            "import": self.result.id,
            "harness": self._adapter.name,
            "files": len(batch),
            "sessions": list(dict.fromkeys(turn.session for each in batch for turn in each.turns)),
            **learned.counts(),
            "memories": [entry.id for entry in learned.kept],
        }
        self._home.storage.ledger.append([Activity(kind=KIND, at=self._home.clock.now(), details=details)])


def merged(turns: Iterable[Turn]) -> list[Turn]:
    """Return each turn once, in the order of time, with every message that any copy of it has."""
    found: dict[str, Turn] = {}
    for turn in turns:
        known = found.get(turn.id)
        if known is not None:
            ids = {message.id for message in known.messages}
            more = tuple(message for message in turn.messages if message.id not in ids)
            turn = replace(known, messages=(*known.messages, *more)) if more else known
        found[turn.id] = turn
    return sorted(found.values(), key=_moment)


def _moment(turn: Turn) -> datetime:
    return turn.at or datetime.min.replace(tzinfo=UTC)
