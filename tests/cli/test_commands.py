"""The commands of the box on a real memory: what a person types, and what came of it."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from hardwon.cli.catalogue import ACTIONS


@pytest.mark.parametrize("name", sorted(ACTIONS))
def test_every_command_shows_its_help_with_an_example(started_program, name: str) -> None:
    """And the example begins with the command itself."""
    text = " ".join(started_program(*name.split(), "--help").stdout.split())
    assert f"Example: hardwon {name}" in text
    assert "--json" in text
    assert "--home" in text


def test_init_takes_the_store_that_is_to_keep_the_memory(program, answer, tmp_path: Path) -> None:
    """A memory that is there is moved, not left behind beside an empty one; a store that nobody has makes nothing."""
    home = str(tmp_path / "another" / "home")
    assert answer("init", "--store", "sqlite", "--home", home)["created"] is True
    assert answer("status", "--home", home)["store"] == "sqlite"
    assert answer("init", "--store", "sqlite", "--home", home)["created"] is False
    refused = program("init", "--store", "files", "--home", home)
    assert refused.returncode == 2
    assert "migrate --to files" in refused.stderr
    missing = str(tmp_path / "none")
    assert program("init", "--store", "nobody-has-it", "--home", missing).returncode == 1
    assert not Path(missing).exists()


def test_init_whose_server_cannot_be_reached_leaves_nothing_and_may_be_repeated(program, tmp_path: Path) -> None:
    """Neither a memory that is none nor settings that stand in the way of the next try; a person's own stay."""
    home = tmp_path / "home"
    for url in ("", f"postgresql://nobody@/none?host={tmp_path}/nowhere"):
        refused = program("init", "--store", "postgres", *(["--url", url] if url else []), "--home", home)
        assert refused.returncode == 1
        assert not home.exists()
    home.mkdir()
    (home / "config.toml").write_text("# mine\n", encoding="utf-8")
    assert program("init", "--store", "postgres", "--home", home).returncode == 1
    assert {path.name: path.read_bytes() for path in home.iterdir()} == {"config.toml": b"# mine\n"}
    assert program("init", "--store", "sqlite", "--home", home).returncode == 0


@pytest.mark.parametrize(
    "url",
    ["postgresql://me:open-sesame@db/x", "postgresql://me@db/x?password=open-sesame", "host=db password = open-sesame"],
)
def test_no_password_reaches_the_settings(program, answer, tmp_path: Path, url: str) -> None:
    """In whichever way it is written; `migrate` and `init` say where it belongs."""
    made = tmp_path / "made"
    answer("init", "--home", made)
    for refused in (
        program("init", "--store", "postgres", "--url", url, "--home", tmp_path / "new"),
        program("migrate", "--to", "postgres", url, "--home", made),
    ):
        assert refused.returncode == 2
        assert ".pgpass" in refused.stderr
    assert not (tmp_path / "new").exists()
    assert not any("open-sesame" in path.read_text(encoding="utf-8") for path in made.glob("*.toml"))


def test_a_url_of_a_store_in_the_home_is_refused(program, tmp_path: Path) -> None:
    """It would say nothing to anybody."""
    refused = program("init", "--store", "sqlite", "--url", "postgresql://db/x", "--home", tmp_path / "home")
    assert refused.returncode == 2
    assert "lies in the home" in refused.stderr


def test_init_makes_a_home_for_its_owner_alone(program, answer, environment: dict[str, str]) -> None:
    """Once; the second time it says that it is there."""
    first = answer("init")
    home = Path(environment["HARDWON_HOME"])
    assert first == {"home": str(home), "named_by": "$HARDWON_HOME", "created": True, "project": first["project"]}
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert answer("init")["created"] is False
    assert "named by folder" in program("init").stdout


def test_status_counts_and_names_everything(answer, filled: Path, environment: dict[str, str]) -> None:
    """The home and what named it, store, embedder, counts, queue, problems."""
    found = answer("status")
    assert (found["home"], found["named_by"]) == (environment["HARDWON_HOME"], "$HARDWON_HOME")
    assert (found["store"], found["kinds"], found["projects"], found["queue"]) == ("files", {"lesson": 3}, 3, 0)
    assert found["problems"] == []
    assert found["embedding"]["total"] == 4


def test_the_doctor_is_green_or_says_what_is_wrong(program, answer, filled: Path, environment) -> None:
    """With exit code 1, the place, and what to do."""
    assert answer("doctor")["healthy"] is True
    home = Path(environment["HARDWON_HOME"])
    home.chmod(0o755)
    (broken,) = (home / "memory" / "digest" / "maps").rglob("a-kernel-panic*.md")
    broken.write_text("---\nkind: [lesson\n---\n\ntext\n", encoding="utf-8")
    done = program("doctor", "--json")
    assert done.returncode == 1
    problems = [problem for check in json.loads(done.stdout)["checks"] for problem in check["problems"]]
    assert any("chmod 700" in problem["what"] for problem in problems)
    assert any(str(broken) in problem["where"] for problem in problems)
    assert broken.read_text(encoding="utf-8").startswith("---\nkind: [lesson")
    assert str(broken) in program("status").stdout


