"""The program as a process: exit codes, streams, locales, broken plugins, what it imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardwon.cli import main

HEAVY = {"rich", "numpy", "sklearn", "networkx", "pygit2", "sqlite3", "ruamel", "yaml"}
LIGHT = """
import sys
from hardwon.cli.main import main
sys.argv = ["hardwon", *{arguments}]
try:
    main()
except SystemExit:
    pass
heavy = {heavy} & set(sys.modules)
sys.exit(f"imported: {{sorted(heavy)}}" if heavy else 0)
"""


@pytest.mark.parametrize("arguments", [["--help"], ["recall", "--help"], ["review", "--help"], ["import", "--help"]])
def test_help_imports_nothing_heavy(environment: dict[str, str], arguments: list[str]) -> None:
    """Neither the terminal's colours nor any database; the list of commands does not even import the models."""
    heavy = HEAVY | ({"pydantic"} if arguments == ["--help"] else set())  # Typer imports it to ask for a parameter
    done = subprocess.run(
        [sys.executable, "-c", LIGHT.format(arguments=arguments, heavy=heavy)],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def program(started_program):
    """Return a function that starts the program: here it is about the process itself."""
    return started_program


def test_json_mode_prints_one_value_and_nothing_else(program) -> None:
    """Also when the answer is that something is not there."""
    done = program("status", "--json")
    assert json.loads(done.stdout)["exists"] is False
    assert done.stderr == ""
    failed = program("topics", "--json")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)["kind"] == "NotFound"
    assert "hardwon init" in failed.stderr


def test_reading_never_makes_a_home(program, environment: dict[str, str]) -> None:
    """Nor does exporting or looking for what is wrong."""
    for command in (["recall", "x"], ["export"], ["doctor"], ["stats"], ["rules"], ["projects", "list"], ["show", "x"]):
        assert program(*command).returncode == 1
    assert program("status").returncode == 0
    assert not Path(environment["HARDWON_HOME"]).exists()


def test_the_home_is_named_with_what_named_it(program, tmp_path: Path) -> None:
    """The option wins over the environment."""
    assert "named by $HARDWON_HOME" in program("status").stdout
    assert f"`{tmp_path}/other` (named by --home)" in program("status", "--home", tmp_path / "other").stdout


def test_a_broken_plugin_is_one_line_and_stops_nothing(program, install_plugin, tmp_path: Path) -> None:
    """It is named with its distribution and the reason; the others work."""
    install_plugin(
        tmp_path / "site",
        "strange-tools",
        {"strange": "strange", "good": "good"},
        {
            "strange": "raise RuntimeError('no engine')",
            "good": "from hardwon.kernel.actions import Action, Report\n"
            "from hardwon.kernel.hookspecs import hookimpl\n"
            "def hello(home, *, loud: bool = False):\n"
            "    '''Greet.'''\n"
            "    return Report('hello', 'HELLO' if loud else 'hello')\n"
            "@hookimpl\n"
            "def register_actions(register): register('greet', Action(hello, 'greet'))\n",
        },
    )
    also = {"PYTHONPATH": str(tmp_path / "site"), "HARDWON_LOAD_PLUGINS": "strange,good"}
    done = program("greet", "--loud", also=also)
    assert (done.returncode, done.stdout) == (0, "HELLO\n")
    (line,) = done.stderr.splitlines()
    for words in ("strange", "strange-tools", "no engine"):
        assert words in line
    listed = program("plugins", "--json", also=also)
    assert listed.returncode == 1
    assert [each["name"] for each in json.loads(listed.stdout)["broken"]] == ["strange"]
    assert "greet" not in program("--help", also={**also, "HARDWON_LOAD_PLUGINS": ""}).stdout


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_any_locale_takes_any_words(program, locale: str) -> None:
    """What is remembered under it comes back whole."""
    also = {"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}
    kept = program("remember", "规则 🦀 naïve", "--json", also=also)
    assert kept.returncode == 0, kept.stderr
    assert json.loads(kept.stdout)["content"] == "规则 🦀 naïve"
    assert program("show", json.loads(kept.stdout)["id"], also=also).returncode == 0


def test_who_stops_reading_gets_no_traceback(program, environment: dict[str, str]) -> None:
    """A pipe that closes early ends the program quietly."""
    program("remember", "a long lesson " + "x" * 100_000)
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "hardwon.cli", "export"],
            stdout=write_end,
            stderr=subprocess.PIPE,
            env=environment,
            encoding="utf-8",
            check=False,
        )
    finally:
        os.close(write_end)
    assert done.returncode == 1
    assert done.stderr == ""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["status", "remember -", "recall cache", "export", "show x"])
def test_a_closed_standard_stream_is_nothing_to_stumble_over(
    program, environment: dict[str, str], command: str, closed: str
) -> None:
    """As schedulers and other programs start it."""
    program("init")
    line = f'"$0" -m hardwon.cli {command} {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable],
        env=environment,
        cwd=environment["HOME"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no file that is always full")
@pytest.mark.parametrize("command", ["--help", "status --help", "status", "status --json", "export", "show x --json"])
def test_an_output_that_takes_nothing_is_a_stated_failure(program, environment: dict[str, str], command: str) -> None:
    """Such as a file on a full disk."""
    program("init")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "hardwon.cli", *command.split()],
            env=environment,
            cwd=environment["HOME"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("hardwon: ")


def test_ctrl_c_before_the_command_began_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the exit code that shells know."""

    def stop() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main, "registry", stop)
    with pytest.raises(SystemExit) as stopped:
        main.main()
    assert stopped.value.code == 130
    assert capsys.readouterr().err == "hardwon: Stopped; what was finished until now is kept.\n"


def test_the_version_is_printed(program) -> None:
    """And nothing else is done."""
    assert program("--version").stdout.startswith("hardwon 0.")


def test_broken_settings_are_a_stated_failure(program, environment: dict[str, str]) -> None:
    """The sentence names the file; the doctor says the same."""
    program("init")
    (Path(environment["HARDWON_HOME"]) / "config.toml").write_text("store = [", encoding="utf-8")
    for command in ("status", "doctor"):
        done = program(command)
        assert done.returncode == 1
        assert "config.toml" in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
