"""Relations as rows: asserted once, retracted in time, read from both ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hardwon.kernel.cleaning import cleaned_values
from hardwon.kernel.relation import Relation, RelationKind
from hardwon.stores.sql.existing import require

if TYPE_CHECKING:
    from hardwon.stores.sql.database import Database

COLUMNS = ("number", "source", "kind", "target", "asserted_at", "retracted_at", "relation", "changed")
_INSERT = f"INSERT INTO relations ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
_PAGE = 1000


def relate(database: Database, relations: Sequence[Relation]) -> None:
    """Assert edges; one that stands is not asserted twice, nor is one kept twice that comes retracted.

    Raises NotFound, asserting none.
    """
    require(database, (end for relation in relations for end in (relation.source, relation.target)))
    known = _known(database, relations)
    fresh = []
    for relation in relations:
        identity = _identity(relation)
        if identity not in known:
            known.add(identity)
            fresh.append(Relation.model_validate(cleaned_values(relation.model_dump())))
    if fresh:
        change = database.change
        numbers = database.reserve("relations", len(fresh))
        database.run_many(_INSERT, [_row(number, each, change) for number, each in zip(numbers, fresh, strict=True)])


def _identity(relation: Relation) -> tuple[object, ...]:
    """Return what makes an edge the same again: of those that stand the key, of the others their beginning too."""
    return relation.key if relation.retracted_at is None else (*relation.key, relation.asserted_at)


def _known(database: Database, relations: Sequence[Relation]) -> set[tuple[object, ...]]:
    clause, values = database.among("source", list(dict.fromkeys(relation.source for relation in relations)))
    rows = database.rows(f"SELECT relation FROM relations WHERE {clause}", values)  # noqa: S608
    return {_identity(Relation.model_validate_json(text)) for (text,) in rows}


def _row(number: int, relation: Relation, change: int) -> tuple[Any, ...]:
    retracted = relation.retracted_at
    return (
        number, relation.source, relation.kind.value, relation.target, relation.asserted_at.timestamp(),
        None if retracted is None else retracted.timestamp(), relation.model_dump_json(), change,
    )  # fmt: skip


def unrelate(database: Database, relations: Sequence[Relation], at: datetime) -> None:
    """Retract edges at that moment; what does not stand is passed over."""
    sql = "SELECT number, relation FROM relations WHERE source = ? AND kind = ? AND target = ? AND retracted_at IS NULL"
    for key in dict.fromkeys(each.key for each in relations):
        for number, text in database.rows(sql, key):
            retracted = Relation.model_validate_json(text).model_copy(update={"retracted_at": at})
            database.run(
                "UPDATE relations SET retracted_at = ?, relation = ?, changed = ? WHERE number = ?",
                (at.timestamp(), retracted.model_dump_json(), database.change, number),
            )


def standing(database: Database, id: str) -> list[Relation]:
    """Return the standing edges that touch a memory, oldest first."""
    sql = (
        "SELECT relation FROM relations WHERE (source = ? OR target = ?) AND retracted_at IS NULL "
        "ORDER BY asserted_at, source, kind, target"
    )
    return [Relation.model_validate_json(text) for (text,) in database.rows(sql, (id, id))]


def walk(database: Database, after: datetime | None = None) -> Iterator[Relation]:
    """Walk edges by source, kind, target and the moment they were asserted: all, or those retracted after a moment."""
    condition, values = ("1 = 1", []) if after is None else ("retracted_at > ?", [after.timestamp()])
    by = "source, kind, target, asserted_at, number"
    rows = database.rows(f"SELECT number FROM relations WHERE {condition} ORDER BY {by}", values)  # noqa: S608
    numbers = [number for (number,) in rows]
    for start in range(0, len(numbers), _PAGE):
        some = numbers[start : start + _PAGE]
        sql = f"SELECT number, relation FROM relations WHERE number IN ({', '.join('?' * len(some))})"  # noqa: S608
        found = {number: text for number, text in database.rows(sql, some)}  # noqa: C416 - a row is no pair to the types
        yield from (Relation.model_validate_json(found[number]) for number in some if number in found)


def reached(database: Database, id: str, kind: RelationKind, depth: int) -> list[str]:
    """Return the ids reached outwards in at most `depth` steps, nearest first."""
    seen = {id: None}
    frontier = [id]
    for _ in range(depth):
        clause, values = database.among("source", frontier)
        sql = (
            f"SELECT target FROM relations WHERE {clause} AND kind = ? AND retracted_at IS NULL "  # noqa: S608
            "ORDER BY asserted_at, target"
        )
        rows = database.rows(sql, [*values, kind.value])
        frontier = [each for each in dict.fromkeys(target for (target,) in rows) if each not in seen]
        if not frontier:
            break
        seen |= dict.fromkeys(frontier)
    return list(seen)[1:]
