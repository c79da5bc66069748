"""Stems are those of Porter's algorithm, as SQLite's FTS5 has it."""

from __future__ import annotations

import sqlite3

from hypothesis import example, given
from hypothesis import strategies as st

from hardwon.kernel.stemming import stem

ENDINGS = """
s es ies sses ed eed ing ated bled ized ational tional enci anci izer bli alli entli eli ousli ization ation
ator alism iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er
ic able ible ant ement ment ent sion tion ou ism ate iti ous ive ize e ll y logi
""".split()  # noqa: SIM905
WORDS = st.builds(
    lambda start, middle, ending: start + middle + ending,
    # FTS5 takes a y at the start for a vowel, Porter for a consonant: not compared.
    st.sampled_from("abcdefghijklmnopqrstuvwxz"),
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8),
    st.sampled_from(["", *ENDINGS]),
)


@example(["ayyed"])
@given(st.lists(WORDS, min_size=1, max_size=50, unique=True))
def test_stems_agree_with_fts5(words: list[str]) -> None:
    words = [word for word in words if len(word) > 3]
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE texts USING fts5(word, tokenize='porter ascii')")
    connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab(texts, 'instance')")
    connection.executemany("INSERT INTO texts(rowid, word) VALUES (?, ?)", enumerate(words))
    expected = {words[row]: term for term, row in connection.execute("SELECT term, doc FROM terms")}
    connection.close()
    assert {word: stem(word) for word in words} == expected


def test_what_is_no_english_word_is_its_own_stem() -> None:
    assert [stem(word) for word in ("is", "sha256", "get_users", "数据", "")] == [
        "is",
        "sha256",
        "get_users",
        "数据",
        "",
    ]
