"""Every change is a commit that says why, made without git's settings, and `git status` shows nothing of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.kernel.query import Filter
from hardwon.stores.files.git import git_locks
from hardwon.stores.files.git.git_locks import is_stale
from hardwon.stores.files.storage import FilesStorage
from hardwon.testing.examples import complete_decision, memory
from hardwon.testing.fakes import FixedClock

from .conftest import Open, file_of, git


def log(folder: Path) -> list[str]:
    return git(folder, "log", "--format=%an|%s").splitlines()


def test_an_operation_is_one_commit_with_its_reason(storage: FilesStorage, memory_folder: Path) -> None:
    with storage.operation("Import lessons.jsonl"):
        storage.memories.put([memory("One."), memory("Two.")])
        storage.documents.write("notes.md", "text")
        storage.ledger.decide(complete_decision())
    assert log(memory_folder) == ["hardwon|Import lessons.jsonl", "hardwon|Begin the memory"]
    assert git(memory_folder, "status", "--short") == ""
    assert git(memory_folder, "fsck", "--strict") == ""


def test_a_commit_carries_the_time_of_the_clock(storage: FilesStorage, memory_folder: Path, clock: FixedClock) -> None:
    storage.memories.put([memory("One.")])
    assert git(memory_folder, "log", "-1", "--format=%aI").startswith(clock.now().isoformat()[:19])


def test_an_operation_that_fails_leaves_nothing(storage: FilesStorage, memory_folder: Path) -> None:
    kept = memory("Kept.")
    storage.memories.put([kept])
    with pytest.raises(ZeroDivisionError), storage.operation("Fails"):
        storage.memories.put([memory("Lost.")])
        storage.memories.update(kept.id, {"content": "Changed."})
        storage.documents.write("notes.md", "text")
        raise ZeroDivisionError
    assert list(storage.memories.scan(Filter())) == [kept]
    assert storage.documents.read("notes.md") is None
    assert log(memory_folder)[0] == "hardwon|Remember: Kept."
    assert git(memory_folder, "status", "--short") == ""


def test_a_part_that_fails_is_left_out_of_the_whole(storage: FilesStorage, memory_folder: Path) -> None:
    one, two = memory("One."), memory("Two.")
    with storage.operation("Both"):
        storage.memories.put([one])
        with pytest.raises(ZeroDivisionError), storage.operation("Inner"):
            storage.memories.put([two])
            raise ZeroDivisionError
    assert list(storage.memories.scan(Filter())) == [one]
    assert len(list(memory_folder.rglob("digest/**/*.md"))) == 1


def test_nothing_to_change_is_no_commit(storage: FilesStorage, memory_folder: Path) -> None:
    entry = memory("One.")
    storage.memories.put([entry])
    before = log(memory_folder)
    storage.memories.update(entry.id, {"content": "One."})
    with storage.operation("Nothing"):
        pass
    assert log(memory_folder) == before


HOSTILE = """[commit]
    gpgsign = true
    template = /nonexistent/template
[core]
    hooksPath = {hooks}
    autocrlf = true
    safecrlf = true
[init]
    defaultBranch = trunk
    templateDir = /nonexistent
[gpg]
    program = /bin/false
[user]
    useConfigOnly = true
