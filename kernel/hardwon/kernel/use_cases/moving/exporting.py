"""Export: everything that a home knows as JSON Lines, in an order that depends on nothing but what is in it.

What this machine did for itself (embedding) is left out, and so is all that is derived: an import of the archive into
an empty home, exported again, is the same archive. One record is in hand at a time, however many there are; only what
people decided (proposals, decisions) is read as a whole, as the ports give it.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hardwon.kernel.batches import batches
from hardwon.kernel.decision_order import in_order
from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.ports import Filed, Noted, OwnsDocuments
from hardwon.kernel.project_names import DOCUMENT as PROJECTS
from hardwon.kernel.query import Filter
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.forgotten import DOCUMENT as FORGOTTEN
from hardwon.kernel.use_cases.forgotten import load_forgotten
from hardwon.kernel.use_cases.moving.archive_lines import Seal, as_line, head
from hardwon.kernel.use_cases.moving.archived_turns import turn_records
from hardwon.kernel.use_cases.projects import load_projects
from hardwon.kernel.visibility import may_be_handed_on

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.relation import Relation
    from hardwon.kernel.scope import Value

Record = dict[str, Any]
OF_THIS_MACHINE = ("embed",)
"""Kinds of activity that say nothing of the memories."""
OF_A_SESSION = ("session", "turn", "file", "line", "evidence")
"""Fields of a memory's source that say where on this machine it was said, and in whose words."""
AT_ONCE = 500
"""Memories whose former states are asked for together."""


def archive_lines(home: Home, problems: list[Problem], *, vectors: bool = False) -> Iterator[str]:
    """Walk the lines of an archive, without their ends, from its head to its seal.

    What cannot be taken along is put into `problems`. Raises NotFound when there is no home.
    """
    home.require()
    problems += unreadable(home)
    yield from _sealed(_all_records(home, problems, vectors=vectors))


def shared_lines(home: Home, problems: list[Problem]) -> Iterator[str]:
    """Walk the lines of an archive for other people: what is shared and in use, as it is now, and its links.

    A link to what is private would tell of it, and so would a former state, a decision, the journal, or in which
    session and by which words a memory was learned. One whose file cannot be read may be private by now: it is left
    out, and put into `problems`. Raises NotFound when there is no home.
    """
    home.require()
    problems += _of_files(home)
    yield from _sealed((head(), *_shared_records(home, problems)))


def _sealed(records: Iterable[Record]) -> Iterator[str]:
    seal = Seal()
    for record in records:
        line = as_line(record)
        seal.add(record["type"], line.encode())
        yield line
    yield as_line(seal.record())


def _shared_records(home: Home, problems: Sequence[Problem]) -> Iterator[Record]:
    memories = home.storage.memories
    places = {place for each in problems for place in (each.where, each.where.rpartition(":")[0])}  # without its line
    shared: set[str] = set()
    for entry in memories.scan(Filter()):
        if may_be_handed_on(entry.visibility) and not _is_named(home, entry.id, places):
            shared.add(entry.id)
            told = entry.source.model_copy(update=dict.fromkeys(OF_A_SESSION))
            yield _record("memory", entry.model_copy(update={"source": told}))
    for edge in memories.edges():
        if edge.retracted_at is None and {edge.source, edge.target} <= shared:
            yield _record("relation", edge)


def _is_named(home: Home, id: str, places: Collection[str]) -> bool:
    """Tell whether a memory's file is one of these places."""
    return bool(places) and isinstance(home.storage, Filed) and str(home.storage.path_of(id)) in places


def unreadable(home: Home) -> list[Problem]:
    """Return what of a memory cannot be read, and so cannot be taken along as it stands: broken files of a person.

    What a store without files reports is about the store itself.
    """
    return [*_of_files(home), *home.queue.problems()]


def _of_files(home: Home) -> list[Problem]:
    storage = home.storage
    return storage.problems() if isinstance(storage, Filed) else []


