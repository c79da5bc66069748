"""The door is open: a plugin from outside the repository is found, and its command, store and causes work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Install = Callable[[Path, str, Mapping[str, str], Mapping[str, str]], None]

PLUGIN = '''
"""A plugin from outside: a command, a store, causes of trouble."""

from pathlib import Path
from typing import Annotated

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.home import Home
from hardwon.kernel.hookspecs import hookimpl


def greet(home: Home, name: Annotated[str, "whom"], *, loud: Annotated[bool, "in capitals"] = False) -> Report:
    """Greet somebody."""
    text = f"Hello, {name}!"
    return Report({"greeting": text.upper() if loud else text, "home": str(home.path)}, text)


@hookimpl
def register_actions(register):
    register("greet", Action(run=greet, example="greet Ada"))


@hookimpl
def register_stores(register):
    from hardwon.testing.fakes import FakeStorage

    register("nowhere", lambda home: FakeStorage())


@hookimpl
def register_catalogues(register):
    register("outside-causes", Path(__file__).with_name("causes.toml"))
'''
ASK = """
import json
from hardwon.kernel.registry import registry
found = registry()
kinds = ("actions", "stores", "catalogues")
print(json.dumps({kind: [name for name in found.all(kind) if found.owner(kind, name) == "outside"] for kind in kinds}))
"""


@pytest.fixture
def outside(tmp_path: Path, install_plugin: Install) -> dict[str, str]:
    """Return an environment in which the plugin, and one that is broken, are installed."""
    folder = tmp_path / "outside site"
    install_plugin(folder, "acme-outside", {"outside": "acme_outside"}, {"acme_outside": PLUGIN})
    install_plugin(folder, "acme-broken", {"broken": "acme_broken"}, {"acme_broken": "raise OSError('no licence')"})
    environment = {name: value for name, value in os.environ.items() if name != "HARDWON_LOAD_PLUGINS"}
    return environment | {"PYTHONPATH": str(folder), "HARDWON_HOME": str(tmp_path / "home")}


def run(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in that environment."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)


def test_what_it_offers_is_registered_under_its_name(outside: dict[str, str]) -> None:
    offered = json.loads(run(outside, "-c", ASK).stdout)
    assert offered == {"actions": ["greet"], "stores": ["nowhere"], "catalogues": ["outside-causes"]}


def test_turned_off_it_offers_nothing(outside: dict[str, str]) -> None:
    offered = json.loads(run(outside | {"HARDWON_LOAD_PLUGINS": ""}, "-c", ASK).stdout)
    assert offered == {"actions": [], "stores": [], "catalogues": []}


class TestOnTheCommandLine:
    """The same plugin, met as a user meets it."""

    def test_its_command_is_one_of_ours(self, outside: dict[str, str]) -> None:
        result = run(outside, "-m", "hardwon.cli", "greet", "Ada", "--loud", "--json")
        assert result.returncode == 0, result.stderr
        assert json.loads(result.stdout) == {"greeting": "HELLO, ADA!", "home": outside["HARDWON_HOME"]}

    def test_it_is_listed_and_the_broken_one_with_its_reason(self, outside: dict[str, str]) -> None:
        result = run(outside, "-m", "hardwon.cli", "plugins", "--json")
        assert "acme-outside" in result.stdout
        assert "acme-broken" in result.stdout
        assert "no licence" in result.stdout

    def test_its_store_keeps_the_memory_where_the_settings_say_so(self, outside: dict[str, str]) -> None:
        home = Path(outside["HARDWON_HOME"])
        run(outside, "-m", "hardwon.cli", "init")
        (home / "config.toml").write_text('store = "nowhere"\n', encoding="utf-8")
        result = run(outside, "-m", "hardwon.cli", "remember", "It rained.", "--topic", "weather", "--json")
        assert result.returncode == 0, result.stderr
        assert not [path for path in home.rglob("*.md") if "It rained." in path.read_text(encoding="utf-8")]
