"""The tables of the index, which is derived: whoever removes it loses nothing but the time to build it again.

Search keeps its own tables in the same file and reads the columns of `memories`. Times are seconds since 1970 (UTC).
A new index is built beside the one in use (`generations`), never by renaming another file over it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from hardwon.kernel.errors import StoreBusy, StoreError

BUSY_SECONDS = 10.0
"""How long a statement waits for another process that writes."""
_BUILDING_CACHE = 65536
"""Kilobytes of an index that is being built which are kept in memory."""

TABLES = """
CREATE TABLE memories (
    rowid INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    namespace TEXT NOT NULL,
    project TEXT,
    agent TEXT,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    strength TEXT NOT NULL,
    channel TEXT NOT NULL,
    confidence REAL NOT NULL,
    importance REAL NOT NULL,
    asserted_at REAL NOT NULL,
    retracted_at REAL,
    valid_at REAL,
    valid_until REAL,
    topic TEXT NOT NULL,                -- the home topic, empty for none
    topics TEXT NOT NULL,               -- JSON list, the home topic first
    tags TEXT NOT NULL,                 -- JSON list
    applies_when TEXT NOT NULL,         -- JSON object of lists: languages, frameworks, roles, tags
    external_id TEXT,
    idempotency_key TEXT,
    length INTEGER NOT NULL,            -- characters of the content
    content TEXT NOT NULL,
    principle TEXT,
    entry TEXT NOT NULL,                -- the whole MemoryEntry as JSON
    path TEXT,                          -- below memory/; NULL when its file was deleted by hand
    stale INTEGER NOT NULL DEFAULT 0,   -- 1: the file can no longer be read, this is what it said before
    stem TEXT                           -- the file's name as wikilinks find it: without `.md`, in folded case
);
CREATE INDEX memories_by_path ON memories (path);

CREATE TABLE places (                   -- how many memories that are no rules lie where, without the archive
    project TEXT NOT NULL,              -- empty for none
    topic TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (project, topic)
) WITHOUT ROWID;

CREATE TABLE relations (
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    weight REAL NOT NULL,
    note TEXT,
    asserted_at REAL NOT NULL,
    retracted_at REAL,
    relation TEXT NOT NULL,             -- the whole Relation as JSON
    in_text INTEGER NOT NULL DEFAULT 0  -- 1: a wikilink that a person wrote in the source's text
);
CREATE UNIQUE INDEX standing_relations ON relations (source, kind, target) WHERE retracted_at IS NULL;
CREATE INDEX relations_by_source ON relations (source);
CREATE INDEX relations_by_target ON relations (target);

CREATE TABLE wikilinks (                -- those in texts, as written; they become relations once they find their target
    source TEXT NOT NULL,
    name TEXT NOT NULL,
    target TEXT                         -- NULL: nothing has this name
);
CREATE INDEX wikilinks_by_source ON wikilinks (source);
CREATE INDEX wikilinks_by_target ON wikilinks (target);
CREATE INDEX wikilinks_open ON wikilinks (name) WHERE target IS NULL;

CREATE TABLE decisions (
    id TEXT PRIMARY KEY,
    proposal TEXT NOT NULL,
    at REAL NOT NULL,
    decision TEXT NOT NULL,             -- the whole Decision as JSON
    path TEXT
);

CREATE TABLE deletions (                -- memories whose file was deleted by hand, for the record of them
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    "commit" TEXT NOT NULL,             -- the last one that holds the file
    content TEXT NOT NULL,              -- git's name of it
    at TEXT NOT NULL,
    recorded INTEGER NOT NULL DEFAULT 0 -- 1: its line stood in the record
);

CREATE TABLE journal (                  -- a row a block of the journal, without its words
    path TEXT,                          -- below memory/; NULL when a person took the block out
    harness TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT NOT NULL,
    at TEXT NOT NULL,
    project TEXT,
    branch TEXT,
    taken_by TEXT NOT NULL,             -- the import that took it; empty for none
    retracted_at TEXT,
    copy TEXT NOT NULL,                 -- by what a copy of the turn is known; empty for a short one
    messages TEXT NOT NULL              -- by what its messages are known, with blanks between
);
CREATE INDEX journal_by_session ON journal (session);
CREATE INDEX journal_by_turn ON journal (turn);
CREATE INDEX journal_by_copy ON journal (copy) WHERE copy != '';
CREATE INDEX journal_by_path ON journal (path);

CREATE TABLE files (                    -- every file below memory/ as it was last seen
    path TEXT PRIMARY KEY,
    folder TEXT NOT NULL,
    size INTEGER,                       -- NULL: gone from the disk, its deletion is not yet in the history
    mtime_ns INTEGER,
    inode INTEGER,
    changed_ns INTEGER,
    hash TEXT,                          -- git's name of the content on disk
    committed TEXT,                     -- git's name of the content in the history; NULL when it is not there
    id TEXT,                            -- the memory that it holds, or claims to hold
    without_id INTEGER NOT NULL DEFAULT 0,  -- 1: a note of a person, its id is not yet written into it
    line INTEGER,                       -- of the problem
    problem TEXT,                       -- why it could not be taken, or what is odd about it
    recent INTEGER NOT NULL DEFAULT 0   -- 1: it had changed so lately that its stat may hide another change
);
CREATE INDEX files_by_folder ON files (folder) WHERE size IS NOT NULL;
CREATE INDEX files_by_id ON files (id);
CREATE INDEX files_edited ON files (path) WHERE hash IS NOT committed;
CREATE INDEX files_without_id ON files (path) WHERE without_id = 1;
CREATE INDEX files_recent ON files (path) WHERE recent = 1;

