"""Any text becomes terms that every search engine takes, and a word is found whatever way it was written."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.text import (
    LONGEST_TERM,
    by_language,
    clean,
    date_terms,
    fold,
    in_language,
    index_terms,
    language_of,
    query_terms,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=200)
UNSPACED = "数据库连接池泄漏止损データベースの接続데이터베이스연결ฐานข้อมูลการเชื่อมต่อ"

AWKWARD = [
    "multi-agent", "don't", "GB/s", "ubuntu 20.04", '"unbalanced', "(foo | foo*", "NEAR(", "AND", "col:val", "^x",
    "a=b", "C:\\dir", "` `` `", "💥", "", '"' * 10_000, "\x00", "\ud83d", "\ufffe", "\x1b[31mred\x1b[0m", "a" * 100_000,
    "中" * 50_000, "aB" * 50_000, "-._" * 30_000, "👩‍👩‍👧", "𝓯𝓪𝓷𝓬𝔂", "\U000e0041\U000e0042",
]  # fmt: skip


@given(ANY_TEXT)
def test_terms_are_words_of_any_search_engine(text: str) -> None:
    """No quote, blank, sign or lone surrogate is left in a term, and none is endless."""
    for term in [*index_terms(text), *query_terms(text)]:
        assert term
        assert not set(term) & set(" \t\n\"*^:()-+'\x00")
        assert len(term) <= LONGEST_TERM
        term.encode("utf-8")


@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_awkward_text_is_just_text(text: str) -> None:
    index_terms(text)
    query_terms(text)
    fold(text)


@given(ANY_TEXT)
def test_what_is_asked_is_what_is_kept(text: str) -> None:
    """Every term of a question in the words of a text is a term of that text."""
    assert set(query_terms(text)) <= set(index_terms(text))


@given(st.text(UNSPACED, min_size=2, max_size=30), st.data())
def test_two_characters_in_the_middle_are_found(text: str, data: st.DataObject) -> None:
    """In scripts that are written without spaces, any two neighbours are a term (unicode61 makes one of the run)."""
    text = unicodedata.normalize("NFKC", text)
    start = data.draw(st.integers(0, max(0, len(text) - 2)))
    asked = index_terms(text[start : start + 2])
    assert set(asked) <= set(index_terms(text))


@pytest.mark.parametrize("asked", ["止损", "损策", "策略"])
def test_a_chinese_word_in_a_run_is_found(asked: str) -> None:
    assert asked in index_terms("因为没有设置止损策略亏了很多")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("getUserId", "get_user_id"),
        ("os.path.join", "osPathJoin"),
        ("multi-agent", "multiAgent"),
        ("HTTPServer", "http server"),
        ("deadlocks", "deadlock"),
        ("Ｃａｆé", "CAFE"),
        ("straße", "STRASSE"),
        ("ﬁle", "file"),
        ("ig\u200bnore", "ignore"),
        ("don’t", "don't"),
        ("C++", "cpp"),
    ],
)
def test_two_ways_to_write_it_meet(one: str, other: str) -> None:
    assert set(index_terms(one)) & set(index_terms(other))


def test_an_identifier_is_found_by_its_parts_and_as_a_whole() -> None:
    assert {"max", "retri", "count", "maxretriescount"} <= set(index_terms("maxRetriesCount"))


def test_a_version_is_not_a_year() -> None:
    assert "20_04" in index_terms("ubuntu 20.04")
    assert "2004" not in index_terms("ubuntu 20.04")


def test_stop_words_are_left_out_of_questions_only() -> None:
    assert query_terms("why does the server hang") == ["server", "hang"]
    assert "the" in index_terms("the server")
    chinese = query_terms("为什么我们的缓存会失效")
    assert {"缓存", "失效"} <= set(chinese)
    assert not {"我们", "什么", "的"} & set(chinese)


def test_a_question_of_stop_words_asks_nothing() -> None:
    """Unless it is Chinese: two characters that look like a stop word may be part of a longer one."""
    assert query_terms("what is it") == []
    assert query_terms("没有") != []


@pytest.mark.parametrize("asked", ["2026-11-29", "2026年11月29日", "2026/11/29", "November 2026", "2026-11"])
def test_a_day_is_found_in_any_form(asked: str) -> None:
    kept = date_terms(datetime(2026, 11, 29, tzinfo=UTC))
    assert set(query_terms(asked)) & set(kept) - {"2026"}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Retry with backoff.", "en"),
        ("用 pytest-xdist 并行时 fixture 失效", "zh"),
        ("Fix a bug in the 中文 tokenizer of the indexer", "en"),
        ("データベースの接続が切れた", "en"),
        ("", "en"),
        ("🦀 123", "en"),
    ],
)
def test_language_is_told_by_characters(text: str, language: str) -> None:
    assert language_of(text) == language


@given(ANY_TEXT)
def test_clean_text_can_be_stored_anywhere(text: str) -> None:
    """No NUL and no lone surrogate; whoever cleans again changes nothing."""
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert clean(cleaned) == cleaned
    assert len(cleaned) == len(text)


def test_a_bilingual_text_is_told_apart_by_language() -> None:
    assert by_language("Rename it over. Never truncate.\n改名覆盖，不要截断重写。") == [
        "Rename it over. Never truncate.",
        "改名覆盖，不要截断重写。",
    ]


RULE = "Rename it over, and never truncate.\n\n改名覆盖，不要截断重写。"


@pytest.mark.parametrize(
    ("text", "language", "spoken"),
    [
        (RULE, "en", "Rename it over, and never truncate."),
        (RULE, "zh", "改名覆盖，不要截断重写。"),
        (RULE, "fr", RULE),
        (f"{RULE}\n\nBecause a crash leaves half of it.", "zh", f"{RULE}\n\nBecause a crash leaves half of it."),
        ("Rename it over.\n\nNever truncate it.", "zh", "Rename it over.\n\nNever truncate it."),
        ("改名覆盖，不要截断重写，否则断电之后只剩一半内容。\n\nsee rename(2)", "en", None),
        ("only English", "zh", "only English"),
        ("", "zh", ""),
    ],
)
def test_of_translations_one_is_taken_and_of_other_paragraphs_none_is_lost(
    text: str, language: str, spoken: str | None
) -> None:
    assert in_language(text, language) == (text if spoken is None else spoken)


def test_a_foreign_word_or_message_makes_no_text_bilingual() -> None:
    for text in (
        "用 argparse 解析参数。报错 Permission denied 时重试，并写入日志。",
        "Use 平假名 in names. Or not.",
        "",
        "only English",
    ):
        assert by_language(text) == [text]
