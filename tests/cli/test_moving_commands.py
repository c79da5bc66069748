"""The commands that move the memory as a whole, as a person runs them one after the other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardwon.cli.actions.moving import migrate
from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.moving import migrating
from hardwon.kernel.use_cases.moving.migrating import Migration

Answer = Callable[..., Any]


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("how", [(), ("--shared",)], ids=["all", "shared"])
def test_what_cannot_be_read_is_told_however_it_is_exported(
    program: Any, environment: dict[str, str], tmp_path: Path, how: tuple[str, ...]
) -> None:
    """Beside an archive that is printed, too; of one for other people, what was shared as long as it could be read."""
    secret = "A kernel panic left an empty cache file."
    memory = Path(environment["HARDWON_HOME"], "memory")
    [path] = [each for each in memory.rglob("*.md") if secret in each.read_text(encoding="utf-8")]
    text = path.read_text(encoding="utf-8").replace("\n---\n", "\nvisibility: shared-read\n---\n", 1)
    path.write_text(text, encoding="utf-8")
    assert secret in program("export", *how).stdout
    path.write_text(text.replace("shared-read", "private\nbroken: ["), encoding="utf-8")
    printed, written = program("export", *how), program("export", *how, tmp_path / "archive.jsonl")
    assert (printed.returncode, written.returncode) == (1, 1)
    assert str(path) in printed.stderr
    assert str(path) in written.stdout
    assert (secret in printed.stdout) is (how == ())


@pytest.mark.usefixtures("filled")
def test_a_memory_is_exported_moved_backed_up_and_brought_back(
    answer: Answer, program: Any, environment: dict[str, str], tmp_path: Path
) -> None:
    """And is the same in each place."""
    home = Path(environment["HARDWON_HOME"])
    archive = tmp_path / "memory.jsonl"
    assert answer("export", archive)["left_out"] == []
    assert answer("export", "--to-vault", tmp_path / "vault")["notes"] == 4

    question = ("recall", "the settings file was half written when the power failed", "--project", "shop")
    found = [hit["id"] for hit in answer(*question)["hits"]]
    assert found
    moved = answer("migrate", "--to", "sqlite")
    assert (moved["from"], moved["to"], moved["went_on"], moved["problems"]) == ("files", "sqlite", False, [])
    assert all(part["equal"] for part in moved["parts"])
    assert str(home / "memory") in moved["left"]
    assert answer("status")["store"] == "sqlite"
    assert [hit["id"] for hit in answer(*question)["hits"]] == found

    backup = tmp_path / "memory.backup"
    assert answer("backup", backup)["store"] == "sqlite"
    checked = answer("restore", backup, "--check")
    assert (checked["checked_only"], checked["counts"]["memories"]) == (True, 3)
    refused = program("restore", backup)
    assert refused.returncode == 1
    assert "--replace" in refused.stderr
    aside = Path(answer("restore", backup, "--replace")["aside"])
    assert (aside / "memory").is_dir()
    assert not (home / "memory").exists()

    second = tmp_path / "again.jsonl"
    answer("export", second)
    # What was exported, moved and asked meanwhile is activity.
    kept = [line for line in archive.read_text(encoding="utf-8").splitlines() if '"type":"memory"' in line]
    assert kept == [line for line in second.read_text(encoding="utf-8").splitlines() if '"type":"memory"' in line]


@pytest.mark.usefixtures("filled")
def test_what_a_person_is_told(program: Any) -> None:
    """Where the old store lies and how to go back; what an upgrade would do."""
    checked = program("doctor", "--upgrade-check")
    assert checked.returncode == 0, checked.stderr
    assert "the home itself was not touched" in checked.stdout
    told = program("migrate", "--to", "sqlite")
    assert told.returncode == 0, told.stderr
    assert 'To go back to it, without what comes from now on, set `store = "files"`' in told.stdout.replace("\n", " ")
    again = program("migrate", "--to", "sqlite")
    assert again.returncode == 2
    assert "in sqlite already" in again.stderr.replace("\n", " ")
    back = program("migrate", "--to", "files")
    assert "--afresh" in back.stderr


@pytest.mark.usefixtures("filled")
def test_a_folder_for_backups_is_made_where_one_is_meant(answer: Answer, tmp_path: Path) -> None:
    """By the / at its end; each backup gets a name of its own in it."""
    made = Path(answer("backup", f"{tmp_path}/backups/")["path"])
    assert made.parent == tmp_path / "backups"
    assert made.name.endswith(".backup")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("files", "lies as it was in `{home}/memory`"),
        ("postgres", "stays as it was on the server that `[postgres]` of the settings names"),
        ("theirs", "stays as it was, where `theirs` keeps it"),
    ],
)
def test_one_is_told_where_the_old_store_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, told: str
) -> None:
    """In the home, on a server, or wherever a plugin's store keeps it."""
    left = (tmp_path / "memory",) if source == "files" else ()
    moved = Migration(source, "sqlite", (), 1.0, 0.0, went_on=False, left=left, aside=None, problems=())
    monkeypatch.setattr(migrating, "migrate", lambda *_given, **_named: moved)
    text = migrate(Home(tmp_path), to="sqlite").text
    assert f"The old store {told.format(home=tmp_path)}. To go back to it" in text


@pytest.mark.parametrize("store", ["files", "sqlite"])
def test_a_proposal_whose_id_cannot_name_it_is_told_and_stops_nothing(program: Any, tmp_path: Path, store: str) -> None:
    """Such an archive was written by another program, or changed by one."""
    odd = ["", "../../x", "a/b", "x" * 300, "x\n\ny", ".git", "CON", "密" * 200, " "]
    records: list[dict[str, Any]] = [{"type": "archive", "format": "hardwon-archive", "version": 2}]
    for id in [*odd, "sound"]:
        when = "2026-11-30T09:00:00Z"
        records.append({"type": "proposal", "id": id, "rule": "Check it.", "notes": "mine", "created_at": when})
    archive = tmp_path / "odd.jsonl"
    archive.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    program("init", "--store", store)
    [report] = json.loads(program("import", archive, "--json").stdout)["files"]
    told = [each for each in report["failed"] if each["where"].startswith("proposal ")]
    assert report["proposals"] + len(told) == len(odd) + 1
    listed = {each["id"] for each in json.loads(program("review", "list", "--json").stdout)}
    assert ("sound" in listed, len(listed)) == (True, report["proposals"])
    assert program("doctor").returncode == 0


@pytest.mark.usefixtures("filled")
def test_forgetting_names_the_stores_that_the_memory_was_moved_from(
    answer: Answer, environment: dict[str, str]
) -> None:
    """They stay as they were, so that what is forgotten stands in them; a person removes them."""
    home = Path(environment["HARDWON_HOME"])
    assert answer("forget", "L-1", "--yes")["copies"] == []
    answer("migrate", "--to", "sqlite")
    assert answer("forget", "L-2", "--yes")["copies"] == [str(home / "memory")]
    answer("migrate", "--to", "files", "--afresh")
    [aside] = (home / "aside").iterdir()
    assert answer("forget", "L-3", "--yes")["copies"] == [str(home / "memory.sqlite"), str(aside)]
