"""A Markdown file is cut where one thing ends and the next begins."""

from __future__ import annotations

import pytest

FAILS = "it fails silently because the lock was never released"


def test_problem_cause_and_fix_of_a_section_are_one_lesson(read) -> None:
    """Whatever marks them: bold labels, an item each, sub-headings, Chinese."""
    forms = [
        "## Slow start\n\n**Problem:** it hangs.\n\n**Cause:** no DNS.\n\n**Fix:** a cache.\n",
        "## Slow start\n\n- Problem: it hangs.\n- Root cause: no DNS.\n- Fix: a cache.\n",
        "## Slow start\n\n### Problem\n\nit hangs.\n\n### Cause\n\nno DNS.\n\n### Fix\n\na cache.\n",
        "## Slow start\n\n问题：it hangs.\n\n原因：no DNS.\n\n解决：a cache.\n",
        "- Slow start\n  - **Symptom**: it hangs.\n  - **Why**: no DNS.\n  - **Solution**: a cache.\n",
        "| Symptom | Cause | Fix |\n|---|---|---|\n| it hangs. | no DNS. | a cache. |\n",
    ]
    for form in forms:
        taken, skipped, _ = read(f"# Gotchas\n\n{form}")
        assert [record["lesson"] for record in taken] == [
            {"situation": "it hangs.", "cause": "no DNS.", "fix": "a cache."}
        ], form
        assert skipped == [], form


def test_code_stays_with_the_part_that_it_belongs_to(read) -> None:
    """And a label in a code block is code."""
    text = "## Slow\n\n**Problem:** it hangs.\n\n**Fix:**\n\n```sh\n# Cause: none\nrestart\n```\n"
    taken, _, _ = read(text)
    assert taken[0]["lesson"]["fix"] == "```sh\n# Cause: none\nrestart\n```"
    assert "cause" not in taken[0]["lesson"]


def test_items_are_lessons_of_their_own_with_what_is_below_them(read) -> None:
    """The marker is gone, continuation lines and sub-items stay."""
    text = f"# Lessons\n\n- One: {FAILS}\n  on Mondays.\n  - more\n\n    ```sh\n    x\n    ```\n1. Two: {FAILS}\n"
    taken, _, _ = read(text)
    assert [record["content"] for record in taken] == [
        f"One: {FAILS}\non Mondays.\n- more\n\n  ```sh\n  x\n  ```",
        f"Two: {FAILS}",
    ]
    assert [record["source"]["line"] for record in taken] == [3, 10]


def test_an_item_that_only_names_what_is_below_it_is_no_unit(read) -> None:
    """The items below are; its name becomes a tag."""
    taken, skipped, _ = read(f"# Lessons\n\n- Locks\n  - First, {FAILS}.\n  - Second, {FAILS}.\n")
    assert [record["source"]["line"] for record in taken] == [4, 5]
    assert taken[0]["tags"] == ["Locks"]
    assert skipped == []


def test_a_section_is_a_lesson_with_its_heading_prose_and_code(read) -> None:
    """The content begins with the heading, without its number."""
    text = (
        f"# Lessons\n\n## 3. The `lock`\n\nHere {FAILS}.\n\n```sh\nfree\n```\n\nDone by hand.\n\n## Next\n\nNothing.\n"
    )
    taken, _, _ = read(text)
    assert taken[0]["content"] == f"The lock\n\nHere {FAILS}.\n\n```sh\nfree\n```\n\nDone by hand."
    assert taken[0]["source"]["line"] == 3


def test_headings_above_a_lesson_are_its_tags(read) -> None:
    """But not the title, and not those that only say that there are lessons."""
    taken, _, _ = read(f"# Lessons\n\n## Postgres\n\n### Known issues\n\n- Here {FAILS}.\n- There {FAILS}.\n")
    assert [record["tags"] for record in taken] == [["Postgres"], ["Postgres"]]


