"""One statement that finds the candidates of a question: by its words and by its vector, within a filter.

Which memories are worth a look is decided on the server; what each of them is worth, in `hardwon.stores.search`, as for
every other database.
"""

# ruff: noqa: S608 - whatever comes from outside is a value; the text is put together from parts of this house
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from hardwon.stores.postgres.schema import TERMS
from hardwon.stores.search.candidates import COLUMNS
from hardwon.stores.search.lookup import OF_RULES

if TYPE_CHECKING:
    from hardwon.stores.postgres.asked import AskedVector

Condition = tuple[str, list[Any]]
DEEP = 60
"""Texts of each language that are taken from the index of vectors: some memories have several."""
FEWEST = 5
_BOUNDS = "(SELECT max(above) FROM near), (SELECT count(*) FROM by_vector)"


class Reach(Enum):
    """How many memories a filter lets in, by which the nearest of them are found."""

    FEW = "read one by one"
    SOME = "searched for in the index until there are enough"
    MOST = "found among the nearest anywhere"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a statement, and the values of its marks."""

    sql: str
    values: Sequence[Any] = ()


def statement(
    words: Mapping[str, float],
    vector: AskedVector | None,
    condition: Condition,
    enough: int,
    *,
    rules: bool,
    reach: Reach,
    depth: int = DEEP,
) -> tuple[str, list[Any]]:
    """Return the statement and its values.

    Its rows are: the number of a rule that a lesson speaks for, or None; how far above impostors the nearest memory
    lies; how many lie near within the filter; the texts of the memory, as `_texts` says; and its COLUMNS.

    `words` are the terms to look up with what each weighs; `enough` memories are wanted of each kind of search; where
    there are `rules`, lessons anywhere that answer bring those that they speak for. Among the nearest anywhere, `depth`
    texts of each language are looked at.
    """
    parts = [*_by_words(words, condition, enough)]
    if vector is not None:
        parts += _by_vector(vector, condition, enough, reach, depth if rules or reach is Reach.MOST else FEWEST)
    parts += _wanted(condition, with_vector=vector is not None, rules=rules)
    bounds = "NULL::double precision, 0" if vector is None else _BOUNDS
    texts = _texts(vector)
    found = f"{bounds}, {texts.sql}, {', '.join(f'memories.{column}' for column in COLUMNS)}"
    rows = (
        f"SELECT NULL::bigint, {found} FROM memories JOIN wanted USING (number) "
        f"UNION ALL SELECT edges.rule, {found} FROM edges JOIN memories ON memories.number = edges.lesson"
    )
    sql = f"WITH {', '.join(part.sql for part in parts)} {rows}"
    return _once_each(sql, [value for part in (*parts, texts, texts) for value in part.values])


def _once_each(sql: str, values: Sequence[Any]) -> tuple[str, list[Any]]:
    """Return a statement whose marks are numbered, so that a value which it needs several times travels once."""
    first, *rest = sql.split("?")
    places: dict[int, int] = {}
    travelling: list[Any] = []
    for value in values:
        if id(value) not in places:
            travelling.append(value)
            places[id(value)] = len(travelling)
    numbered = [f"?{places[id(value)]}{text}" for value, text in zip(values, rest, strict=True)]
    return first + "".join(numbered), travelling


def _by_words(words: Mapping[str, float], condition: Condition, enough: int) -> list[Part]:
    clause, values = condition
    return [
        Part(
            "asked (term, idf) AS (SELECT * FROM unnest(?::text[], ?::double precision[]))",
            [list(words), list(words.values())],
        ),
        Part(
            f"held AS MATERIALIZED (SELECT memories.number, sum(asked.idf) AS weight, ({clause}) AS inside "
            f"FROM asked JOIN memories ON {TERMS} @> ARRAY[asked.term] GROUP BY memories.number)",
            values,
        ),
        Part("by_words AS (SELECT number FROM held WHERE inside ORDER BY weight DESC, number LIMIT ?)", [enough]),
    ]


def _by_vector(vector: AskedVector, condition: Condition, enough: int, reach: Reach, depth: int) -> list[Part]:
    """Return the nearest anywhere, and the nearest within the filter.

    Where the nearest anywhere lead to nothing, a few of them say how near the nearest is.
    """
    clause, values = condition
    near = _nearest("near", vector, depth, "true", [])
    best = "by_vector AS (SELECT number FROM {} ORDER BY above DESC, number LIMIT ?)"
    if reach is Reach.MOST:
        within = f"(SELECT number, above FROM near WHERE {_inside('near.number', clause)}) AS near_inside"
        return [near, Part(best.format(within), [*values, enough])]
    if reach is Reach.SOME:
        inside = _nearest("near_inside", vector, enough + enough // 2, _inside("search_texts.memory", clause), values)
        return [near, inside, Part(best.format("near_inside"), [enough])]
    numbers = f"SELECT number FROM memories WHERE {clause}"
    of_each = _of_each(vector, numbers)
    within = f"({of_each.sql}) AS near_inside"
    return [near, Part(best.format(within), [*of_each.values, *values, enough])]


def _inside(number: str, clause: str) -> str:
    return f"EXISTS (SELECT 1 FROM memories WHERE memories.number = {number} AND ({clause}))"


def _of_each(vector: AskedVector, numbers: str) -> Part:
    """Return how far above impostors each memory lies of those that `numbers` selects, whose values follow."""
    cases = " ".join(
        f"WHEN '{language}' THEN (-({_distance(vector)}) - ?::double precision) / ?::double precision"
        for language in vector.measures
    )
    given = [
        value for measure in vector.measures.values() for value in (vector.direction, measure.offset, measure.deviation)
    ]
    # As an array the numbers are looked up in one sweep; as a join, one by one, which takes more than twice as long.
    sql = (
        f"SELECT memory AS number, max(CASE language {cases} END) AS above FROM search_texts "
        f"WHERE space = {vector.space} AND memory = ANY(ARRAY({numbers})) GROUP BY memory"
    )
    return Part(sql, given)


def _nearest(name: str, vector: AskedVector, most: int, condition: str, values: Sequence[Any]) -> Part:
    """Return the memories whose texts lie nearest, each by its nearest text; of each language so many texts.

    Where languages are measured apart, only within one of them is what is nearer also further above impostors.
    """
    distance = _distance(vector)
    given: list[Any] = []
    scans = []
    for language, measure in vector.measures.items():
        scans.append(
            f"(SELECT memory, (-({distance}) - ?::double precision) / ?::double precision AS above FROM search_texts "
            f"WHERE space = {vector.space} AND language = '{language}' AND {condition} "
            f"ORDER BY {distance} LIMIT ?)"
        )
        given += [vector.direction, measure.offset, measure.deviation, *values, vector.direction, most]
    union = " UNION ALL ".join(scans)
    best = f"SELECT memory AS number, max(above) AS above FROM ({union}) AS scanned GROUP BY memory"
    return Part(f"{name} AS MATERIALIZED ({best})", given)


def _distance(vector: AskedVector) -> str:
    type = f"halfvec({vector.dimensions})"
    return f"embedding::{type} <#> ?::{type}"


def _wanted(condition: Condition, *, with_vector: bool, rules: bool) -> list[Part]:
    """Return which rows are wanted, and which lessons speak for which rules within the filter."""
    best = "SELECT number FROM by_words"
    anywhere = "(SELECT number FROM held ORDER BY weight DESC, number LIMIT ?)"
    limits = [OF_RULES]
    if with_vector:
        best += " UNION SELECT number FROM by_vector"
        anywhere += " UNION (SELECT number FROM near ORDER BY above DESC, number LIMIT ?)"
        limits.append(OF_RULES)
    if not rules:
        none = "edges AS (SELECT NULL::bigint AS rule, NULL::bigint AS lesson WHERE false)"
        return [Part(none), Part(f"wanted AS ({best})")]
    clause, values = condition
    edges = (
        f"edges AS MATERIALIZED (SELECT rule.number AS rule, lesson.number AS lesson FROM ({anywhere}) AS anywhere "
        "JOIN memories AS lesson USING (number) "
        "JOIN relations ON relations.target = lesson.id AND relations.kind = 'generalizes' "
        "AND relations.retracted_at IS NULL CROSS JOIN LATERAL "
        f"(SELECT number FROM memories WHERE memories.id = relations.source AND ({clause})) AS rule)"
    )
    return [Part(edges, [*limits, *values]), Part(f"wanted AS ({best} UNION SELECT rule FROM edges)")]


def _texts(vector: AskedVector | None) -> Part:
    """Return how near each text of a memory lies: its language, its cosine, and that to tasks on anything."""
    if vector is None:
        return Part("NULL::json")
    type = f"halfvec({vector.dimensions})"
    sql = (
        f"(SELECT json_agg(json_build_array(language, -(embedding::{type} <#> ?::{type}), "
        f"-(embedding::{type} <#> ?::{type}))) FROM search_texts "
        f"WHERE space = {vector.space} AND memory = memories.number)"
    )
    return Part(sql, [vector.question, vector.task])
