"""A lesson of a Markdown file is valid from the day that the note itself, its heading or its file names."""

from __future__ import annotations

import pytest

TOLD = "The cron job ran twice because two machines had the same crontab."


@pytest.mark.parametrize(
    "heading",
    [
        "2025-03-04 Webhook retries were lost", "2025-03-04", "[2025-03-04] Retries", "Webhook retries (2025-03-04)",
        "Outage on 2025/3/4", "2025年3月4日 线上事故", "事故复盘（2025-03-04）", "Outage, 4 March 2025",
        "**Mar 4th, 2025** — retries",
    ],
)  # fmt: skip
def test_the_day_in_a_heading_is_when_it_was_true(read, heading: str) -> None:
    """At its beginning or its end, of the section itself and of the items under it."""
    taken, _, _ = read(f"# Lessons\n\n## {heading}\n\n{TOLD}\n")
    assert [record["valid_at"] for record in taken] == ["2025-03-04"]
    taken, _, _ = read(f"# Lessons\n\n## {heading}\n\n- {TOLD}\n- {TOLD}\n")
    assert [record["valid_at"] for record in taken] == ["2025-03-04"] * 2


@pytest.mark.parametrize(
    "item",
    [f"2025-03-04: {TOLD}", f"**2025-03-04** {TOLD}", f"{TOLD} (2025-03-04)", f"2025-03-04 线上事故：{TOLD}",
     f"{TOLD}\n  Date: 2025-03-04"],
)  # fmt: skip
def test_an_item_has_a_day_of_its_own(read, item: str) -> None:
    """Which is nearer than its heading's."""
    taken, _, _ = read(f"# Lessons\n\n## 2024-01-01\n\n- {item}\n- {TOLD}\n")
    assert [record["valid_at"] for record in taken] == ["2025-03-04", "2024-01-01"]


@pytest.mark.parametrize("line", ["date: 2025-01-20", 'date: "2025-01-20"', "日期: 2025-01-20T10:00:00"])
def test_the_day_of_the_front_matter_holds_for_what_names_none(read, line: str) -> None:
    """And a heading's day is nearer."""
    taken, _, _ = read(f"---\ntitle: x\n{line}\n---\n# Lessons\n\n- {TOLD}\n\n## 2025-03-04 Again\n\n{TOLD}\n")
    assert [record["valid_at"] for record in taken] == ["2025-01-20", "2025-03-04"]


def test_the_day_in_a_files_name_holds_for_what_names_none(read) -> None:
    """As post-mortems are often named."""
    taken, _, _ = read(f"# Lessons\n\n- {TOLD}\n", "2025-03-04-outage.md")
    assert [record["valid_at"] for record in taken] == ["2025-03-04"]


@pytest.mark.parametrize(
    "text",
    [
        f"# Lessons\n\n- {TOLD}\n",
        f"# Lessons\n\n- 2024-03-10 is parsed as UTC, so the report broke. {TOLD}\n",
        f"# Lessons\n\n- Since 2025-03-04 it is slow. {TOLD}\n",
        f"# Lessons\n\n## 2025-02-30 Outage\n\n{TOLD}\n",
        f"# Lessons\n\n## Release 1.2025-03-041\n\n{TOLD}\n",
    ],
    ids=["none", "a day the sentence is about", "a day amid the text", "a day that no calendar has", "a number"],
)
def test_what_is_no_day_of_the_lesson_is_not_taken_for_one(read, text: str) -> None:
    """Then nothing is said of when it was true."""
    taken, _, _ = read(text)
    assert [record["valid_at"] for record in taken] == [None]
