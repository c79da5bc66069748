"""Settings are changed as text: what a person wrote around them stays."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.use_cases.moving.settings_text import set_values, with_values

VALUES = {("store",): "postgres", ("postgres", "url"): "postgresql://db/memory"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", 'store = "postgres"\n\n[postgres]\nurl = "postgresql://db/memory"\n'),
        (
            '# mine\nstore = "files" # one person\nlanguage = "zh"\n\n[recall]\nlimit = 3\n',
            '# mine\nstore = "postgres" # one person\nlanguage = "zh"\n\n[recall]\nlimit = 3\n\n'
            '[postgres]\nurl = "postgresql://db/memory"\n',
        ),
        (
            "[recall]  # little\nlimit = 3\n\n[postgres]\nconnections = 2\n# the end",
            'store = "postgres"\n[recall]  # little\nlimit = 3\n\n[postgres]\nconnections = 2\n'
            'url = "postgresql://db/memory"\n# the end',
        ),
        (
            "store='files'\r\n[postgres]\r\nurl = \"old\"\r\n",
            'store="postgres"\r\n[postgres]\r\nurl = "postgresql://db/memory"\r\n',
        ),
        (
            'language = "en"',
            'language = "en"\nstore = "postgres"\n\n[postgres]\nurl = "postgresql://db/memory"\n',
        ),
    ],
)
def test_values_are_put_where_a_person_would(tmp_path: Path, before: str, after: str) -> None:
    """In the place of the old one, else at the end of its table; every other byte stays."""
    (tmp_path / "config.toml").write_bytes(before.encode())
    set_values(tmp_path, VALUES)
    assert (tmp_path / "config.toml").read_bytes().decode() == after


@pytest.mark.parametrize(
    "text", ['"store" = "files"\n', 'postgres = {url = "x"}\n', "store = [\n", 'store = """\nfiles"""\n']
)
def test_what_only_a_person_can_edit_is_told_and_left(tmp_path: Path, text: str) -> None:
    """Never a file that says something else than before."""
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput):
        set_values(tmp_path, VALUES)
    assert path.read_text(encoding="utf-8") == text


def test_a_link_stays_one(tmp_path: Path) -> None:
    """Into a folder of dotfiles."""
    real = tmp_path / "dotfiles.toml"
    real.write_text("# mine\n", encoding="utf-8")
    (tmp_path / "config.toml").symlink_to(real)
    set_values(tmp_path, VALUES)
    assert (tmp_path / "config.toml").is_symlink()
    assert "postgres" in real.read_text(encoding="utf-8")


_LINES = st.sampled_from(
    ["", "# a comment", 'store = "files"', 'language = "zh"', "[recall]", "limit = 3", "[postgres]", 'url = "x"', "  "]
)


@given(st.lists(_LINES, max_size=8))
def test_whatever_the_file_the_values_are_the_only_change(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    """Or it is left to a person."""
    home = tmp_path_factory.mktemp("home")
    text = "\n".join(lines)
    (home / "config.toml").write_text(text, encoding="utf-8")
    try:
        before = tomllib.loads(text)
        after = with_values(home, VALUES)
    except (tomllib.TOMLDecodeError, InvalidInput):
        return
    assert {line for line in lines if line.startswith("#")} <= set(after.splitlines())
    postgres = {**before.get("postgres", {}), "url": "postgresql://db/memory"}
    assert tomllib.loads(after) == {**before, "store": "postgres", "postgres": postgres}
