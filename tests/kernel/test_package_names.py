"""A principle must not speak of a package by the name in its manifest; a broken manifest names nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.package_names import package_names
from hardwon.kernel.project_names import ProjectBook
from hardwon.kernel.use_cases.lesson_wording import names_of


@pytest.mark.parametrize(
    ("file", "text", "names"),
    [
        ("pyproject.toml", '[project]\nname = "larkmail"\n', ("larkmail",)),
        ("pyproject.toml", '[tool.poetry]\nname = "larkmail"\n', ("larkmail",)),
        ("Cargo.toml", '[package]\nname = "lark-mail"\n', ("lark-mail",)),
        ("package.json", '{"name": "@acme/larkmail"}', ("@acme/larkmail",)),
        ("go.mod", "module github.com/acme/larkmail\n\ngo 1.22\n", ("github.com/acme/larkmail",)),
        ("package.json", '{"name": 3}', ()),
        ("package.json", "[]", ()),
        ("package.json", "{broken", ()),
        ("pyproject.toml", "project = 3\n", ()),
        ("Cargo.toml", "[package", ()),
        ("go.mod", "go 1.22\n", ()),
    ],
)
def test_a_manifest_names_its_package(tmp_path: Path, file: str, text: str, names: tuple[str, ...]) -> None:
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert package_names(tmp_path) == names


def test_what_cannot_be_read_names_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "package.json").mkdir()
    assert package_names(tmp_path) == ()
    assert package_names(tmp_path / "nowhere") == ()


def test_a_project_is_called_by_all_its_names_and_those_of_its_packages(tmp_path: Path) -> None:
    """A package with a name of the trade is called nothing."""
    (tmp_path / "package.json").write_text('{"name": "larkmail"}', encoding="utf-8")
    book = ProjectBook({"mail": "github.com/acme/lark"})
    assert names_of(book, "github.com/acme/lark", tmp_path) == [
        "github.com/acme/lark",
        "mail",
        "github.com/acme",
        "github.com",
        "larkmail",
    ]
    (tmp_path / "package.json").write_text('{"name": "server"}', encoding="utf-8")
    assert names_of(book, None, tmp_path) == []
