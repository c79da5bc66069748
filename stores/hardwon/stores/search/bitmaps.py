"""The postings of common terms as bitmaps, a row a term and chunk of documents: what FTS5 takes long to list.

FTS5 keeps the postings of every term and says them one by one: of a term that every tenth of a million memories holds,
that takes 30 ms. When a chunk of documents is full, its common terms are therefore written down as bitmaps too, and
the documents of each project, so that a filter by project is one operation. The rest, and documents since, are FTS5's.
What holds a common term is counted at the same time: FTS5 would count it anew for every question.
"""

from __future__ import annotations

import array
import json
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby

from hardwon.stores.search.bits import set_flags

CHUNK = 4000
"""Documents of a chunk: eight bitmaps of so many bits fit on a page of SQLite; to write it down takes some 20 ms."""
SIZE = CHUNK // 8
FEWEST = CHUNK // 256
"""Documents of a chunk that hold a term, from which on it is written down."""
_SPARSE = CHUNK // 64
"""Documents below which it is written as a list of their places, two bytes each."""
_SAMPLED = 4
"""Of so many documents one tells which terms are common."""
_ONE = ord("1")
TABLES = (
    # Without row numbers, so that the bitmaps of a term lie side by side.
    "CREATE TABLE IF NOT EXISTS search_bitmaps(term TEXT NOT NULL, chunk INTEGER NOT NULL, documents BLOB NOT NULL, "
    "PRIMARY KEY (term, chunk)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS search_chunks(chunk INTEGER PRIMARY KEY, asserted_at REAL NOT NULL, valid_at REAL)",
    "CREATE TABLE IF NOT EXISTS search_terms(term TEXT PRIMARY KEY, documents INTEGER NOT NULL) WITHOUT ROWID",
)
"""`search_chunks` has the full chunks, and before which times none of their documents was asserted or valid (NULL: some
always were). `search_terms` says how many documents of full chunks hold a term that was common in one of them."""
_INTO = "INTO search_bitmaps(term, chunk, documents) VALUES (?, ?, ?)"
_EARLIER = (
    # min() of two values is NULL where one is: no time before which nothing was valid.
    "UPDATE search_chunks SET asserted_at = min(search_chunks.asserted_at, changed.asserted_at), "
    "valid_at = min(search_chunks.valid_at, changed.valid_at) "
    "FROM search_documents AS changed WHERE changed.number = ? AND chunk = ?"
)
_DOCUMENTS = "SELECT number, terms, project FROM search_documents WHERE number"


def of_project(project: str | None) -> str:
    """Return the term, which no text has, that the documents of a project hold."""
    return f" {project or ''}"


def full_chunks(connection: sqlite3.Connection) -> int:
    """Return how many chunks, from the first on, are written down."""
    (last,) = connection.execute("SELECT max(chunk) FROM search_chunks").fetchone()
    return 0 if last is None else int(last) + 1


