"""All the ways to write a git remote are one name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.remotes import normalised_remote

ROOT = Path("/srv/code/shop")


@pytest.mark.parametrize(
    "url",
    [
        "https://github.com/acme/shop",
        "https://github.com/acme/shop.git",
        "https://github.com/acme/shop/",
        "https://user:password@GitHub.com:443/acme/shop.git",
        "http://github.com/acme//shop",
        "git@github.com:acme/shop.git",
        "github.com:acme/shop",
        "ssh://git@github.com:22/acme/shop.git",
        "git+ssh://git@github.com/acme/shop.git/",
        "git://github.com/acme/shop.git",
        "  https://github.com/acme/shop\n",
    ],
)
def test_one_repository_has_one_name(url: str) -> None:
    assert normalised_remote(url, ROOT) == "github.com/acme/shop"


def test_a_password_is_never_part_of_the_name() -> None:
    name = normalised_remote("https://ada:s3cr3t-t0ken@example.org/team/shop.git", ROOT)
    assert name == "example.org/team/shop"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://github.com/Acme/Shop", "github.com/Acme/Shop"),
        ("https://example.org/a/b/c/d.git", "example.org/a/b/c/d"),
        ("https://[2001:db8::1]:8443/team/shop.git", "2001:db8::1/team/shop"),
        ("https://example.org/团队/项目.git", "example.org/团队/项目"),
        ("https://example.org/a%20b.git", "example.org/a b"),
    ],
)
def test_what_tells_repositories_apart_stays(url: str, name: str) -> None:
    assert normalised_remote(url, ROOT) == name


@pytest.mark.parametrize("url", ["../bare/shop.git", "/srv/code/bare/shop.git", "file:///srv/code/bare/shop.git"])
def test_a_remote_on_this_machine_is_its_folder(url: str) -> None:
    assert normalised_remote(url, ROOT) == str(Path("/srv/code/bare/shop").resolve())


@pytest.mark.parametrize(
    "url", ["", "   ", "https://", "https://example.org/", "\0\0\0", "../shop\0", "file:///srv/shop%00"]
)
def test_what_names_no_repository_is_no_name(url: str) -> None:
    assert normalised_remote(url, ROOT) is None
