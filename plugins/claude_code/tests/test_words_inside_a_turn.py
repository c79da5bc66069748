"""What a person says while the agent works: reasons to refuse, answers to questions, messages that wait."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from hardwon.kernel.session import Speaker

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
    "new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
NOTE = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention."


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (REFUSED + "don't amend commits", ["don't amend commits"]),
        (REFUSED + "two\nlines" + NOTE, ["two\nlines"]),
        ("Permission for this tool use was denied. The tool use was rejected. The user said:\nnot here", ["not here"]),
        ("The user doesn't want to take this action right now. STOP what you are doing.", []),
    ],
)
def test_a_reason_to_refuse_is_the_persons_word(rows: Any, given: str, reason: list[str]) -> None:
    """The call did not run, so nothing came back and it did not fail."""
    (turn,) = rows.read(rows.user("Fix it."), rows.call("git commit --amend"), rows.result(given, failed=True))
    assert [message.text for message in turn.typed] == ["Fix it.", *reason]
    (tool,) = (message for message in turn.messages if message.by is Speaker.TOOL)
    assert (tool.text, tool.failed, tool.request) == ("", False, "git commit --amend")
    assert len({message.id for message in turn.messages}) == len(turn.messages)


@pytest.mark.parametrize(
    ("given", "details", "answers"),
    [
        ('User has answered your questions: "Which one?"="The second". You can now continue.', None, ["The second"]),
        (
            'Your questions have been answered: "Use "pty"?"="Yes, \'pty\'", "And tests?"="Both". You can now go on.',
            None,
            ["Yes, 'pty'", "Both"],
        ),
        ("The user responded: neither, ask me later", None, ["neither, ask me later"]),
        ("whatever", {"answers": {"Which one?": "The first", "Empty": ""}}, ["The first"]),
        ("The user did not answer the questions.", {"answers": {}}, []),
    ],
)
def test_answers_to_questions_are_the_persons_words(rows: Any, given: str, details: Any, answers: list[str]) -> None:
    asked = [
        rows.user("Go."),
        rows.call("", "c1", "AskUserQuestion", question="Which one?"),
        rows.result(given, toolUseResult=details),
    ]
    (turn,) = rows.read(*asked)
    assert [message.text for message in turn.typed] == ["Go.", *answers]


@pytest.mark.parametrize("text", ['User has answered your questions: "a"="Always yes". You can', REFUSED + "no"])
def test_a_text_that_only_tells_of_a_refusal_or_answer_is_a_tools(rows: Any, text: str) -> None:
    """A file that holds such words was read; nobody refused or answered anything."""
    (turn,) = rows.read(rows.user("Look."), rows.call("cat x"), rows.result(text))
    assert [message.text for message in turn.typed] == ["Look."]


def test_what_is_typed_while_the_agent_works_is_in_its_turn(rows: Any) -> None:
    (turn,) = rows.read(rows.user("Fix it."), rows.queued("and write tests"), rows.agent("Done."))
    assert rows.said(turn) == [("user", "Fix it."), ("user", "and write tests"), ("agent", "Done.")]
    assert turn.messages[1].at == datetime(2026, 11, 30, 10, 0, 30, tzinfo=UTC)


def test_what_waited_and_began_a_turn_is_said_once(rows: Any) -> None:
    """It stands in the queue, and again where it was sent; also before the first turn, as programs send it."""
    first, second = rows.read(
        rows.queued("Fix it."),
        rows.queued("", "dequeue"),
        rows.user("Fix it."),
        rows.queued("and that", at="2026-11-30T10:01:00Z"),
        rows.agent("Done."),
        rows.queued("", "dequeue"),
        rows.user("and that", "u2"),
    )
    assert [rows.said(first), rows.said(second)] == [[("user", "Fix it."), ("agent", "Done.")], [("user", "and that")]]


def test_what_reached_the_agent_in_the_middle_of_the_turn_is_said_once(rows: Any) -> None:
    """Newer versions keep it as an attachment as well."""
    attached = rows.row("attachment", "", "t1", attachment={"type": "queued_command", "prompt": "and that"})
    alone = rows.row(
        "attachment", "", "t2", attachment={"type": "queued_command", "prompt": [{"type": "text", "text": "now"}]}
    )
    notice = rows.row(
        "attachment", "", "t3", attachment={"type": "queued_command", "prompt": "x", "origin": {"kind": "peer"}}
    )
    (turn,) = rows.read(rows.user("Fix it."), rows.queued("and that"), attached, alone, notice)
    assert [message.text for message in turn.typed] == ["Fix it.", "and that", "now"]


def test_what_was_taken_back_out_of_the_queue_was_not_said(rows: Any) -> None:
    """It was edited, and stands there again as it was sent."""
    asked = [rows.user("Fix it."), rows.queued("in a subagent?"), rows.queued("in a subagent?", "popAll")]
    (turn,) = rows.read(
        *asked, rows.queued("in a subagent? - WITH TESTS", at="2026-11-30T10:02:00Z"), rows.queued("/exit")
    )
    assert [message.text for message in turn.typed] == ["Fix it.", "in a subagent? - WITH TESTS"]
