"""A broken plugin is a line in a report, with its name, its distribution and the reason; all others go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from hardwon.kernel.entry_points import EntryPoint, installed_entry_points
from hardwon.kernel.errors import PluginError
from hardwon.kernel.registry import GROUP, KINDS, LIMIT_VARIABLE, Registry, registry

HOOK = "from hardwon.kernel.hookspecs import hookimpl\n\n\n@hookimpl\n"
GOOD = HOOK + "def register_stores(register):\n    register('{name}', 'a store')\n"
BROKEN = {
    "module that does not exist": (None, "ModuleNotFoundError: No module named"),
    "hook that does not exist": (HOOK + "def register_shops(register): ...", "register_shops"),
    "hook with another signature": (HOOK + "def register_stores(register, colour): ...", "colour"),
    "exception at import": ("raise ValueError('no licence\\nsecond line')", "ValueError: no licence"),
    "exit at import": ("import sys\nsys.exit('needs Windows')", "SystemExit: needs Windows"),
    "syntax error": ("def (", "SyntaxError: invalid syntax"),
    "exception in a hook": (HOOK + "def register_stores(register): 1 / 0", "ZeroDivisionError"),
    "name taken by another": (GOOD.format(name="first"), "“first” among the stores is taken by plugin a-first"),
    "name given twice": (
        HOOK + "def register_stores(register):\n    register('twin', 1)\n    register('twin', 2)\n",
        "“twin” among the stores is taken by plugin b-broken",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder on the path; what is imported from it is forgotten after the test."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)
    registry.cache_clear()
    yield tmp_path
    registry.cache_clear()
    for name in set(sys.modules) - before:
        del sys.modules[name]


Install = Callable[[Path, str, Mapping[str, str], Mapping[str, str]], None]


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_plugin_is_reported_and_the_rest_goes_on(folder: Path, install_plugin: Install, kind: str) -> None:
    source, reason = BROKEN[kind]
    modules = {"a_good": GOOD.format(name="first"), "c_good": GOOD.format(name="last")}
    points = {"a-first": "a_good", "b-broken": "b_broken", "c-last": "c_good"}
    install_plugin(folder, "acme-plugins", points, modules | ({"b_broken": source} if source else {}))
    result = Registry()
    result.load([point for point in installed_entry_points(GROUP) if point.distribution == "acme-plugins"])
    [broken] = result.broken
    assert (broken.name, broken.distribution) == ("b-broken", "acme-plugins")
    assert reason in broken.reason
    assert len(broken.reason.splitlines()) == 1
    assert [point.name for point in result.loaded] == ["a-first", "c-last"]
    assert set(result.all("stores")) == {"first", "last"}


def test_nothing_of_a_broken_plugin_stays(folder: Path, install_plugin: Install) -> None:
    """What it had registered before it broke is not half there."""
    source = GOOD.format(name="mine") + "\n\n@hookimpl\ndef register_readers(register): 1 / 0\n"
    install_plugin(folder, "acme-half", {"half": "half"}, {"half": source})
    result = Registry()
    result.load([EntryPoint("half", "half", "", "acme-half")])
    assert result.broken
    assert not any(result.all(kind) for kind in KINDS)


def test_a_plugin_may_be_an_object_of_a_module(folder: Path, install_plugin: Install) -> None:
    source = (
        "from hardwon.kernel.hookspecs import hookimpl\n\n\nclass Plugin:\n    @hookimpl\n"
        "    def register_actions(self, register):\n        register('greet', 'an action')\n\n\nplugin = Plugin()\n"
    )
    install_plugin(folder, "acme-object", {"object": "object_plugin:plugin"}, {"object_plugin": source})
    result = Registry()
    result.load([EntryPoint("object", "object_plugin", "plugin", "acme-object")])
    assert result.all("actions") == {"greet": "an action"}
    assert result.owner("actions", "greet") == "object"


def test_a_missing_offer_is_told_with_what_there_is_and_what_is_broken() -> None:
    result = Registry()
    result.offer("stores", "files", "a store", "stores")
    result.load([EntryPoint("postgres", "no_such_module_anywhere", "", "acme-postgres")])
    with pytest.raises(PluginError) as raised:
        result.get("stores", "postgres")
    message = str(raised.value)
    assert "“postgres” among the stores (there are: files)" in message
    assert "Plugin postgres is broken: ModuleNotFoundError" in message


def test_a_name_has_one_owner() -> None:
    result = Registry()
    result.offer("readers", "markdown", "a reader", "first")
    with pytest.raises(PluginError, match="taken by plugin first"):
        result.offer("readers", "markdown", "another", "second")
    assert result.get("readers", "markdown") == "a reader"


@pytest.mark.parametrize(
    ("limit", "wanted"),
    [(None, {"one", "two"}), ("", set()), ("two", {"two"}), (" one , none ,", {"one"}), ("one,two", {"one", "two"})],
)
def test_the_environment_limits_plugins_or_turns_them_off(
    folder: Path, install_plugin: Install, monkeypatch: pytest.MonkeyPatch, limit: str | None, wanted: set[str]
) -> None:
    """What is left out is known, so that a report can say so."""
    modules = {"limit_one": GOOD.format(name="store-one"), "limit_two": GOOD.format(name="store-two")}
    install_plugin(folder, "acme-limits", {"one": "limit_one", "two": "limit_two"}, modules)
    if limit is None:
        monkeypatch.delenv(LIMIT_VARIABLE)
    else:
        monkeypatch.setenv(LIMIT_VARIABLE, limit)
    result = registry()
    assert {point.name for point in result.loaded if point.distribution == "acme-limits"} == wanted
    assert {f"store-{name}" for name in wanted} == {name for name in result.all("stores") if "store-" in name}
    # What else is installed here, such as the harnesses' distributions, is left out as well.
    left_out = {point.name for point in result.left_out if point.distribution == "acme-limits"}
    assert left_out == {"one", "two"} - wanted


def test_the_registry_is_loaded_once() -> None:
    assert registry() is registry()
