"""Of a prompt counts what its person asks, not what their agent added or they pasted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.injection import Shown, harmless, render, without_ours
from hardwon.kernel.prompt import OWN_WORDS, PASTED, SHORT, asked

QUESTION = "why does the payment deploy hang?"
LOG = (
    "\n".join(f"2026-11-30T05:{n // 60:02}:{n % 60:02}Z worker-{n} INFO handled request {n}" for n in range(200))
    + "\n2026-11-30T06:00:00Z worker-1 ERROR redis pool exhausted"
)
OURS = render([Shown("a" * 18, "lesson", "Never mind the gap.", None, "2026-11-29")]).text


@pytest.mark.parametrize(
    "prompt",
    [
        QUESTION,
        f"<system-reminder>\nThe file changed.\n</system-reminder>\n{QUESTION}",
        f"<ide_selection>The user selected lines 1 to 90</ide_selection>{QUESTION}",
        f"{QUESTION}\n<INSTRUCTIONS>Be terse.</INSTRUCTIONS>",
        f"<hook_context>{OURS}</hook_context>\n{QUESTION}",
        f"{OURS}\n{QUESTION}",
        f"{QUESTION}\n{LOG}",
        f"{LOG}\n{QUESTION}",
        f"{QUESTION}\n```\n{'some code here = 1' * 60}\n```",
    ],
)
def test_the_question_is_the_same_whatever_stands_around_it(prompt: str) -> None:
    assert asked(prompt)[0] == QUESTION


def test_of_a_pasted_log_the_error_comes_first_and_each_sort_of_line_once() -> None:
    _, pasted = asked(f"{QUESTION}\n{LOG}")
    assert pasted.splitlines()[0].endswith("ERROR redis pool exhausted")
    assert len(pasted.splitlines()) == 2


def test_a_paste_without_a_question_is_the_question() -> None:
    words, pasted = asked(LOG)
    assert "redis pool exhausted" in words
    assert pasted == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "<a-b>" * 40_000,
        "".join(f"<a-{n}>" for n in range(20_000)),
        "<x>=== hardwon memory ===" * 8_000,
        "=" * 200_000,
        "<a-b " * 40_000,
        "<" * 200_000,
        "a_" * 100_000,
        "2026-" * 40_000,
        "\n" * 200_000,
        "```\n" * 50_000,
    ],
)
def test_a_text_made_to_take_for_ever_does_not(prompt: str) -> None:
    """Each of these takes minutes where a pattern looks for its end from every beginning."""
    assert len(asked(prompt)[0]) <= OWN_WORDS + 1
    assert len(harmless(prompt)) <= len(prompt)
    assert len(without_ours(prompt)) <= len(prompt)


def test_markup_of_a_page_is_the_persons_own() -> None:
    assert asked("Why is <div>this</div> not red?")[0] == "Why is <div>this</div> not red?"


@given(st.text())
def test_any_text_is_a_prompt(text: str) -> None:
    words, pasted = asked(text)
    assert len(words) <= OWN_WORDS + 1
    assert len(pasted) <= PASTED


@given(st.text(alphabet="abc \n", min_size=SHORT + 1, max_size=SHORT * 20))
def test_long_words_of_ones_own_keep_their_beginning_and_end(text: str) -> None:
    words, _ = asked(text)
    assert len(words) <= OWN_WORDS + 1