def test_quotes_are_read_like_what_is_quoted(read) -> None:
    """GitHub's alerts, too."""
    taken, _, _ = read(f"# Lessons\n\n## Locks\n\n> [!WARNING]\n> Here {FAILS}.\n")
    assert taken[0]["content"] == f"Locks\n\nHere {FAILS}."


@pytest.mark.parametrize(
    "text",
    [
        f"---\ntitle: {FAILS}\n---\n",
        f"<!-- {FAILS} -->\n",
        f"<!--\n\n- {FAILS}\n\n-->\n",
        f"```\n- {FAILS}\n\n## {FAILS}\n```\n",
        f"```\n{FAILS}\n\nand the fence is never closed\n",
        f"    {FAILS}\n",
        "- [It fails silently](#it-fails-silently)\n- [It never returns](#never)\n",
        "[![build failing](https://example.com/failing.svg)](https://example.com/error)\n",
        "",
        "# Title alone\n",
    ],
)
def test_front_matter_comments_code_contents_and_badges_give_nothing(read, text: str) -> None:
    """Even where the words would speak for a lesson."""
    taken, _, failed = read(text)
    assert taken == []
    assert failed == []


def test_what_comes_after_front_matter_keeps_its_lines(read) -> None:
    """The source names the line in the file, not in the rest of it."""
    taken, _, _ = read(f"---\ntags: [a]\n---\n\n- Here {FAILS}.\n")
    assert taken[0]["source"]["line"] == 5


def test_a_rule_at_the_top_is_no_front_matter(read) -> None:
    """A line of dashes that nothing closes hides nothing."""
    taken, _, _ = read(f"---\n\n- Here {FAILS}.\n")
    assert taken[0]["source"]["line"] == 3


def _report(level: str, headings: tuple[str, ...]) -> str:
    told = ("Orders stood still.", "Nine minutes without orders.", "A lock.", "- 10:00 begin", "Lock less.", "- Lint")
    return "\n\n".join(f"{level} {heading}\n\n{words}" for heading, words in zip(headings, told, strict=False))


ENGLISH = ("Summary", "Impact", "Root cause", "Timeline", "What we learned", "Action items")
CHINESE = ("概述", "影响", "原因", "时间线", "教训", "改进")


@pytest.mark.parametrize("name", ["2025-postmortem.md", "notes.md"])
@pytest.mark.parametrize("headings", [ENGLISH, CHINESE])
@pytest.mark.parametrize(
    ("title", "level"), [("# Orders stood still", "##"), ("# All\n\n## Orders stood still", "###")]
)
def test_the_sections_of_a_post_mortem_are_one_lesson(
    read, title: str, level: str, headings: tuple[str, ...], name: str
) -> None:
    """With the document's title, and with situation, cause and fix; what happened when is no part of these."""
    taken, skipped, _ = read(f"{title}\n\n{_report(level, headings)}\n", name)
    assert [record["content"].split("\n")[0] for record in taken] == ["Orders stood still"]
    assert taken[0]["lesson"] == {
        "situation": "Orders stood still.\n\nNine minutes without orders.",
        "cause": "A lock.",
        "fix": "Lock less.\n\nLint",
    }
    assert skipped == []


def test_a_section_below_a_part_of_a_post_mortem_stays_in_it(read) -> None:
    """Whatever it is called."""
    text = "# It hung\n\n## Impact\n\nAll.\n\n## Cause\n\nA lock.\n\n### In detail\n\nTwo locks.\n\n## Fix\n\nNone.\n"
    taken, _, _ = read(text, "notes.md")
    assert len(taken) == 1
    assert "Two locks." in taken[0]["content"]


@pytest.mark.parametrize("heading", ["Lessons learned", "What we learned", "教训"])
def test_a_chapter_of_lessons_is_no_part_of_its_document(read, heading: str) -> None:
    """Its items are lessons one by one, though such a heading in a post-mortem names a part."""
    taken, _, _ = read(
        f"# Gateway\n\n## Setup\n\nRun it.\n\n## {heading}\n\n- Here {FAILS}.\n- There {FAILS}.\n", "a.md"
    )
    assert [record["source"]["line"] for record in taken] == [9, 10]
