"""“1”, “C)”, “let's do option 2”: what was decided stands in the agent's words, and is told."""

from __future__ import annotations

import pytest
from saying import agent, extracts, passed, session, user

from hardwon.kernel.memory import Kind

OFFER = (
    "There are two ways to store sessions:\n\n"
    "**Option A: Redis** - shared by all instances, needs operating.\n"
    "**Option B: cookies** - nothing to operate, four kilobytes at most.\n\n"
    "Which one do you prefer?"
)
LIST = "How should the retry work?\n1. per task, the others go on\n2. per run, everything again\n3. not at all\n"
CHINESE = "会话存在哪里？\n方案一：Redis，多实例共享。\n方案二：Cookie，无需运维。\n您选哪个？"


@pytest.mark.parametrize(
    ("offer", "answer", "chosen"),
    [
        (OFFER, "A", "Redis"),
        (OFFER, "B)", "cookies"),
        (OFFER, "let's go with option B", "cookies"),
        (OFFER, "I like option A, we have two instances anyway", "Redis"),
        (OFFER, "I think B) is fine for now", "cookies"),
        (OFFER, "I prefer the second", "cookies"),
        (LIST, "1", "per task"),
        (LIST, "2) please", "per run"),
        (LIST, "let's take the first one", "per task"),
        (CHINESE, "选方案一，以后要多实例部署", "Redis"),
        (CHINESE, "二", "Cookie"),
        (CHINESE, "用方案二吧", "Cookie"),
    ],
)
def test_a_choice_is_told_with_what_was_chosen(offer: str, answer: str, chosen: str) -> None:
    """The memory says the option itself; the evidence is what was typed."""
    [extract] = passed(extracts(session([user("store sessions"), agent(offer)], [user(answer), agent("OK, done.")])))

    assert extract.kind is Kind.DECISION
    assert chosen in extract.content
    assert chosen in (extract.lesson.fix or "")
    assert extract.evidence == answer


def test_the_same_letter_twice_is_two_decisions() -> None:
    """Each with what was offered then."""
    turns = session(
        [user("store sessions"), agent(OFFER)],
        [user("B"), agent(LIST.replace("1.", "A)").replace("2.", "B)"))],
        [user("B"), agent("OK, done.")],
    )

    assert [each.turn for each in passed(extracts(turns))] == ["turn-2", "turn-3"]


def test_where_the_options_are_not_found_the_answer_tells_what_was_chosen() -> None:
    """Long offers are cut by the transcript's reader."""
    turns = session(
        [user("store sessions"), agent("I have compared them. Which option?")],
        [user("option 2 please"), agent("Storing them in signed cookies then, since nothing has to be operated.")],
    )

    [extract] = passed(extracts(turns))

    assert "signed cookies" in extract.content


def test_a_reason_makes_a_choice_surer() -> None:
    """So that it is kept as active."""
    bare, reasoned = (
        passed(extracts(session([user("store sessions"), agent(OFFER)], [user(said), agent("OK.")])))[0].confidence
        for said in ("A", "A, because we will have several instances")
    )

    assert bare < reasoned


@pytest.mark.parametrize("question", ["How would you like to proceed?", "Which should I tackle first?", "先做哪一个？"])
def test_which_work_comes_first_is_no_decision(question: str) -> None:
    """It is done tomorrow, and nothing is left of it."""
    offer = f"What is left:\n1. the parser's errors\n2. the documentation\n{question}"

    found = extracts(session([user("review it"), agent(offer)], [user("2"), agent("Writing the documentation.")]))

    assert [each.refused for each in found] == ["It is a task for now."]


@pytest.mark.parametrize(
    "said", ["do 1 and 3", "all three", "both", "do the second and the third", "what is B?", "两个都做"]
)
def test_several_tasks_and_questions_are_no_choice(said: str) -> None:
    """They name what to do next."""
    turns = session([user("review it"), agent(LIST)], [user(said), agent("Done.")])

    assert [each for each in passed(extracts(turns)) if each.kind is Kind.DECISION] == []


@pytest.mark.parametrize(
    ("offer", "said"),
    [
        ("**A**: one state per environment\n**B**: one shared state", "A, obviously"),
        ("A) soft delete\nB) real delete\nC) anonymise", "C)"),
        ("1. Leaflet\n2. MapLibre", "1, we don't pay for maps"),
        ("A pretrained network is the safer bet; a larger one needs more data.", "the first one"),
        ("1. 体积小，会掉帧\n2. 体积大，稳定", "2，低端机用户占一半"),
    ],
)
def test_a_choice_needs_no_question_from_the_agent(offer: str, said: str) -> None:
    """The person had asked; the agent told what there is."""
    asked, answered = [user("what are our options?"), agent(offer)], [user(said), agent("I'll do it that way then.")]

    [extract] = passed(extracts(session(asked, answered)))

    assert extract.kind is Kind.DECISION
    assert extract.evidence == said
