"""Settings have defaults for everything; what is wrong is said with its file and its field."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.settings import FILE_NAME, Settings, load_settings


def write(home: Path, content: str | bytes) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    (home / FILE_NAME).write_bytes(data)


def test_no_file_and_an_empty_file_are_complete(tmp_path: Path) -> None:
    assert load_settings(tmp_path) == Settings()
    write(tmp_path, "")
    assert load_settings(tmp_path) == Settings()


def test_what_is_set_is_read(tmp_path: Path) -> None:
    """A byte order mark and Windows line endings, as an editor may leave them, included."""
    write(
        tmp_path,
        '\ufeffembedder = "none"\r\n[generalizer]\r\nminimum_lessons = 5\r\n'
        '[projects."github.com/acme/shop"]\r\ngeneralize = false\r\n[plugins.mine]\r\nanything = [1, "二"]\r\n',
    )
    settings = load_settings(tmp_path)
    assert settings.embedder == "none"
    assert settings.generalizer.minimum_lessons == 5
    assert not settings.projects["github.com/acme/shop"].generalize
    assert settings.plugins == {"mine": {"anything": [1, "二"]}}


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("store = 1", "store"),
        ("[generalizer]\nminimum_lessons = 1", "generalizer.minimum_lessons"),
        ('[recall]\nbudget = "many"', "recall.budget"),
        ('[postgres]\nschema_name = "pg_memory"', "postgres.schema_name"),
        ('[postgres]\nschema_name = "information_schema"', "postgres.schema_name"),
        ("[postgres]\nschema_name = 'a\"b'", "postgres.schema_name"),
    ],
)
def test_a_wrong_setting_is_named_with_its_file(tmp_path: Path, text: str, field: str) -> None:
    write(tmp_path, text)
    with pytest.raises(InvalidInput) as raised:
        load_settings(tmp_path)
    assert str(tmp_path / FILE_NAME) in str(raised.value)
    assert f"the setting {field} is wrong" in str(raised.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("embeder = 1", "there is no setting embeder; did you mean embedder?"),
        ("[recall]\nlimits = 3", "there is no setting recall.limits; did you mean recall.limit?"),
        ("[projects.a]\ngeneralise = true", "no setting projects.a.generalise; did you mean projects.a.generalize?"),
        ("[recall]\ncolour = 1", "there is no setting recall.colour; known here are limit, budget."),
    ],
)
def test_an_unknown_setting_is_told_with_the_one_that_was_meant(tmp_path: Path, text: str, told: str) -> None:
    """Or with those that there are."""
    write(tmp_path, text)
    with pytest.raises(InvalidInput) as raised:
        load_settings(tmp_path)
    assert told in str(raised.value)


@pytest.mark.parametrize("content", ["store = ", "[a\n", b"store = '\xff'", f"store = {5_000 * '['}"])
def test_what_is_no_toml_is_named_with_its_file(tmp_path: Path, content: str | bytes) -> None:
    write(tmp_path, content)
    with pytest.raises(InvalidInput, match=r"config\.toml .*mend"):
        load_settings(tmp_path)
