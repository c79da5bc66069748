"""Superseded by whatever path: only the head is recalled, by the old words too, and what was before can be asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

OLD, NEW = "The staging database listens on port 5432", "The staging database listens on port 5433"
Answer = Callable[..., Any]


def recalled(answer: Answer, *options: str, **given: Any) -> list[str]:
    found = answer("recall", "staging database listens on port", "--everywhere", *options, **given)
    return [hit["content"] for hit in found["hits"]]


def only_the_head(answer: Answer, old: str) -> None:
    """Check what every path promises."""
    assert recalled(answer) == [NEW]
    found = answer("show", old)
    assert found["superseded_by"] is not None
    assert [each["content"] for each in found["chain"]] == [OLD, NEW]
    assert found["chain"] == answer("show", found["superseded_by"])["chain"]
    assert found["true_until"] == found["chain"][1]["since"]


def remembered(answer: Answer, text: str) -> str:
    return str(answer("remember", "--global", text)["id"])


def import_lines(answer: Answer, folder: Path, *records: dict[str, Any]) -> None:
    file = folder / f"{records[0]['id']}.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    answer("import", "--global", file)


def test_by_the_users_yes_to_what_consolidation_asks(answer: Answer, tmp_path: Path) -> None:
    import_lines(answer, tmp_path, {"id": "a", "content": OLD, "valid_at": "2026-01-01"}, {"id": "b", "content": NEW})
    answer("consolidate")
    (question,) = answer("review", "list")
    assert question["kind"] == "settle-conflict"
    assert set(recalled(answer)) == {OLD, NEW}
    answer("review", "accept", question["id"])
    only_the_head(answer, "a")
    answer("review", "undo", question["id"])
    assert set(recalled(answer)) == {OLD, NEW}


def test_by_plain_words_of_the_user(answer: Answer) -> None:
    old = remembered(answer, OLD)
    answer("remember", "--global", f"{NEW} from now on")
    assert recalled(answer) == [f"{NEW} from now on"]
    assert answer("show", old)["superseded_by"]


def test_by_hand_in_the_front_matter(answer: Answer) -> None:
    old = remembered(answer, OLD)
    new = answer("remember", "--global", NEW)
    path = Path(answer("show", new["id"])["path"])
    text = path.read_text(encoding="utf-8")
    edge = f"relations:\n  - kind: supersedes\n    target: {old}\n"
    head, _, rest = text.partition("relations:")
    rest = "---" + rest.partition("\n---")[2] if rest else ""
    if not rest:
        head, _, rest = text[4:].partition("---\n")
        head, rest = f"---\n{head}", f"---\n{rest}"
    path.write_text(f"{head}{edge}{rest}", encoding="utf-8")
    only_the_head(answer, old)


def test_by_an_archive_that_is_imported(answer: Answer, tmp_path: Path) -> None:
    old = remembered(answer, OLD)
    remembered(answer, NEW)
    (question,) = answer("review", "list")
    answer("review", "accept", question["id"])
    archive = tmp_path / "all.jsonl"
    answer("export", archive)
    other = {"HARDWON_HOME": str(tmp_path / "other")}

    def there(*arguments: Any) -> Any:
        return answer(*arguments, also=other)

    there("import", archive)
    only_the_head(there, old)


ZONES = ("America/Los_Angeles", "Asia/Tokyo")


@pytest.mark.parametrize(
    "moments",
    [
        # How a date may be written; what names no zone is UTC.
        ("2026-03-01", "2026-03-01T10:00+09:00"),
        ("2026-03-01 10:00", "2026-03-01T10:00:00.000001Z"),
        # An hour that a change of the clocks makes twice, in one zone.
        ("2026-11-01T01:30:00-07:00", "2026-11-01T01:30:00-08:00"),
    ],
)
def test_every_zone_gives_the_same_answer(answer: Answer, tmp_path: Path, moments: Sequence[str]) -> None:
    """Whatever zone the machine is in, and however the moments were written."""
    first, second = moments
    import_lines(
        answer,
        tmp_path,
        {"id": "a", "content": OLD, "valid_at": first},
        {"id": "b", "content": NEW, "valid_at": second},
    )
    answer("consolidate")
    (question,) = answer("review", "list")
    answer("review", "accept", question["id"])
    for zone in ZONES:
        zoned = {"TZ": zone}
        assert recalled(answer, "--as-of", first, also=zoned) == [OLD]
        assert recalled(answer, "--as-of", second, also=zoned) == [NEW]
        chain = answer("show", "a", also=zoned)["chain"]
        assert chain[0]["until"] == chain[1]["since"]


def test_what_was_before_can_be_asked(answer: Answer) -> None:
    """Recall says that there was something, and how to see it; the chain has dates and authors."""
    old = remembered(answer, OLD)
    new = answer("remember", "--global", NEW, "--replaces", old)["id"]
    found = answer("recall", "what did the staging database listen on before", "--everywhere")
    assert [hit["id"] for hit in found["hits"]] == [new]
    assert any(new in note and "took the place" in note for note in found["notes"])
    assert [(each["content"], each["said_by"]) for each in answer("show", new)["chain"]] == [
        (OLD, "user"),
        (NEW, "user"),
    ]
