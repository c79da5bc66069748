"""A mounted tree of any size holds no question up: what was not looked at in time is told, and taken in later."""

from __future__ import annotations

import pytest

from hardwon.stores.mounts import notes, walking
from hardwon.stores.mounts.notes import Notes

from .conftest import LONG_AGO, NOTE, Vault


def test_a_tree_too_large_to_be_looked_at_is_told_and_what_is_known_of_it_stays(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question ends its look in time; what is not looked at is neither gone nor away, and taken in later."""
    for number in range(4):
        vault.write(f"part {number}/retry {number}.md", NOTE)
    vault.mount()
    assert len(vault.found()) == 4
    vault.write("new/retry new.md", NOTE)
    vault.write("part 0/retry 0.md", "# Other\n\nIt says something else now.\n", at=LONG_AGO + 9)
    monkeypatch.setattr(walking, "LEAST", 0)
    monkeypatch.setattr(notes, "LOOKING", -1.0)
    answer = vault.ask()
    assert [note for note in answer.notes if "is large" in note and "hardwon mount" in note]
    assert set(vault.found()) == {f"retry {number}.md" for number in (1, 2, 3)}
    Notes(vault.home).refresh_all()
    assert set(vault.found()) == {"retry new.md", *(f"retry {number}.md" for number in (1, 2, 3))}


def test_a_small_tree_is_looked_at_however_long_it_takes(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    vault.write("retry.md", NOTE)
    vault.mount()
    monkeypatch.setattr(notes, "LOOKING", -1.0)
    assert vault.found() == ["retry.md"]
