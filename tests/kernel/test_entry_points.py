"""Our reader of entry points finds what `importlib.metadata` finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

import pytest

from hardwon.kernel.entry_points import EntryPoint, installed_entry_points

Install = Callable[[Path, str, Mapping[str, str], Mapping[str, str]], None]


def normal(name: str | None) -> str:
    """Return a distribution's name as the packaging specification compares it."""
    return (name or "").replace("_", "-").replace(".", "-").lower()


@pytest.mark.parametrize("group", ["console_scripts", "pytest11", "hardwon", "no.such.group"])
def test_it_agrees_with_the_standard_library_on_what_is_installed(group: str) -> None:
    theirs = {
        (point.name, point.module, point.attr or "", normal(point.dist.name if point.dist else None))
        for point in metadata.entry_points(group=group)
    }
    ours = {
        (point.name, point.module, point.attribute, normal(point.distribution))
        for point in installed_entry_points(group)
    }
    assert ours == theirs
    assert ours or group in ("hardwon", "no.such.group")


def test_of_a_distribution_twice_on_the_path_the_first_counts(
    tmp_path: Path, install_plugin: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an import finds the first of two modules."""
    for folder in ("second", "first"):
        install_plugin(tmp_path / folder, "acme-tool", {"tool": f"tool_{folder}"}, {})
        monkeypatch.syspath_prepend(str(tmp_path / folder))
    found = [point for point in installed_entry_points("hardwon") if point.distribution == "acme-tool"]
    assert found == [EntryPoint("tool", "tool_first", "", "acme-tool")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[hardwon]\nname = module", [("name", "module", "")]),
        ("[hardwon]\r\nname=module.sub : plugin\r\n", [("name", "module.sub", "plugin")]),
        ("[other]\nx = y\n\n[hardwon]\n# comment\n; comment\na = b\n[third]\nc = d\n", [("a", "b", "")]),
        ("[hardwon]\nname = module:plugin.inner [extra]\n", [("name", "module", "plugin.inner")]),
        ("name = module\n", []),
        ("", []),
    ],
)
def test_the_file_format_is_read_as_specified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, wanted: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path / "acme_form-1.0.dist-info"
    folder.mkdir()
    (folder / "entry_points.txt").write_bytes(text.encode())
    monkeypatch.syspath_prepend(str(tmp_path))
    found = [point for point in installed_entry_points("hardwon") if point.distribution == "acme-form"]
    assert found == [EntryPoint(name, module, attribute, "acme-form") for name, module, attribute in wanted]


@pytest.mark.parametrize("content", [b"\xff\xfe[hardwon]", None])
def test_metadata_that_cannot_be_read_hides_no_other(
    tmp_path: Path, install_plugin: Install, monkeypatch: pytest.MonkeyPatch, content: bytes | None
) -> None:
    broken = tmp_path / "acme_broken-1.0.dist-info"
    broken.mkdir()
    if content is not None:
        (broken / "entry_points.txt").write_bytes(content)
    install_plugin(tmp_path, "acme-whole", {"whole": "whole"}, {})
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path / "no such folder"))
    names = {point.name for point in installed_entry_points("hardwon")}
    assert "whole" in names