CREATE TABLE folders (                  -- every folder that holds files
    folder TEXT PRIMARY KEY,
    seen BLOB                           -- what its files were like when all were as the index knows them
) WITHOUT ROWID;

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

INDEXES = (
    "CREATE INDEX memories_by_project ON memories (project)",
    "CREATE INDEX memories_by_topic ON memories (topic)",
    "CREATE INDEX memories_by_kind ON memories (kind, status, asserted_at)",
    "CREATE INDEX memories_by_external_id ON memories (external_id) WHERE external_id IS NOT NULL",
    "CREATE INDEX memories_by_idempotency_key ON memories (idempotency_key) WHERE idempotency_key IS NOT NULL",
    "CREATE INDEX memories_by_stem ON memories (stem)",
    "CREATE INDEX memories_hard ON memories (project) WHERE strength = 'hard'",
    "CREATE INDEX memories_proactive ON memories (project) WHERE channel = 'proactive'",
)
"""Made when the tables are filled: nothing asks by them before."""

_NOT_SEEN = "UPDATE folders SET seen = NULL WHERE seen IS NOT NULL AND folder ="
_KNOWN = (  # inside a trigger, OR IGNORE would be overruled by the statement that fired it
    "INSERT INTO folders (folder) SELECT new.folder WHERE NOT EXISTS (SELECT 1 FROM folders WHERE folder = new.folder)"
)
_FEWER = (
    "UPDATE places SET number = number - 1 WHERE project = coalesce(old.project, '') AND topic = old.topic"
    " AND old.status != 'archived' AND old.kind != 'rule'"
)
_PLACE = (
    "INSERT INTO places (project, topic, number) SELECT coalesce(new.project, ''), new.topic, 0 WHERE NOT EXISTS"
    " (SELECT 1 FROM places WHERE project = coalesce(new.project, '') AND topic = new.topic)"
)
_MORE = (
    "UPDATE places SET number = number + 1 WHERE project = coalesce(new.project, '') AND topic = new.topic"
    " AND new.status != 'archived' AND new.kind != 'rule'"
)
TRIGGERS = (
    f"CREATE TRIGGER file_new AFTER INSERT ON files BEGIN {_NOT_SEEN} new.folder; {_KNOWN}; END",
    "CREATE TRIGGER file_changed AFTER UPDATE OF size, mtime_ns, inode, changed_ns ON files"
    f" BEGIN {_NOT_SEEN} new.folder; END",
    f"CREATE TRIGGER file_gone AFTER DELETE ON files BEGIN {_NOT_SEEN} old.folder; END",
    f"CREATE TRIGGER memory_new AFTER INSERT ON memories BEGIN {_PLACE}; {_MORE}; END",
    "CREATE TRIGGER memory_moved AFTER UPDATE OF project, topic, status, kind ON memories"
    f" BEGIN {_FEWER}; {_PLACE}; {_MORE}; END",
    f"CREATE TRIGGER memory_gone AFTER DELETE ON memories BEGIN {_FEWER}; END",
)
"""What the index knows of a folder as a whole holds until one of its files changes; places count what lies in them."""


def connect(path: Path) -> sqlite3.Connection:
    """Open an index that is there.

    The connection is in autocommit mode: whoever writes begins and ends the transaction. Raises StoreBusy, StoreError;
    sqlite3.DatabaseError when the file is damaged or not there.
    """
    if not path.is_file():
        raise sqlite3.DatabaseError("it is no file")
    # Write-ahead logging lets readers read while one writes; where the file system cannot do it, SQLite keeps the
    # rollback journal, which is only slower.
    return _connected(path, "PRAGMA journal_mode = WAL")


def create(path: Path) -> sqlite3.Connection:
    """Make a new index that nobody else has open. Raises StoreError where there is something of its name."""
    try:
        path.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise StoreError(f"{path} cannot be made ({error.strerror}); permit writing there, then repeat.") from None
    return _connected(path, "PRAGMA journal_mode = MEMORY", f"PRAGMA cache_size = -{_BUILDING_CACHE}")


def _connected(path: Path, *settings: str) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        for setting in settings:
            with contextlib.suppress(sqlite3.OperationalError):
                connection.execute(setting)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.row_factory = sqlite3.Row
    except sqlite3.OperationalError as error:
        if is_damage(error):
            raise sqlite3.DatabaseError(str(error)) from None
        raise index_error(error, path) from None
    return connection


_OF_THE_SYSTEM = frozenset({
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_PROTOCOL,
})  # fmt: skip
"""What SQLite says when the index itself may be well: another process, the disk, the rights."""


def is_damage(error: sqlite3.OperationalError) -> bool:
    """Tell whether an index that gives this error has to be built anew: tables are missing, or texts are none."""
    code = getattr(error, "sqlite_errorcode", None)  # none: Python could not decode what SQLite found
    return code is None or code & 0xFF not in _OF_THE_SYSTEM


def index_error(error: sqlite3.Error, path: Path) -> StoreError:
    """Return what to raise for an error of the index: StoreBusy when another process holds it, else StoreError."""
    if "locked" in str(error) or "busy" in str(error):
        return StoreBusy(f"Another program holds {path} for more than {BUSY_SECONDS:.0f} s; try again when it is done.")
    return StoreError(f"{path} cannot be used ({error}); make room or permit writing beside it, then repeat.")