class Bitmaps:
    """Writes the bitmaps of one database. The caller owns connection and transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def add(self, numbers: Sequence[int]) -> None:
        """Take in documents whose rows are written, and write down the chunks that they fill."""
        if not numbers:
            return
        full = full_chunks(self._connection)
        self._change([number for number in numbers if number < full * CHUNK], held=True)
        for chunk in range(full, max(numbers) // CHUNK):
            self._write(chunk)

    def remove(self, numbers: Sequence[int]) -> None:
        """Take out documents while their rows still say what is known of them."""
        full = full_chunks(self._connection)
        self._change([number for number in numbers if number < full * CHUNK], held=False)

    def _write(self, chunk: int) -> None:
        """Write down a full chunk."""
        first = chunk * CHUNK
        sql = f"{_DOCUMENTS} >= ? AND number < ?"
        rows = self._connection.execute(sql, (first, first + CHUNK)).fetchall()
        known = {term for (term,) in self._connection.execute("SELECT term FROM search_terms")}
        terms = known | _common(row[1] for row in rows[::_SAMPLED])
        digits: dict[str, bytearray] = defaultdict(lambda: bytearray(b"0" * CHUNK))
        for number, text, project in rows:
            for term in (of_project(project), *terms.intersection(text.split())):
                digits[term][number - first] = _ONE
        counts = {term: places.count(_ONE) for term, places in digits.items()}
        self._connection.executemany(
            f"INSERT {_INTO}",
            [
                (term, chunk, _written(places))
                for term, places in sorted(digits.items())
                if term not in terms or counts[term] >= FEWEST
            ],
        )
        self._count({term: counts[term] for term in terms & counts.keys()}, known, first)
        self._connection.execute(
            "INSERT INTO search_chunks SELECT ?, ifnull(min(asserted_at), 0), "
            "CASE WHEN count(valid_at) = count(*) THEN min(valid_at) END "
            "FROM search_documents WHERE number >= ? AND number < ?",
            (chunk, first, first + CHUNK),
        )

    def _count(self, counts: Mapping[str, int], known: set[str], first: int) -> None:
        """Add what the chunk that begins with this number holds of terms to what is known of them."""
        sql = "SELECT count(*) FROM search_postings WHERE search_postings MATCH ? AND rowid < ?"
        before = {
            term: self._connection.execute(sql, (f'"{term}"', first)).fetchone()[0] if first else 0
            for term in counts.keys() - known
        }
        self._connection.executemany(
            "UPDATE search_terms SET documents = documents + ? WHERE term = ?",
            [(counts[term], term) for term in known & counts.keys()],
        )
        self._connection.executemany(
            "INSERT INTO search_terms(term, documents) VALUES (?, ?)",
            [(term, count + counts[term]) for term, count in before.items()],
        )

    def _change(self, numbers: Iterable[int], *, held: bool) -> None:
        """Note of documents in full chunks that they hold their terms now, or no more."""
        for chunk, some in groupby(sorted(numbers), key=lambda number: number // CHUNK):
            self._change_chunk(chunk, list(some), held=held)

    def _change_chunk(self, chunk: int, numbers: Sequence[int], *, held: bool) -> None:
        places: dict[str, list[int]] = defaultdict(list)
        projects: set[str] = set()
        for number in numbers:
            [(_, text, project)] = self._connection.execute(f"{_DOCUMENTS} = ?", (number,)).fetchall()
            projects.add(of_project(project))
            for term in (of_project(project), *set(text.split())):
                places[term].append(number % CHUNK)
        sql = "SELECT term, documents FROM search_bitmaps WHERE chunk = ? AND term IN (SELECT value FROM json_each(?))"
        written = dict(self._connection.execute(sql, (chunk, json.dumps(list(places)))).fetchall())
        changed = [(term, chunk, _changed(documents, places[term], held=held)) for term, documents in written.items()]
        fresh = [(term, chunk, _packed(places[term])) for term in projects - written.keys() if held]
        self._connection.executemany(f"INSERT OR REPLACE {_INTO}", changed + fresh)
        counts = [(len(each) if held else -len(each), term) for term, each in places.items()]
        self._connection.executemany("UPDATE search_terms SET documents = documents + ? WHERE term = ?", counts)
        if held:
            self._connection.executemany(_EARLIER, [(number, chunk) for number in numbers])


def read(connection: sqlite3.Connection, term: str, flags: bytearray) -> list[range]:
    """Set the bits of the documents that hold a term; return the ranges of numbers for which nothing is written.

    Raises sqlite3.DatabaseError where it is damaged.
    """
    missing: list[range] = []
    last = -1
    sql = "SELECT chunk, documents FROM search_bitmaps WHERE term = ? ORDER BY chunk"
    for chunk, documents in connection.execute(sql, (term,)).fetchall():
        if chunk > last + 1:
            missing.append(range((last + 1) * CHUNK, chunk * CHUNK))
        last = chunk
        if (chunk + 1) * SIZE > len(flags):
            raise sqlite3.DatabaseError("a row of the search tables is damaged: there are not so many documents")
        if isinstance(documents, bytes) and len(documents) == SIZE:
            flags[chunk * SIZE : (chunk + 1) * SIZE] = documents
        else:
            flags[chunk * SIZE : (chunk + 1) * SIZE] = _flags(_places(documents))
    missing.append(range((last + 1) * CHUNK, 8 * len(flags)))
    return [numbers for numbers in missing if numbers]


def _common(texts: Iterable[str]) -> set[str]:
    """Return the terms that are common in a chunk, by the sample of it."""
    counts = Counter(chain.from_iterable(set(text.split()) for text in texts))
    return {term for term, count in counts.items() if count * _SAMPLED >= FEWEST}


def _written(digits: bytearray) -> bytes:
    """Return documents of a chunk, a digit each, as they are written."""
    if digits.count(_ONE) >= _SPARSE:
        digits.reverse()
        return int(digits, 2).to_bytes(SIZE, "little")
    places = [digits.find(_ONE)]
    while places[-1] >= 0:
        places.append(digits.find(_ONE, places[-1] + 1))
    return _packed(places[:-1])


def places(documents: bytes) -> set[int]:
    """Return the places that are written of a chunk, in either way. Raises sqlite3.DatabaseError for a damaged row."""
    if not isinstance(documents, bytes) or len(documents) != SIZE:
        return set(_places(documents))
    return {place for place in range(CHUNK) if documents[place >> 3] >> (place & 7) & 1}


def _flags(places: Iterable[int]) -> bytearray:
    flags = bytearray(SIZE)
    set_flags(flags, places)
    return flags


def _places(documents: bytes) -> array.array[int]:
    """Return the places that are written as a list. Raises sqlite3.DatabaseError where it is damaged."""
    places = array.array("H")
    try:
        places.frombytes(documents)
    except (TypeError, ValueError):
        raise sqlite3.DatabaseError("a row of the search tables is damaged: a bitmap is none") from None
    if sys.byteorder == "big":
        places.byteswap()
    if max(places, default=0) >= CHUNK:
        raise sqlite3.DatabaseError("a row of the search tables is damaged: a bitmap is too long")
    return places


def _packed(places: Sequence[int]) -> bytes:
    """Return documents of a chunk as they are written: few as a list of places, more as a bitmap."""
    if len(places) >= _SPARSE:
        return bytes(_flags(places))
    few = array.array("H", places)
    if sys.byteorder == "big":
        few.byteswap()
    return few.tobytes()


def _changed(documents: bytes, places: Sequence[int], *, held: bool) -> bytes:
    """Return what is written of a chunk with some documents more, or less."""
    if len(documents) != SIZE:
        known = set(_places(documents))
        return _packed(sorted(known.union(places) if held else known.difference(places)))
    flags = bytearray(documents)
    for place in places:
        flags[place >> 3] = flags[place >> 3] & (0xFF ^ (1 << (place & 7))) | held << (place & 7)
    return bytes(flags)
