"""Whatever stands in a transcript, the extractor ends soon, never fails, and quotes what is there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from saying import agent, call, extracts, failure, learned, passed, session, turn, user

from hardwon.kernel.session import Message, Speaker, Turn

HUGE = 200_000
ADVERSARIAL = {
    "one line": "never do that again, " * (HUGE // 21),
    "one word": "a" * HUGE,
    "brackets": "<a><b>" * (HUGE // 6),
    "quotes": '"' * HUGE,
    "open quotes": '"""' + "always " * (HUGE // 7),
    "fences": "```\n" * (HUGE // 4),
    "list": "1. never\n" * (HUGE // 9),
    "options": "Option A: x - " * (HUGE // 14),
    "spaces": " " * HUGE + "never",
    "dots": ". " * (HUGE // 2),
    "chinese": "不要这样做，" * (HUGE // 6),
    "right to left": "\u202eلا تفعل هذا أبدًا\u202c " * (HUGE // 20),
    "emoji": "🙈🙉🙊👩‍👩‍👧‍👦 " * (HUGE // 12),
    "zero width": "never\u200b \u200b" * (HUGE // 8),
    "surrogates": "\ud800 never \udfff" * (HUGE // 10),
    "base64": "QUJD" * (HUGE // 4),
    "repeated cause": "because the issue is that " * (HUGE // 26),
}


@pytest.mark.parametrize("text", ADVERSARIAL.values(), ids=ADVERSARIAL.keys())
@pytest.mark.parametrize("by", list(Speaker))
def test_huge_and_adversarial_messages_are_read_in_no_time(text: str, by: Speaker) -> None:
    """Each of them three times over, in anybody's words."""
    messages = tuple(Message(f"m{n}", by, text, tool="Bash", request=text[:500], failed=n == 0) for n in range(3))

    for each in extracts(
        [Turn("fake", "session", "one", messages), turn(user("still broken, why?"), agent(text), number=2)]
    ):
        assert len(each.evidence) <= 500
        assert len(each.content) <= 1_500


def test_a_statement_is_found_at_the_end_of_a_huge_message() -> None:
    """People paste first and say last what they want."""
    log = "log line 1234\n" * 20_000

    [extract] = learned(user(f"{log}\nRemember: the proxy drops the header."), agent("Noted."))

    assert extract.evidence == "Remember: the proxy drops the header."


said = st.text(max_size=80) | st.sampled_from(
    [
        "never push to main",
        "still broken?",
        "A)",
        "option 2",
        "不要提交",
        "the issue was the cache. Fixed.",
        "Remember: x",
    ]
)
messages = st.one_of(
    said.map(user), said.map(agent), st.tuples(said, said).map(lambda both: call("Bash", *both)),
    st.tuples(said, said).map(lambda both: failure("Bash", *both)),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(messages, max_size=5), max_size=4), st.booleans())
def test_any_session_is_read_and_evidence_stands_as_it_was_said(
    turns: list[list[tuple[str, ...]]], ended: bool
) -> None:
    """Twice the same, in the turns' order, each word where it is said to stand."""
    read = session(*turns)  # type: ignore[arg-type]

    found = extracts(read, ended=ended)

    assert found == extracts(read, ended=ended)
    texts = {message.id: message for each in read for message in each.messages}
    for each in found:
        assert each.evidence in texts[each.message].text
        assert each.said_by == texts[each.message].by


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(messages, min_size=1, max_size=4), min_size=1, max_size=4))
def test_what_a_person_typed_is_learned_alike_however_the_session_goes_on(turns: list[list[tuple[str, ...]]]) -> None:
    """Capture reads the growing session again and again: only a later word of theirs undoes one."""
    whole = session(*turns)  # type: ignore[arg-type]

    for end in range(1, len(whole) + 1):
        early = [each for each in extracts(whole[:end], ended=False) if each.said_by == "user"]
        later = {(each.turn, each.evidence, each.content) for each in extracts(whole, ended=True)}
        assert {(each.turn, each.evidence, each.content) for each in passed(early)} <= later
