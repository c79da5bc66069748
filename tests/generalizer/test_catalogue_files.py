"""Users and plugins add causes and correct ours; a broken file is a clear error, and never silence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from hardwon.generalizer.catalogue import merge_catalogues, read_catalogue, shipped_catalogue
from hardwon.generalizer.offline import OfflineGeneralizer
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.home import Home
from hardwon.kernel.memory import MemoryEntry

OpenHome = Callable[..., Home]

TIDES = """
[[concept]]
topic = "{topic}"
title = {{ en = "{title}", zh = "潮汐" }}
principle = {{ en = "Ask for the tide before a boat is sent out, in every harbour.", zh = "出船之前必须先查询潮汐。" }}
cues = {{ en = ["low tide", "tide table*"], zh = ["潮汐"] }}
"""


def write(path: Path, topic: str = "harbour.tides", title: str = "Tides") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TIDES.format(topic=topic, title=title), encoding="utf-8")
    return path


def known(home: Home) -> dict[str, str]:
    """Return the titles of all causes by topic."""
    return {concept.topic: concept.title["en"] for concept in OfflineGeneralizer(home).concepts}


def test_a_home_without_a_catalogue_knows_the_shipped_causes(open_home: OpenHome) -> None:
    assert set(known(open_home())) == {concept.topic for concept in shipped_catalogue()}


def test_a_user_adds_a_cause(open_home: OpenHome) -> None:
    home = open_home()
    write(home.path / "catalogue" / "mine.toml")
    assert len(known(home)) == len(shipped_catalogue()) + 1


def test_a_plugin_adds_a_cause_and_the_user_corrects_it(open_home: OpenHome, tmp_path: Path) -> None:
    """The shipped ones come first, then the plugins', then the user's: the last word is the user's."""
    shipped = shipped_catalogue()[0].topic
    home = open_home()
    home.registry.offer("catalogues", "of-a-file", write(tmp_path / "plugin" / "tides.toml"), "a-plugin")
    write(tmp_path / "folder" / "ours.toml", shipped, "Corrected by a plugin")
    home.registry.offer("catalogues", "of-a-folder", tmp_path / "folder", "a-plugin")
    assert known(home)["harbour.tides"] == "Tides"
    assert known(home)[shipped] == "Corrected by a plugin"
    write(home.path / "catalogue" / "mine.toml", shipped, "Corrected by the user")
    assert known(home)[shipped] == "Corrected by the user"
    assert len(known(home)) == len(shipped_catalogue()) + 1


def test_what_a_user_added_is_recognised_and_proposed(
    open_home: OpenHome, told: Callable[..., list[MemoryEntry]]
) -> None:
    home = open_home(embedder=None)
    write(home.path / "catalogue" / "mine.toml")
    lessons = told(
        ("ferry", "At low tide the boat ran aground since nobody had looked."),
        ("pilot", "The tide tables were a year old and the boat was stuck for six hours."),
        ("crane", "没有查潮汐就出船，结果搁浅。"),
    )
    [proposal] = home.generalizer.propose(lessons, [], [], [])
    assert proposal.topic == "harbour.tides"
    assert proposal.rule.startswith("Ask for the tide")


def test_later_catalogues_replace_earlier_causes_of_a_topic() -> None:
    first, second = shipped_catalogue()[:2]
    again = first.__class__(**{**first.__dict__, "cues": ("corrected",)})
    assert merge_catalogues([[first, second], [again]]) == (again, second)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_file_from_any_editor_is_read(tmp_path: Path, ends: str) -> None:
    """With a byte order mark and either kind of line end."""
    path = tmp_path / "tides.toml"
    path.write_bytes(b"\xef\xbb\xbf" + TIDES.format(topic="a.b", title="T").replace("\n", ends).encode())
    assert [concept.topic for concept in read_catalogue(path)] == ["a.b"]


def test_an_empty_file_and_an_empty_folder_hold_no_causes(tmp_path: Path) -> None:
    assert read_catalogue(tmp_path) == []
    (tmp_path / "empty.toml").touch()
    assert read_catalogue(tmp_path) == []


def test_a_cue_that_stands_under_both_languages_counts_once(tmp_path: Path) -> None:
    """A word such as fsync stands in Chinese texts as well."""
    path = tmp_path / "tides.toml"
    path.write_text(TIDES.format(topic="a.b", title="T").replace('zh = ["潮汐"]', 'zh = ["low tide", "潮汐"]'), "utf-8")
    assert read_catalogue(path)[0].cues == ("low tide", "tide table*", "潮汐")


GOOD = TIDES.format(topic="good.one", title="Good")
TITLE, PRINCIPLE, CUES = GOOD.splitlines()[3:6]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (GOOD.replace(TITLE, "title = {}").encode(), "good.one.*`title` is empty"),
        (GOOD.replace(TITLE, 'title = "Good"').encode(), "good.one.*`title` is no table"),
        (GOOD.replace(TITLE, 'title = { en = "" }').encode(), r"good.one.*`title\.en` is no text"),
        (GOOD.replace(TITLE, "title = { en = 7 }").encode(), r"good.one.*`title\.en` is no text"),
        (GOOD.replace(PRINCIPLE, "principle = {}").encode(), "good.one.*`principle` is empty"),
        (GOOD.replace(PRINCIPLE, "principle = [1]").encode(), "good.one.*`principle` is no table"),
        (GOOD.replace(CUES, 'cues = ["low tide"]').encode(), "good.one.*`cues` is no table"),
        (GOOD.replace(CUES, 'cues = { en = [""] }').encode(), r"good.one.*`cues\.en` is no list of texts"),
        (GOOD.replace(CUES, "cues = { en = [7] }").encode(), r"good.one.*`cues\.en` is no list of texts"),
        ((GOOD + 'examples = "one"\n').encode(), "good.one.*`examples` is no table"),
        ((GOOD + "examples = { zh = 1 }\n").encode(), r"good.one.*`examples\.zh` is no list of texts"),
        (GOOD.replace('topic = "good.one"', 'topic = ""').encode(), "concept number 1 has no `topic`"),
        (GOOD.replace('topic = "good.one"', "topic = 7").encode(), "concept number 1 has no `topic`"),
        (b"concept = 7\n", "`concept` is no list"),
        (b"concept = {}\n", "`concept` is no list"),
        (b"[[concept]\n", "mend it"),
        (b"\xff\xfe", "mend it"),
        (GOOD.replace("cues", "ques").encode(), "good.one.*cues"),
        (GOOD.replace("title", "titel").encode(), "good.one.*title"),
        (GOOD.replace("topic", "topik").encode(), "number 1.*topic"),
        (GOOD.replace("principle", "principal").encode(), "good.one.*principle"),
        ((GOOD + '[[concept]]\ntopic = "second.one"\n').encode(), "second.one"),
        (b'[[concept]]\ntopic = "x.y"\ntitle = "no table"\nprinciple = "none"\ncues = {}\n', "x.y"),
        (b'concept = ["no table"]\n', "number 1"),
        (b'concept = "no list"\n', "concept"),
        (GOOD.replace('cues = { en = ["low tide", "tide table*"]', 'cues = { en = "low tide"').encode(), "good.one"),
    ],
)
def test_a_broken_file_is_named_with_its_concept(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(InvalidInput, match=told) as error:
        read_catalogue(tmp_path)
    assert str(path) in str(error.value)
    sentence = str(error.value).replace(str(path), "").replace("good.one", "").replace("second.one", "")
    assert re.fullmatch(r"[^\n]+\.", sentence), "one sentence"
