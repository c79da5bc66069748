"""That a text is passed over at once changes nothing of what is found: only what could be no secret is passed over."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.kernel.secrets import ANCHORS
from hardwon.stores.redactors import harmless
from hardwon.stores.redactors.harmless import ANYTHING, NOTHING, may_hold
from hardwon.stores.redactors.redactor import looked_through, secrets_in
from hardwon.testing.planted_secrets import planted_secrets, spoken_of

SECRETS = (*planted_secrets().values(), *(text for text, _ in spoken_of().values()))
WORDS = (
    *("password", "pwd", "the token", "api_key", "secret", "credentials are", "auth", "is", "hunter2", "密码", "是"),
    *(
        "--password",
        "-p",
        "authorization:",
        "cookie: a=b;",
        "pattern-matching",
        "rotate it.",
        "x9Y8z7w6",
        '"P4ss!word"',
    ),
)
BETWEEN = ("", " ", " ", " ", "\n", "\r\n", "\\\n", "\t", "\x0b", "\u2028", "=", ": ", ".", "\0")


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Return a text of words and secrets, some of them cut or spoilt, with anything between."""
    text = ""
    for piece in draw(st.lists(st.sampled_from((*SECRETS, *WORDS)), max_size=4)):
        cut = draw(st.integers(0, len(piece)))
        text += piece[:cut] + draw(st.sampled_from(BETWEEN)) + piece[cut:] + draw(st.sampled_from(BETWEEN))
    return text


@settings(max_examples=60, deadline=None)
@given(texts())
def test_what_is_passed_over_holds_no_secret(text: str) -> None:
    """Whether its pieces were met before or not."""
    for _ in range(2):
        assert secrets_in(text) == looked_through(text)


def test_no_secret_of_any_sort_is_passed_over() -> None:
    """Each by itself, of a known format, of none, or told by what is said of it."""
    assert NOTHING not in map(may_hold, SECRETS)


def test_what_a_rule_goes_by_is_enough_to_be_looked_through() -> None:
    """A rule that is added to the formats needs no second place."""
    assert {may_hold(f"so {anchor}x it is") for anchor in ANCHORS} == {ANYTHING}


def test_plain_sentences_are_passed_over() -> None:
    """In any language, with numbers, names and versions: else nothing would be gained."""
    for text in (
        "Pin the driver to 2.14, then retry.",
        "数据库在升级后变慢了，先建索引。",
        "Seen in QA-2480:\n- sprint 11",
    ):
        assert may_hold(text) == NOTHING


def test_what_is_remembered_of_pieces_stays_small() -> None:
    """However many there are, and nothing of long ones."""
    for number in range(0, 50_000, 500):
        may_hold(" ".join(f"piece{each}" for each in range(number, number + 500)))
    assert len(harmless._known) <= harmless._REMEMBERED
    may_hold(" ".join(f"word{each:x}" for each in range(2 * harmless._REMEMBERED)))
    assert len(harmless._known) <= harmless._REMEMBERED
    may_hold("x" * 15 + ".y" * 40)
    assert max(map(len, harmless._known)) <= harmless._LONGEST_REMEMBERED