def _all_records(home: Home, problems: list[Problem], *, vectors: bool) -> Iterator[Record]:
    yield head()
    yield from _aliases(home)
    yield from memory_records(home)
    yield from relation_records(home)
    yield from proposal_records(home)
    yield from decision_records(home)
    yield from turn_records(home)
    yield from activity_records(home, without=OF_THIS_MACHINE)
    yield from document_records(home, problems)
    yield from ({"type": "forgotten", "trace": trace} for trace in sorted(load_forgotten(home)))
    if vectors:
        yield from vector_records(home)


def _aliases(home: Home) -> Iterator[Record]:
    aliases = load_projects(home).aliases
    yield from ({"type": "alias", "name": name, "key": key} for name, key in sorted(aliases.items()))


def memory_records(home: Home) -> Iterator[Record]:
    """Walk the memories of every status, each with its former states after it."""
    memories = home.storage.memories
    for entries in batches(memories.scan(Filter(statuses=None)), AT_ONCE):
        former: dict[str, list[Record]] = {}
        for version in memories.versions([entry.id for entry in entries]):
            former.setdefault(version.memory, []).append(_record("version", version))
        for entry in entries:
            yield _record("memory", entry)
            yield from sorted(former.get(entry.id, ()), key=lambda each: (each["until"], as_line(each)))


def relation_records(home: Home) -> Iterator[Record]:
    """Walk all edges, the retracted ones too."""

    def place(edge: Relation) -> tuple[Any, ...]:
        return (*edge.key, edge.asserted_at)

    for _, same in groupby(home.storage.memories.edges(), key=place):
        yield from sorted((_record("relation", edge) for edge in same), key=as_line)


def proposal_records(home: Home) -> Iterator[Record]:
    """Walk the proposals in any state, each with what a person noted on it."""
    queue = home.queue
    for proposal in sorted(queue.all(), key=lambda each: each.id):
        notes = queue.notes(proposal.id) if isinstance(queue, Noted) else ""
        yield _record("proposal", proposal) | ({"notes": notes} if notes else {})


def decision_records(home: Home) -> Iterator[Record]:
    """Walk the decisions in their order."""
    yield from (_record("decision", each) for each in in_order(home.storage.ledger.decisions()))


def activity_records(home: Home, without: Iterable[str] = ()) -> Iterator[Record]:
    """Walk the activity in the order of time, but for some kinds."""
    wanted = (each for each in home.storage.ledger.activity() if each.kind not in without)
    for _, together in groupby(wanted, key=lambda each: each.at):
        yield from sorted((_record("activity", each) for each in together), key=as_line)


def document_names(home: Home) -> list[str]:
    """Return the documents that no other part speaks of: neither the lists nor the sheets of the review queue."""
    queue = home.queue
    owned = queue.owns if isinstance(queue, OwnsDocuments) else lambda name: False
    names = home.storage.documents.names("")
    return [name for name in names if name not in (PROJECTS, FORGOTTEN) and not owned(name)]


def document_records(home: Home, problems: list[Problem]) -> Iterator[Record]:
    """Walk further documents, such as a person's own notes; one that is no text is told and stays where it is."""
    for name in document_names(home):
        try:
            text = home.storage.documents.read(name)
        except UnreadableFile as error:
            problems.append(Problem(where=name, what=str(error)))
            continue
        if text is not None:
            yield {"type": "document", "name": name, "text": text}


def vector_records(home: Home) -> Iterator[Record]:
    """Walk the vectors of all spaces."""
    vectors = home.storage.vectors
    for space in vectors.spaces():
        for key, vector in vectors.walk(space):
            yield {"type": "vector", "space": space, "key": key, "vector": base64.b64encode(vector).decode("ascii")}


def _record(type: str, value: Value) -> Record:
    """Return a value with its type; a memory's `kind` and the record's `type` stand side by side."""
    return {"type": type, **value.model_dump(mode="json")}
