"""The layer says what the store says, whatever happened to that, and reads only what changed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hardwon.stores.search import space as space_module
from hardwon.stores.vectors.languages import LANGUAGES

Making = Callable[..., Any]


def vector(chance: random.Random) -> Any:
    return np.array([chance.gauss(1.0, 1.0) for _ in range(24)], np.float32)


def change(store: Any, chance: random.Random) -> None:
    """Put, rewrite, remove or embed something."""
    numbers = list(store.texts)
    keys = [f"{chance.choice(LANGUAGES)}:{chance.randrange(60):06}" for _ in range(chance.randrange(1, 4))]
    match chance.randrange(6):
        case 0 | 1:
            store.put(chance.randrange(40), *dict.fromkeys(keys))
        case 2 if numbers:
            store.put(chance.choice(numbers), *store.texts[numbers[0]][1].split())
        case 3 if numbers:
            store.remove(chance.choice(numbers))
        case _:
            for key in keys:
                if key[3:] not in store.vectors:  # a text has one vector for ever
                    store.embed(key, vector(chance))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kept_in_memory", [0, 5, 256])
def test_whatever_changes_the_layer_answers_as_the_store_would(
    store: Any, answering: Any, questions: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int,
    kept_in_memory: int,
) -> None:  # fmt: skip
    """Two processes take turns, files are written at other times, one is opened anew, and work is done behind."""
    monkeypatch.setattr(space_module, "KEPT_IN_MEMORY", kept_in_memory)
    chance = random.Random(seed)
    spaces = [answering(store, tmp_path) for _ in range(2)]
    for _ in range(40):
        for _ in range(chance.randrange(1, 4)):
            change(store, chance)
        one = chance.randrange(2)
        match chance.randrange(8):
            case 0:
                spaces[one] = answering(store, tmp_path)
            case 1:
                spaces[one].arrange()
        spaces[one].check(questions[:2])


def test_only_what_changed_is_read(make_store: Making, answering: Any, questions: Any, tmp_path: Path) -> None:
    """A store of any size costs no more than what is new in it, also in a process that was just started."""
    store = make_store(600)
    answering(store, tmp_path).arrange()
    store.read = store.asked = 0
    opened = answering(store, tmp_path)
    opened.check(questions)
    store.put(7, "en:changed")
    store.embed("en:changed", questions[0])
    opened.check(questions)
    store.remove(8)
    opened.check(questions)
    assert (store.read, store.asked) == (1, 1)


def test_a_document_that_says_the_same_keeps_its_rows(make_store: Making, answering: Any) -> None:
    """Most changes are to a memory's fields: nothing of those is asked for again."""
    store = make_store(50)
    space = answering(store)
    space.collection()
    store.asked = 0
    for number in range(1, 51):
        store.put(number, *store.texts[number][1].split())
    assert space.collection().rows == 75
    assert store.asked == 0


def test_a_removed_document_is_never_named(make_store: Making, answering: Any, questions: Any) -> None:
    store = make_store(60)
    space = answering(store)
    space.check(questions)
    for number in range(1, 31):
        store.remove(number)
    space.check(questions)


def test_other_tables_are_read_anew(make_store: Making, answering: Any, questions: Any, tmp_path: Path) -> None:
    """An index that was built again gives its numbers anew: what was known by the old ones means nothing."""
    store = make_store(60)
    answering(store, tmp_path).arrange()
    texts = {number + 7: (1, keys) for number, (_, keys) in store.texts.items() if number % 3}
    store.birth, store.texts, store.gone, store.last = "born again", texts, {}, 1
    answering(store, tmp_path).check(questions)


@pytest.mark.parametrize("last", [3, 500])
def test_a_store_that_was_put_back_is_noticed(
    make_store: Making, answering: Any, questions: Any, tmp_path: Path, last: int
) -> None:
    """As from a backup, whether the changes since are fewer or more than those that are lost."""
    store = make_store(60)
    answering(store, tmp_path).arrange()
    store.texts = {number: each for number, each in store.texts.items() if number < 20}
    store.gone, store.last = {}, last
    store.put(3, "en:since")
    store.embed("en:since", questions[0])
    answering(store, tmp_path).check(questions)


def test_what_a_transaction_takes_back_was_never_known(make_store: Making, answering: Any, questions: Any) -> None:
    """Inside it, it is seen; afterwards, the numbers of its changes are given again."""
    store = make_store(30)
    space = answering(store)
    space.check(questions)
    before, last = dict(store.texts), store.last
    store.is_settled = False
    store.put(5, "en:inside")
    store.embed("en:inside", questions[0])
    store.remove(6)
    space.check(questions)
    store.texts, store.gone, store.last, store.is_settled = before, {}, last, True
    space.check(questions)
    store.put(9, "en:after")
    space.check(questions)


def test_what_waits_for_vectors_is_looked_for_in_parts(
    make_store: Making, answering: Any, questions: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question waits for so many at most; the newest come first, and in the end all are found."""
    from hardwon.stores.vectors import following

    store = make_store(100)
    monkeypatch.setattr(following, "NEWEST", 2)
    monkeypatch.setattr(space_module, "filled", lambda collection, vectors: following.filled(collection, vectors, 20))
    space = answering(store)
    first = space.collection()
    assert store.asked <= 20
    assert {99, 100} <= {int(number) for each in first.segments for number in each.numbers}
    for _ in range(200):
        space.collection()
    space.check(questions)


def test_a_damaged_row_of_the_store_is_its_own_trouble(store: Any, answering: Any) -> None:
    """It is not passed over: the store heals itself by it."""
    import sqlite3

    store.put(1, "xx:junk")
    with pytest.raises(sqlite3.DatabaseError, match="damaged"):
        answering(store).collection()
