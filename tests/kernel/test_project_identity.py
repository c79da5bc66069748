"""A folder's project is the same in every clone and worktree, and never known by a basename alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.identity import ProjectIdentity, identify


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that lies in no repository and below the home directory of nobody."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path


def repository(folder: Path, config: str = "") -> Path:
    """Make what git makes of a repository, as far as identity looks."""
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (git / "config").write_text(config, encoding="utf-8")
    return folder


def remote(url: str, name: str = "origin") -> str:
    return f'[remote "{name}"]\n\turl = {url}\n'


def known(folder: Path) -> ProjectIdentity:
    found = identify(folder)
    assert found is not None
    return found


def test_clones_of_one_remote_are_one_project(place: Path) -> None:
    one = repository(place / "one", remote("git@example.org:team/shop.git"))
    two = repository(place / "two", remote("https://example.org/team/shop"))
    (one / "src" / "deep").mkdir(parents=True)
    assert known(one / "src" / "deep").key == known(two).key == "example.org/team/shop"
    assert known(one).named_by == "git remote"


def test_a_folder_of_the_same_name_elsewhere_is_another_project(place: Path) -> None:
    for where in ("a", "b"):
        (place / where / "shop").mkdir(parents=True)
    assert known(place / "a" / "shop").key != known(place / "b" / "shop").key


def test_a_worktree_belongs_to_its_repository(place: Path) -> None:
    """With a remote or without one; its `.git` is a file that points to the shared directory."""
    main = repository(place / "main")
    private = main / ".git" / "worktrees" / "fix"
    private.mkdir(parents=True)
    (private / "HEAD").write_text("ref: refs/heads/fix\n", encoding="utf-8")
    (private / "commondir").write_text("../..\n", encoding="utf-8")
    tree = place / "fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {private}\n", encoding="utf-8")
    assert known(tree).key == known(main).key == str(main)
    (main / ".git" / "config").write_text(remote("https://example.org/team/shop"), encoding="utf-8")
    assert known(tree).key == known(main).key == "example.org/team/shop"


def test_a_repository_that_got_a_remote_knows_its_earlier_name(place: Path) -> None:
    before = known(repository(place / "shop"))
    (place / "shop" / ".git" / "config").write_text(remote("https://example.org/team/shop"), encoding="utf-8")
    assert before.key in known(place / "shop").other_names


def test_origin_comes_before_other_remotes(place: Path) -> None:
    config = "".join(remote(f"https://example.org/{name}/shop", name) for name in ("zeta", "upstream", "origin"))
    assert known(repository(place / "shop", config)).key == "example.org/origin/shop"


def test_the_home_directory_is_no_project(place: Path) -> None:
    """Also where its dotfiles are a repository; a folder below it is."""
    home = repository(place / "home", remote("https://example.org/me/dotfiles"))
    (home / "notes").mkdir()
    assert identify(home) is None
    assert known(home / "notes").key == str(home / "notes")


@pytest.mark.parametrize("folder", ["/", "/tmp", "/var/tmp", "/anything"])
def test_a_folder_of_unrelated_things_is_no_project(place: Path, folder: str) -> None:
    assert identify(Path(folder)) is None


def test_the_folder_for_temporary_files_is_no_project_unless_it_is_named(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder in it is one: what is tried out there is not mixed with what else lies there."""
    (place / "temporary" / "trial").mkdir(parents=True)
    monkeypatch.setenv("TMPDIR", str(place / "temporary"))
    assert identify(place / "temporary") is None
    assert known(place / "temporary" / "trial").named_by == "folder"
    (place / "temporary" / ".hardwon.toml").write_text('name = "trials"\n', encoding="utf-8")
    assert known(place / "temporary").key == "trials"


def test_a_file_in_the_repository_names_the_project_and_its_packages(place: Path) -> None:
    root = repository(place / "mono", remote("https://example.org/team/mono"))
    (root / "api" / "src").mkdir(parents=True)
    (root / "api" / ".hardwon.toml").write_text('package = "api"\n', encoding="utf-8")
    assert known(root / "api" / "src").key == "example.org/team/mono/api"
    (root / ".hardwon.toml").write_text('name = "the-shop"\n', encoding="utf-8")
    assert known(root).key == "the-shop"
    assert known(root / "api" / "src").key == "the-shop/api"
    assert "example.org/team/mono" in known(root).other_names


def test_a_broken_file_is_named_and_a_broken_git_directory_is_none(place: Path) -> None:
    (place / "a").mkdir()
    (place / "a" / ".hardwon.toml").write_text("name = \n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"\.hardwon\.toml"):
        identify(place / "a")
    (place / "a" / ".hardwon.toml").write_text(f"name = {5_000 * '['}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"\.hardwon\.toml"):
        identify(place / "a")
    (place / "b" / ".git").mkdir(parents=True)
    (place / "c").mkdir()
    (place / "c" / ".git").write_bytes(b"\xff\xfe gitdir: nowhere")
    assert [known(place / name).named_by for name in "bc"] == ["folder", "folder"]


@pytest.mark.parametrize(
    "config",
    [
        '[remote "origin"]\r\n\turl = https://example.org/team/shop\r\n',
        '[REMOTE "origin"] URL=https://example.org/team/shop ; comment\n',
        '# [remote "origin"]\n[remote "origin"]\n\turl = "https://example.org/team/shop"\n\turl = https://mirror.org/x\n',
        '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://example.org\\\n/team/shop\n',
        '\ufeff[remote "origin"]\n\tfetch = +refs/*\n\turl = https://example.org/team/shop # mine\n',
    ],
    ids=["windows", "one-line", "comment-and-quotes", "continued", "byte-order-mark"],
)
def test_the_configuration_is_read_as_git_reads_it(place: Path, config: str) -> None:
    assert known(repository(place / "shop", config)).key == "example.org/team/shop"
