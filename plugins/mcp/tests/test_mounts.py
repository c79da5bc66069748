"""memory_search finds the user's own notes in mounted folders, with where they stand, in the projects they allowed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hardwon.kernel.home import Home
from hardwon.kernel.mounts import Mount, save_mounts

NOTE = "# Payments\n\nWhen the payment gateway times out, retry with the same idempotency key.\n"


def test_a_mounted_note_is_found_where_the_user_allowed_it(
    client: Any, home: Path, project: Path, tmp_path: Path, hardwon: Callable[..., Any]
) -> None:
    notes = (tmp_path / "notes").resolve()
    notes.mkdir()
    (notes / "pay.md").write_text(NOTE, encoding="utf-8")
    hardwon("init")
    question = "the payment gateway times out, how do I retry?"
    assert client.told("memory_search", query=question)["memories"] == []
    own = str(project.resolve() / ".git").removesuffix("/.git")
    for projects, number in (((own,), 1), (("somebody-elses",), 0), ((), 1)):
        save_mounts(home, [Mount(str(notes), projects)])
        found = [each for each in client.told("memory_search", query=question)["memories"] if each["via"] == "mount"]
        assert len(found) == number, projects
    [hit] = found
    assert (hit["path"], hit["line"]) == (str(notes / "pay.md"), 1)
    assert "same idempotency key" in hit["content"]
    assert "mounted note" in client.refused("memory_feedback", id=hit["id"], verdict="useful")
    with Home(home) as opened:
        assert list(opened.storage.documents.names("mounts")) == []
