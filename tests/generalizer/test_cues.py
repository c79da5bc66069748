"""The grammar of cues, as catalogue/README.md gives it, on any text whatever."""

from __future__ import annotations

import string
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.generalizer.catalogue import shipped_catalogue
from hardwon.generalizer.cues import CueMatcher, base_form, plain_words

WORDS = st.text(string.ascii_lowercase, min_size=1, max_size=12)


def holds(text: str, cue: str) -> bool:
    """Tell whether one cue is found in a text."""
    return bool(CueMatcher([[cue]]).hits(text))


@pytest.mark.parametrize(
    ("cue", "text"),
    [
        ("lock order", "The lock order differed."),
        ("lock order", "LOCK ORDER"),
        ("lock order", "the locks' ordering: locks ordered"),
        ("time out*", "It timed outright."),
        ("idempot*", "Make it idempotent, by idempotency keys."),
        ("retry", "Two retries, retried, retrying"),
        ("cache + commit", "Commit first, then drop the cached value."),
        ("cache + commit + reader*", "A reader saw the cache before the commit."),
        ("read only", "a read-only replica"),
        ("read-only", "a read only replica"),
        ("don't wait", "Don’t wait here; don't wait."),
        ("connection pool", "connectionPool is empty"),
        ("connection pool", "the connection_pool of ConnectionPoolFactory"),
        ("connectionpool", "connectionPool"),
        ("max retry", "MAX_RETRIES = 3"),
        ("http 503", "HTTP 503"),
        ("utf8mb4", "charset=utf8mb4;"),
        ("lock\norder", "lock order"),
        ("lock order", "lock\r\norder"),
        ("lock order", "🦀lock🦀 🦀order"),
        ("加锁顺序", "两处加锁顺序不同"),
        ("锁 + 顺序", "顺序不对，锁死了"),
        ("锁 + deadlock*", "加锁后出现 deadlocks"),
        ("设置 Timeout", "没有设置 timeout 就调用"),
        ("タイムアウト", "接続がタイムアウトした"),
    ],
)
def test_a_cue_is_found(cue: str, text: str) -> None:
    assert holds(text, cue)


@pytest.mark.parametrize(
    ("cue", "text"),
    [
        ("lock order", "order of the lock"),
        ("lock order", "lock the order"),
        ("lock", "blocked, clock, locker"),
        ("cache + commit", "The cache was cold."),
        ("time out*", "time to go out"),
        ("out", "outside"),
        ("锁 + 顺序", "锁住了"),
        ("加锁顺序", "加锁的顺序"),
        ("lock", ""),
        ("", "anything"),
        ("~", "anything"),
        (" + ", "anything + everything"),
        ("*", "anything"),
        ("== ??", "anything == ??"),
    ],
)
def test_a_cue_is_not_found(cue: str, text: str) -> None:
    assert not holds(text, cue)


def test_a_tilde_marks_a_weak_cue() -> None:
    hits = CueMatcher([["~slow*", "deadlock"]]).hits("slowly into a deadlock")
    assert {hit.cue: hit.strong for hit in hits} == {"slow*": False, "deadlock": True}


def test_a_hit_says_whose_cue_it_is() -> None:
    """Two causes may share a cue, and a cue is told once however often it stands there."""
    matcher = CueMatcher([["lock"], ["queue"], ["lock", "lock order"]])
    assert sorted((hit.concept, hit.cue) for hit in matcher.hits("lock lock LOCK")) == [(0, "lock"), (2, "lock")]


@pytest.mark.parametrize(
    "forms",
    [
        "retry retries retried retrying",
        "lock locks locked locking",
        "cache caches cached caching",
        "pass passes passed",
    ],
)
def test_regular_inflections_have_one_base_form(forms: str) -> None:
    assert len({base_form(form) for form in forms.split()}) == 1


@given(WORDS)
def test_a_base_form_is_never_empty_nor_longer(word: str) -> None:
    assert 1 <= len(base_form(word)) <= len(word)


@given(st.lists(WORDS, min_size=1, max_size=6), st.text(max_size=40), st.text(max_size=40))
def test_a_phrase_of_the_text_is_found_as_a_cue(words: list[str], before: str, after: str) -> None:
    """Whatever stands around it."""
    phrase = " ".join(words)
    assert holds(f"{before}\n{phrase}\n{after}", phrase)


@given(st.lists(WORDS, min_size=2, max_size=5), st.permutations(range(5)))
def test_joined_parts_are_found_in_any_order(words: list[str], order: list[int]) -> None:
    shuffled = [words[place] for place in order if place < len(words)]
    assert holds(". ".join(shuffled), " + ".join(words))
    assert not holds(". ".join(shuffled), " + ".join([*words, "zzzzzzzzzzzzzzzz"]))


@given(WORDS, st.text(string.ascii_lowercase, max_size=8))
def test_a_star_takes_any_ending(start: str, ending: str) -> None:
    assert holds(start + ending, f"{start}*")


@given(st.text("锁顺序缓存提交", min_size=1, max_size=6), st.text(max_size=20), st.text(max_size=20))
def test_chinese_is_found_anywhere(cue: str, before: str, after: str) -> None:
    assert holds(before + cue + after, cue)


@given(st.text(), st.lists(st.text(max_size=20), max_size=5))
def test_any_cue_and_any_text_are_safe(text: str, cues: list[str]) -> None:
    for hit in CueMatcher([cues]).hits(text):
        assert hit.concept == 0


@given(st.text())
def test_words_are_lower_case_ascii(text: str) -> None:
    assert all(set(word) <= set(string.ascii_lowercase + string.digits + "'’") for word in plain_words(text))


@pytest.fixture(scope="module")
def shipped() -> CueMatcher:
    return CueMatcher([concept.cues for concept in shipped_catalogue()])


@settings(deadline=None)
@given(st.lists(st.sampled_from([text for each in shipped_catalogue()[:40] for text in each.examples]), max_size=3))
def test_a_longer_text_holds_all_cues_of_its_parts(shipped: CueMatcher, texts: list[str]) -> None:
    """Nothing that is found in a text is lost when more text follows."""
    whole = {(hit.concept, hit.cue) for hit in shipped.hits("\n".join(texts))}
    for text in texts:
        assert {(hit.concept, hit.cue) for hit in shipped.hits(text)} <= whole


@pytest.mark.parametrize(
    "text",
    [
        " ".join(cue.strip("~*") for each in shipped_catalogue() for cue in each.cues)[:100_000],
        "deadlock " * 11_000,
        "a" * 100_000,
        "getLockOrder_of_cache" * 5_000,
        "先加锁再提交，缓存失效顺序不对。" * 6_250,
        "👩‍💻" * 33_000,
    ],
    ids=["every cue", "one word", "one long word", "identifiers", "Chinese", "emoji"],
)
def test_a_hundred_thousand_characters_take_seconds_at_most(shipped: CueMatcher, text: str) -> None:
    """All cues of the catalogue; a lesson of ordinary length takes a millisecond or two."""
    before = time.process_time()
    shipped.hits(text)
    assert time.process_time() - before < 5