"""


def test_git_settings_and_variables_of_the_user_change_nothing(
    open_store: Open, memory_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Signing, hooks, templates, line ends, a missing name, GIT_DIR and GIT_INDEX_FILE of a hook that called us."""
    user, hooks = tmp_path / "user", tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction"):
        (hooks / name).write_text("#!/bin/sh\nexit 1\n")
        (hooks / name).chmod(0o755)
    user.mkdir()
    (user / ".gitconfig").write_text(HOSTILE.format(hooks=hooks), encoding="utf-8")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    git(theirs, "init", "-q")
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("GIT_DIR", str(theirs / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(theirs / ".git" / "index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(theirs))
    storage = open_store()
    entry = memory("One.\nTwo.")
    storage.memories.put([entry])
    path = file_of(memory_folder, entry)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    storage.memories.put([memory("Another.")])
    assert len(log(memory_folder)) == 4
    assert not (theirs / ".git" / "index").exists()
    stored = git(memory_folder, "cat-file", "blob", f"HEAD:{path.relative_to(memory_folder).as_posix()}")
    assert stored.encode() != b""
    environment = {**os.environ, "HOME": str(user)}
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        del environment[name]
    status = subprocess.run(
        ["git", "status", "--short"], cwd=memory_folder, env=environment, capture_output=True, text=True, check=True
    )
    assert status.stdout == ""


def test_a_broken_git_configuration_does_not_stop_us(
    open_store: Open, tmp_path: Path, memory_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = tmp_path / "user"
    user.mkdir()
    (user / ".gitconfig").write_text("[broken\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(user))
    open_store().memories.put([memory("One.")])
    assert len(log(memory_folder)) == 2


def test_an_edit_by_hand_is_committed_under_the_name_of_the_users_git(
    storage: FilesStorage, memory_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = memory("One.")
    storage.memories.put([entry])
    user = tmp_path / "user"
    user.mkdir()
    (user / ".gitconfig").write_text("[user]\n\tname = 安娜\n\temail = anna@example.org\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(user))
    path = file_of(memory_folder, entry)
    path.write_text(path.read_text(encoding="utf-8") + "More.\n", encoding="utf-8")
    storage.memories.put([memory("Two.")])
    assert log(memory_folder)[:2] == ["hardwon|Remember: Two.", f"安娜|Edit by hand: {path.name}"]


def test_what_a_person_has_staged_stays_staged(storage: FilesStorage, memory_folder: Path) -> None:
    storage.memories.put([memory("One.")])
    (memory_folder / ".obsidian-settings").write_text("x", encoding="utf-8")
    git(memory_folder, "add", ".obsidian-settings")
    storage.memories.put([memory("Two.")])
    assert git(memory_folder, "status", "--short") == "A  .obsidian-settings\n"


def test_a_merge_under_way_is_left_to_the_person(storage: FilesStorage, memory_folder: Path, tmp_path: Path) -> None:
    entry = memory("One.")
    storage.memories.put([entry])
    path = file_of(memory_folder, entry)
    other = tmp_path / "other"
    git(tmp_path, "clone", "-q", str(memory_folder), str(other))
    for folder, word in ((other, "Theirs."), (memory_folder, "Ours.")):
        theirs = file_of(folder, entry)
        theirs.write_text(theirs.read_text(encoding="utf-8").replace("One.", word), encoding="utf-8")
        git(folder, "commit", "-qam", word)
    with pytest.raises(AssertionError):
        git(memory_folder, "pull", "-q", "--no-rebase", str(other), "main")
    conflicted = path.read_bytes()
    assert b"<<<<<<<" in conflicted
    two = memory("Two.")
    storage.memories.put([two])
    assert path.read_bytes() == conflicted
    assert not [line for line in log(memory_folder) if "by hand" in line]
    problems = " ".join(each.what for each in storage.problems())
    assert "merge" in problems and "conflict" in problems
    assert storage.memories.get([entry.id])[entry.id].content == "One."
    path.write_text(path.read_text(encoding="utf-8").split("<<<<<<<")[0] + "Both.\n", encoding="utf-8")
    git(memory_folder, "commit", "-qam", "Merge")
    assert storage.memories.get([entry.id])[entry.id].content == "Both."
    storage.memories.put([memory("Three.")])
    assert storage.problems() == []
    assert git(memory_folder, "status", "--short") == ""


@pytest.mark.parametrize("junk", [None, b"", b"junk", b"DIRC" + b"\0" * 40], ids=["gone", "empty", "junk", "cut"])
@pytest.mark.parametrize("again", [True, False], ids=["opened anew", "still open"])
def test_a_git_index_that_is_gone_or_damaged_is_made_anew_by_the_next_write(
    storage: FilesStorage, open_store: Open, memory_folder: Path, junk: bytes | None, again: bool
) -> None:
    storage.memories.put([memory("One."), memory("Two.", "shop")])
    index = memory_folder / ".git" / "index"
    index.unlink() if junk is None else index.write_bytes(junk)
    store = open_store() if again else storage
    store.memories.put([memory("Three.")])
    assert git(memory_folder, "status", "--short") == ""
    assert store.problems() == []


def test_a_stale_lock_is_removed(storage: FilesStorage, memory_folder: Path) -> None:
    storage.memories.put([memory("One.")])
    (memory_folder / ".git" / "index.lock").write_bytes(b"")
    (memory_folder / ".git" / "refs" / "heads" / "main.lock").write_bytes(b"")
    storage.memories.put([memory("Two.")])
    assert not (memory_folder / ".git" / "index.lock").exists()
    assert git(memory_folder, "status", "--short") == ""
    assert storage.problems() == []


@pytest.mark.skipif(sys.platform != "linux", reason="who holds a file can be seen on Linux alone")
def test_a_commit_looks_into_no_process_for_the_lock_of_gits_index(
    memory_folder: Path, storage: FilesStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own upkeep has it for a moment after most writes to a large memory."""
    storage.memories.put([memory("First.")])
    (memory_folder / ".git" / "index.lock").touch()
    monkeypatch.setattr(git_locks, "is_stale", lambda *_: pytest.fail("the processes were looked through"))
    storage._opened.workspace.repository.move_branch(git(memory_folder, "rev-parse", "HEAD").strip())


def test_a_lock_that_is_in_use_stays_and_the_commit_is_made(storage: FilesStorage, memory_folder: Path) -> None:
    storage.memories.put([memory("One.")])
    lock = memory_folder / ".git" / "index.lock"
    with lock.open("wb"):
        assert not is_stale(lock, memory_folder)
        storage.memories.put([memory("Two.")])
        assert log(memory_folder)[0] == "hardwon|Remember: Two."
        assert [problem for problem in storage.problems() if "git" in problem.where]
    storage.memories.put([memory("Three.")])
    assert git(memory_folder, "status", "--short") == ""
    assert storage.problems() == []


def test_the_memory_may_lie_inside_a_vault_that_is_a_repository(
    open_store: Open, home_path: Path, memory_folder: Path
) -> None:
    git(home_path.parent, "init", "-q")
    open_store().memories.put([memory("One.")])
    assert len(log(memory_folder)) == 2
    assert (memory_folder / ".git").is_dir()


def test_commits_go_to_the_branch_that_is_checked_out(storage: FilesStorage, memory_folder: Path) -> None:
    storage.memories.put([memory("One.")])
    git(memory_folder, "checkout", "-q", "-b", "experiment")
    storage.memories.put([memory("Two.")])
    git(memory_folder, "checkout", "-q", "main")
    assert [each.content for each in storage.memories.scan(Filter())] == ["One."]
    git(memory_folder, "pack-refs", "--all")
    storage.memories.put([memory("Three.")])
    assert git(memory_folder, "log", "--format=%s", "main").splitlines()[0] == "Remember: Three."


def test_everything_is_for_its_owner_alone(storage: FilesStorage, home_path: Path) -> None:
    storage.memories.put([memory("One.")])
    storage.documents.write("review-queue/a.md", "x")
    for path in home_path.rglob("*"):
        if ".git" not in path.parts and path.name not in ("config.toml", "version", ".gitattributes", ".gitignore"):
            assert path.stat().st_mode & 0o077 == 0, path


def test_a_commit_of_any_time_ends_a_former_state(storage: FilesStorage, memory_folder: Path) -> None:
    """Git takes the year 11476, which no date can write: as of a clock that is broken, or an import from elsewhere."""
    [kept] = storage.memories.put([memory("Rotate the certificates.")])
    path = file_of(memory_folder, kept)
    path.write_text(path.read_text(encoding="utf-8").replace("Rotate", "Renew"), encoding="utf-8")
    command = ["git", "-c", "user.name=Anna", "-c", "user.email=anna@example.org", "commit", "-qam", "Renew"]
    late = {**os.environ, "GIT_COMMITTER_DATE": "@300000000000 +0000", "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(command, cwd=memory_folder, env=late, check=True)
    storage.reindex()
    [version] = storage.memories.versions([kept.id])
    assert version.entry == kept
    assert version.until.year == 2255
