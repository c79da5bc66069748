"""Actions become commands: their parameters, their help, their reports and their failures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import pytest
from typer.testing import CliRunner

from hardwon.cli.application import build_application
from hardwon.kernel.actions import Action, Report
from hardwon.kernel.errors import Conflict, UsageError
from hardwon.kernel.home import Home
from hardwon.kernel.registry import Registry


def order(
    home: Home,
    what: Annotated[str, "the dish"],
    more: Annotated[tuple[Path, ...], "further dishes"] = (),
    *,
    times: Annotated[int, "how often"] = 1,
    to: Annotated[str | None, "who gets it"] = None,
    tag: Annotated[tuple[str, ...], "a word for it"] = (),
    hot: Annotated[bool, "make it hot"] = False,
    global_: Annotated[bool, "for everybody"] = False,
) -> Report:
    """Order a dish.

    The second paragraph is in the command's own help alone.
    """
    given = {"what": what, "more": more, "times": times, "to": to, "tag": tag, "hot": hot, "global": global_}
    return Report({"home": home.path, **given}, f"# Ordered\n\n{what} × {times}")


def refuse(home: Home, *, how: Annotated[str, "which way"] = "conflict") -> Report:
    """Refuse everything."""
    if how == "usage":
        raise UsageError("Say what you want, the waiter waits.")
    if how == "system":
        raise PermissionError(13, "Permission denied", "/kitchen")
    if how == "interrupt":
        raise KeyboardInterrupt
    if how == "partly":
        return Report({"done": 1}, "One of two.", failed=True)
    raise Conflict("The table is taken;\nchoose another one.")


def impossible(home: Home, thing: dict[str, str]) -> Report:
    """Ask for what nobody can type."""
    return Report(thing, "")


@pytest.fixture
def registry() -> Registry:
    """Return a registry that offers the actions of this module."""
    registry = Registry()
    for name, action in {
        "order": Action(order, "order soup --hot"),
        "table refuse": Action(refuse, "table refuse"),
        "table list all": Action(refuse, "table list all"),
    }.items():
        registry.offer("actions", name, action, "restaurant")
    return registry


@pytest.fixture
def run(registry: Registry, tmp_path: Path) -> Any:
    """Return a function that runs a command line of the registry's application on a home that is not there."""

    def call(*arguments: str) -> Any:
        application, _ = build_application(registry)
        home = [] if "--help" in arguments else ["--home", str(tmp_path)]
        return CliRunner().invoke(application, [*arguments, *home])

    return call


def test_positional_parameters_are_arguments_and_keywords_are_options(run: Any, tmp_path: Path) -> None:
    """With their types, several values as a tuple, a trailing underscore left out, what was not given by default."""
    done = run("order", "soup", "a", "b", "--times", "3", "--tag", "x", "--tag", "y", "--hot", "--global", "--json")
    assert json.loads(done.stdout) == {
        "home": str(tmp_path),
        "what": "soup",
        "more": ["a", "b"],
        "times": 3,
        "to": None,
        "tag": ["x", "y"],
        "hot": True,
        "global": True,
    }
    defaults = json.loads(run("order", "soup", "--json").stdout)
    assert (defaults["more"], defaults["times"], defaults["hot"]) == ([], 1, False)


def test_the_home_may_stand_before_the_command(registry: Registry, tmp_path: Path) -> None:
    """And after it; there it is what counts."""
    application, _ = build_application(registry)
    before, after = str(tmp_path / "before"), str(tmp_path / "after")
    for given, taken in [
        (["--home", before, "order", "soup"], before),
        (["--home", before, "order", "soup", "--home", after], after),
    ]:
        assert json.loads(CliRunner().invoke(application, [*given, "--json"]).stdout)["home"] == taken


def test_help_says_what_each_thing_is_and_ends_with_an_example(run: Any) -> None:
    """Also which options every command has."""
    text = " ".join(run("order", "--help").stdout.split())
    for words in ("Order a dish.", "the dish", "how often", "[default: 1]", "--json", "--home", "second paragraph"):
        assert words in text
    assert text.endswith("Example: hardwon order soup --hot")


def test_names_with_spaces_are_groups(run: Any) -> None:
    """At any depth; a group's help names what is in it."""
    assert run("table", "list", "all", "--how", "partly").exit_code == 1
    assert "list all, refuse" in run("table", "--help").stdout


def test_text_is_plain_where_there_is_no_terminal(run: Any) -> None:
    """Markdown as it was written, and no JSON."""
    done = run("order", "soup")
    assert done.stdout == "# Ordered\n\nsoup × 1\n"
    assert done.exit_code == 0


def test_a_stated_failure_is_one_sentence_on_standard_error(run: Any) -> None:
    """Exit code 1, no traceback, nothing on standard output."""
    done = run("table", "refuse")
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "hardwon: The table is taken; choose another one.\n"


def test_a_stated_failure_is_one_json_value_too(run: Any) -> None:
    """With the sentence and the kind of error."""
    done = run("table", "refuse", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout) == {"error": "The table is taken;\nchoose another one.", "kind": "Conflict"}


@pytest.mark.parametrize(
    ("how", "code", "words"),
    [
        ("usage", 2, "the waiter waits"),
        ("system", 1, "Permission denied (/kitchen)"),
        ("interrupt", 130, "Stopped"),
        ("partly", 1, ""),
    ],
)
def test_each_way_to_fail_has_its_exit_code(run: Any, how: str, code: int, words: str) -> None:
    """1 stated, 2 usage, 130 stopped by the user."""
    done = run("table", "refuse", "--how", how)
    assert done.exit_code == code
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("order",), ("order", "soup", "--times", "many"), ("ordre", "soup")])
def test_what_is_not_understood_is_usage(run: Any, arguments: tuple[str, ...]) -> None:
    """Exit code 2."""
    assert run(*arguments).exit_code == 2


def test_an_action_that_cannot_be_a_command_stops_no_other(registry: Registry, run: Any) -> None:
    """It is reported by its plugin's name and its reason."""
    registry.offer("actions", "ask", Action(impossible, "ask"), "stranger")
    _, unusable = build_application(registry)
    assert [(each.name, "thing" in each.reason) for each in unusable] == [("stranger (command “ask”)", True)]
    assert run("order", "soup").exit_code == 0


def test_only_what_is_asked_for_is_built(registry: Registry) -> None:
    """Commands that the command line does not name are listed in the help and nothing more."""
    application, _ = build_application(registry, ["--help"])
    listed = CliRunner().invoke(application, ["--help"]).stdout
    assert "Order a dish." in listed
    assert "--times" not in CliRunner().invoke(application, ["order", "--help"]).stdout