def test_the_doctor_tells_a_misspelt_setting_once(program, filled: Path, environment: dict[str, str]) -> None:
    """And names what could not be looked at because of it."""
    (Path(environment["HARDWON_HOME"]) / "config.toml").write_text('embeder = "none"\n', encoding="utf-8")
    done = program("doctor")
    assert done.returncode == 1
    assert done.stdout.count("did you mean embedder?") == 1
    assert "1 problem:" in done.stdout
    assert "not looked at, since the settings cannot be read: everything in the memory can be read" in done.stdout


def test_a_memory_is_found_by_its_id_the_start_of_it_and_the_id_it_had(program, answer, filled: Path) -> None:
    """What fits several is said with their names."""
    shown = answer("show", "L-3")
    assert answer("show", shown["id"]) == shown == answer("show", shown["id"][:17])
    several = program("show", shown["id"][:4])
    assert several.returncode == 1
    assert "fits 3 memories" in several.stderr
    assert program("show", "nothing-like-it").returncode == 1


def test_a_memory_is_shown_with_where_it_comes_from(answer, filled: Path) -> None:
    """Its file, the file and line that it was read from, its times, why it stands."""
    shown = answer("show", "L-1")
    assert (shown["source"]["file"], shown["source"]["line"]) == (str(filled), 1)
    assert shown["times"]["valid_at"].startswith("2025-03-01")
    assert Path(shown["path"]).read_text(encoding="utf-8").count("half written") == 1
    assert f"{filled}:1" in shown["why"]
    assert shown["links"] == shown["decisions"] == []


def test_topics_and_what_lies_under_them(program, answer, filled: Path) -> None:
    """By the home topic, which is the folder."""
    assert [(each["topic"], each["count"]) for each in answer("topics")] == [("storage.files", 1)]
    assert [each["external_id"] for each in answer("get", "storage")["memories"]] == ["L-3"]
    assert program("get", "nowhere").returncode == 1


def test_recall_answers_explains_and_refuses(program, answer, filled: Path) -> None:
    """In the shape that programs rely on; in a project one sees its own memories, everywhere all of them."""
    found = answer("recall", "half written settings file", "--project", "shop", "--explain")
    assert found["query"] == "half written settings file"
    (hit,) = found["hits"]
    assert hit["external_id"] == "L-1"
    assert set(hit) == {"id", "external_id", "kind", "scope", "content", "score", "parts", "via", "against", "status"}
    assert (hit["scope"], hit["via"], found["refused"]) == ("project:shop", "direct", None)
    assert found["explained"][0]["shown"] is True
    nothing = answer("recall", "colours of the landing page", "--project", "shop")
    assert (nothing["hits"], nothing["weaker"], bool(nothing["refused"])) == ([], [], True)
    assert found["weaker"] == []
    assert [hit["external_id"] for hit in answer("recall", "断电损坏", "--everywhere")["hits"]] == ["L-2"]
    assert answer("recall", "断电损坏", "--project", "maps")["hits"] == []
    assert "| memory | score |" in program("recall", "settings file", "--everywhere", "--explain").stdout


@pytest.mark.parametrize(
    "option", [("--kind", "thought"), ("--limit", "0"), ("--include", "everything"), ("--as-of", "yesterday")]
)
def test_a_question_that_cannot_be_asked_is_told(program, filled: Path, option: tuple[str, str]) -> None:
    """And not answered in some other way."""
    done = program("recall", "x", *option)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_recall_sees_the_memory_as_of_a_day(answer, filled: Path) -> None:
    """What was not true yet is not shown."""
    asked = ("recall", "half written settings file", "--project", "shop", "--as-of")
    assert answer(*asked, "2025-02-01")["hits"] == []
    assert len(answer(*asked, "2025-04-01")["hits"]) == 1


@pytest.mark.parametrize("text", ['"', "AND OR NOT", "*", "NEAR(", "🦀", "a\x01b", "x " * 50_000, "", "--", "';--"])
def test_any_words_are_a_question(program, filled: Path, text: str) -> None:
    """They are answered or refused, never an error."""
    done = (
        program("recall", "--json", "--", text) if len(text) < 100_000 else program("recall", text[:90_000], "--json")
    )
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)


def test_stats_rules_and_audit_begin_empty(program, answer, filled: Path) -> None:
    """And say so in words."""
    assert answer("stats")["projects"] == {"shop": 1, "blog": 1, "maps": 1}
    assert answer("rules") == answer("audit") == []
    assert "hardwon consolidate" in program("rules").stdout


def test_plugins_are_named_with_what_they_offer(answer) -> None:
    """The parts of the box come through the same door."""
    loaded = {each["name"]: each for each in answer("plugins")["loaded"]}
    assert {"cli", "stores", "review_queue", "generalizer"} <= set(loaded)
    assert "files" in loaded["stores"]["offers"]["stores"]
    assert "recall" in loaded["cli"]["offers"]["actions"]


def test_the_files_of_a_memory_are_its_owners_alone(filled: Path, environment: dict[str, str]) -> None:
    """Whatever the umask."""
    home = Path(environment["HARDWON_HOME"])
    open_to_others = [
        path for path in (home / "memory" / "digest").rglob("*") if path.is_file() and path.stat().st_mode & 0o077
    ]
    assert open_to_others == []
