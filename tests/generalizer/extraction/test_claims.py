"""What the agent says was the cause waits: confirmed it is learned, overturned it never is."""

from __future__ import annotations

import pytest
from saying import agent, extracts, passed, session, user

from hardwon.kernel.memory import Kind

TROUBLE = [
    user("uploads of big files fail with an error"),
    agent(
        "I found the root cause: the proxy in front of the service only accepts bodies up to one megabyte. "
        "I've raised the limit for the upload location and uploads work now."
    ),
]
CHINESE = [
    user("上传大文件失败"),
    agent("根本原因是服务前面的代理只接受一兆以内的请求体。我已经调高了上传路径的限制，现在成功了。"),
]


@pytest.mark.parametrize("trouble", [TROUBLE, CHINESE])
def test_a_claim_is_held_back_while_the_session_goes_on(trouble: list[tuple[str, str]]) -> None:
    """And is learned when the session ends and nobody has objected."""
    assert passed(extracts(session(trouble), ended=False)) == []

    [extract] = passed(extracts(session(trouble), ended=True))

    assert extract.said_by == "agent"
    assert extract.kind is Kind.LESSON


@pytest.mark.parametrize(
    ("trouble", "confirmation"),
    [
        (TROUBLE, "great, that works"),
        (TROUBLE, "thanks! commit it"),
        (CHINESE, "好了，谢谢"),
        (CHINESE, "可以了，提交吧"),
    ],
)
def test_a_confirmed_claim_is_learned_at_once_and_surer(trouble: list[tuple[str, str]], confirmation: str) -> None:
    """The person's next words say that it was right."""
    turns = session(trouble, [user(confirmation), agent("OK.")])

    [confirmed] = passed(extracts(turns, ended=False))
    [unopposed] = passed(extracts(session(trouble), ended=True))

    assert confirmed.evidence == unopposed.evidence
    assert confirmed.confidence > unopposed.confidence


@pytest.mark.parametrize(
    ("trouble", "objection"),
    [
        (TROUBLE, "still the same error"),
        (TROUBLE, "no, that's not it"),
        (TROUBLE, "that didn't help"),
        (CHINESE, "还是不行"),
        (CHINESE, "不对，没用"),
    ],
)
def test_an_overturned_claim_is_never_learned(trouble: list[tuple[str, str]], objection: str) -> None:
    """It is found, refused, and says why; what replaced it is learned."""
    answer = agent(
        "You're right. The actual cause is that the client times out after ten seconds. I've fixed it; it works now."
    )
    found = extracts(session(trouble, [user(objection), answer], [user("great, thanks"), agent("OK.")]))

    assert [each.turn for each in passed(found)] == ["turn-2"]
    assert any(each.turn == "turn-1" and "overturned" in (each.refused or "") for each in found)


def test_a_lesson_tells_symptom_cause_and_fix() -> None:
    """In its parts, and in words that can be read alone."""
    [extract] = passed(extracts(session(TROUBLE)))

    assert extract.lesson.situation == "uploads of big files fail with an error"
    assert "one megabyte" in (extract.lesson.cause or "")
    assert "raised the limit" in (extract.lesson.fix or "")
    for part in (extract.lesson.situation, "one megabyte", "raised the limit"):
        assert part in extract.content


def test_an_announced_cause_is_the_sentence_after_the_announcement() -> None:
    """“Found it!” teaches nobody anything."""
    turns = session(
        [
            user("the author shown for a commit is wrong"),
            agent(
                "Found the bug! Merge commits inherit files from both parents, so the walk ends early. I've fixed it."
            ),
        ]
    )

    [extract] = passed(extracts(turns))

    assert extract.evidence.startswith("Merge commits inherit files")


@pytest.mark.parametrize(
    "said",
    [
        "It might be the proxy. Let me look.",
        "The problem is probably the cache. I've fixed something else.",
        "The issue is a typo in the fixture. Fixed.",
        "I've added the page. All tests pass because the fixture is there.",
        "可能是缓存的问题，我检查一下。",
    ],
)
def test_guesses_and_slips_are_no_lessons(said: str) -> None:
    """Not even when nobody objects."""
    assert passed(extracts(session([user("the page shows an error"), agent(said)]))) == []


def test_explanations_without_a_trouble_are_no_lessons() -> None:
    """The code says how it works."""
    turns = session([user("what does the walker do?"), agent("It stops at merges because files are inherited there.")])

    assert passed(extracts(turns)) == []
