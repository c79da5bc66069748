"""Names of files and folders are safe on every system, readable, and say where a memory belongs."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.memory import Kind, Status
from hardwon.stores.files.notes.layout import (
    FULL_FOLDER,
    LONGEST_NAME,
    checked_name,
    is_memory,
    path_for,
    place_of,
    project_folder,
    slug,
    topic_folders,
)
from hardwon.testing.examples import memory

RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
TITLES = [
    "CON", "nul.md", "aux", "COM1", "a: b", "what?", "trailing.", "trailing ", "../x", "x" * 300, "🦀🦀", "!!!",
    "Readme", "README", "é", "e\u0301", "-leading", ".leading", "漢字" * 80, "a/b\\c", "tab\there",
    "ไทย", "한국어", "\u202eevil",
]  # fmt: skip


def empty(_folder: str) -> bool:
    return False


def assert_safe(path: str) -> None:
    for part in path.split("/"):
        assert len(part.encode()) <= LONGEST_NAME
        assert not RESERVED.fullmatch(part)
        assert not re.search(r'[<>:"\\|?*\x00-\x1f\x7f]', part)
        assert part == part.strip(" .")
        assert part not in ("", ".", "..")
        assert part == unicodedata.normalize("NFC", part)
        assert part == part.lower()


@pytest.mark.parametrize("title", TITLES)
def test_a_title_becomes_a_safe_name(title: str) -> None:
    assert_safe(path_for(memory(title), empty))


@pytest.mark.parametrize("name", TITLES)
def test_a_project_and_a_topic_become_safe_folders(name: str) -> None:
    topic = name.replace(".", "").replace("/", "").strip()
    entry = memory("Text.", name, topics=(topic,) if topic else ())
    assert_safe(path_for(entry, empty).replace("~", "-"))


@given(st.text(max_size=80), st.text(min_size=1, max_size=80))
def test_any_text_at_all_is_a_safe_place(title: str, project: str) -> None:
    assert_safe(path_for(memory(title, project), empty).replace("~", "-"))


def test_two_memories_of_one_title_have_two_files() -> None:
    one, two = memory("Readme"), memory("README")
    assert path_for(one, empty).lower() != path_for(two, empty).lower()


def test_ids_that_differ_in_case_alone_have_two_files() -> None:
    assert path_for(memory("x", id="M1"), empty).lower() != path_for(memory("x", id="m1"), empty).lower()


def test_letters_of_any_script_stay_readable() -> None:
    assert slug("第二课：轮换证书") == "第二课-轮换证书"
    assert slug("Запустите тесты!") == "запустите-тесты"
    assert slug("ភាសា") == "ភាសា"


@pytest.mark.parametrize("key", ["shop", "github.com/acme/shop", "github.com/acme/shop/packages/web", "商店"])
def test_a_plain_project_is_spelt_by_its_folder(key: str) -> None:
    folder = project_folder(key)
    assert "~" not in folder
    assert place_of(f"digest/{folder}/x.md").project == key


def test_projects_never_share_a_folder() -> None:
    keys = ["shop", "Shop", "SHOP", "sh op", "sh-op", "a/b", "a--b", "con", "x" * 200, "x" * 201, "_global", ".shop"]
    folders = [project_folder(key) for key in keys]
    assert len({folder.lower() for folder in folders}) == len(keys)


def test_the_folder_below_the_project_is_the_home_topic() -> None:
    place = place_of("digest/shop/ci/deploy/x.md")
    assert (place.topic, place.project, place.archived) == ("ci.deploy", "shop", False)
    assert place_of("archive/digest/shop/ci/x.md").archived
    assert place_of("rules/x.md").topic == ""


def test_a_topic_that_a_folder_cannot_spell_is_recognised() -> None:
    for topic in ("API", "C++", "con", "a b", "x" * 100):
        folders = topic_folders(topic)
        assert place_of(f"digest/shop/{'/'.join(folders)}/x.md").is_folder_of(topic)


def test_a_full_folder_is_split_by_the_end_of_the_id() -> None:
    """The rule that a person can follow: the sub-folder is named after the last character of the id."""
    entry = memory("Text.", "shop", topics=("ci",))
    once = path_for(entry, lambda folder: folder == "digest/shop/ci")
    assert once.startswith(f"digest/shop/ci/_{entry.id[-1]}/")
    twice = path_for(entry, lambda folder: folder in ("digest/shop/ci", f"digest/shop/ci/_{entry.id[-1]}"))
    assert twice.startswith(f"digest/shop/ci/_{entry.id[-1]}/_{entry.id[-2]}/")
    assert place_of(twice).topic == "ci"
    assert FULL_FOLDER == 500


def test_rules_and_archived_memories_have_their_places() -> None:
    def place(**fields: object) -> str:
        return path_for(memory("Text.", "shop").model_copy(update=fields), empty).rsplit("/", 1)[0]

    assert place(kind=Kind.RULE) == "rules"
    assert place(status=Status.ARCHIVED) == "archive/digest/shop"
    assert place(kind=Kind.RULE, status=Status.ARCHIVED) == "archive/rules"


@pytest.mark.parametrize(
    "name", ["a/../b", "/a", "a//b", "con.md", "a\\b", ".git/config", "a./b", "digest/x/y.md", "a\0b", "x" * 130]
)
def test_an_unsafe_document_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        checked_name(name)


def test_what_is_a_memory() -> None:
    assert is_memory("digest/shop/x.md") and is_memory("rules/x.MD") and is_memory("archive/x.md")
    for path in ("index.md", "digest/shop/_topic.md", "review-queue/x.md", "digest/shop/x.png", "daily/2026-01-01.md"):
        assert not is_memory(path)
