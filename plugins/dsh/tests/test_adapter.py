"""DSH's adapter keeps the promises of every adapter, and its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.ports import HarnessAdapter
from hardwon.testing.conformance.harness import HarnessAdapterConformance
from hardwon_dsh.adapter import Dsh
from hardwon_dsh.patch_file import BEGIN, END

PAYLOAD = {"event": "prompt", "session": "s1", "folder": "/home/you/project", "prompt": "时区?", "turn": "u1"}
PATCH = """# mine
- id: agent-presets
  config: {roots: []}
- insert:
    - id: other
      name: other-plugin
      config: {file: !!js "dshHomePath('x')"}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return DSH's home, which is not there yet."""
    monkeypatch.setenv("DSH_HOME", str(tmp_path / "dsh 家"))
    return tmp_path / "dsh 家"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "memory home"


class TestDsh(HarnessAdapterConformance):
    @pytest.fixture
    def configuration(self, folder: Path) -> Path:
        (folder / "profiles" / "web").mkdir(parents=True)
        (folder / "profiles" / "web" / "package.json").write_text("{}\n", encoding="utf-8")
        (folder / "cordis.patch.yml").write_text(PATCH, encoding="utf-8")
        return folder

    @pytest.fixture
    def adapter(self, folder: Path) -> HarnessAdapter:
        return Dsh()

    @pytest.fixture
    def payload(self) -> Mapping[str, Any]:
        return PAYLOAD


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the list that DSH reads."""
    loader = type("Loader", (yaml.SafeLoader,), {})
    loader.add_constructor("tag:yaml.org,2002:js", lambda _loader, node: node.value)
    listed = yaml.load(path.read_text(encoding="utf-8"), loader)  # a subclass of the safe one
    assert isinstance(listed, list)
    return listed


def test_what_it_writes(folder: Path, home: Path) -> None:
    """A bundle that finds DSH's packages, which home it is for, and a row for every profile that names it."""
    assert Dsh().install(home)

    bundle = folder / "profiles" / ".hardwon"
    [row] = rows(folder / "cordis.patch.yml")
    entry = (bundle / "index.mjs").as_uri()
    missing = f'!process.getBuiltinModule("fs").existsSync(new URL("{entry}"))'
    assert row == {"insert": [{"id": "hardwon", "name": entry, "disabled": missing}]}
    data = json.loads((bundle / "data.json").read_text(encoding="utf-8"))
    assert data["home"] == str(home)
    assert data["command"][1:] == ["-I", "-S", str(home / "hook/hook"), "dsh"]
    assert data["server"][-4:] == ["--home", str(home), "--harness", "dsh"]
    assert data["daily"][-4:] == ["consolidate", "--due", "--home", str(home)]
    manifest = json.loads((bundle / "package.json").read_text(encoding="utf-8"))
    assert (bundle / manifest["dsh"]["bundle"]["patch"]).is_file()
    assert (bundle / manifest["exports"]["."]).is_file()
    assert (bundle / "hook_program.mjs").is_file()


@pytest.mark.parametrize(
    "text",
    [
        PATCH,
        PATCH.rstrip(),
        PATCH.replace("\n", "\r\n"),
        "\ufeff- id: a\n  disabled: true\n",
        "  - id: indented\n    disabled: true\n",
        "[]\n",
        "[]",
        "# nothing yet\n[]  # really\n",
        "",
        "# only a comment\n",
        "---\n- id: a\n",
    ],
)
def test_the_users_patches_come_back_byte_for_byte(folder: Path, home: Path, text: str) -> None:
    """With our row among them the file is a list, as DSH needs it, in which the user's rows are as they were."""
    folder.mkdir()
    path = folder / "cordis.patch.yml"
    path.write_bytes(text.encode())
    before = yaml.compose(text, Loader=yaml.SafeLoader)
    Dsh().install(home)
    listed = rows(path)
    assert listed[-1]["insert"][0]["id"] == "hardwon"
    assert len(listed) == 1 + len(before.value if before else [])
    Dsh().uninstall(home)

    assert path.read_bytes() == text.encode()
    assert list(folder.iterdir()) == [path]


def test_nothing_is_left_where_nothing_was(folder: Path, home: Path) -> None:
    Dsh().install(home)
    Dsh().uninstall(home)

    assert not folder.exists()


def test_what_the_user_changed_since_stays(folder: Path, home: Path) -> None:
    """Rows before and behind ours; and where nothing but ours was left, DSH finds an empty list."""
    Dsh().install(home)
    path = folder / "cordis.patch.yml"
    ours = path.read_text(encoding="utf-8")
    path.write_text("- id: a\n  disabled: true\n" + ours + "- id: b\n  disabled: true\n", encoding="utf-8")
    assert Dsh().install(home) == []
    Dsh().uninstall(home)
    assert path.read_text(encoding="utf-8") == "- id: a\n  disabled: true\n- id: b\n  disabled: true\n"

    path.write_text("# mine\n" + ours, encoding="utf-8")
    Dsh().uninstall(home)
    assert path.read_text(encoding="utf-8") == "# mine\n[]\n"


def test_the_users_rows_stay_also_where_ours_was_renewed_behind_them(folder: Path, home: Path) -> None:
    """What was written last holds rows of the user's that the first original does not know."""
    Dsh().install(home)
    path = folder / "cordis.patch.yml"
    ours = path.read_text(encoding="utf-8")
    path.write_text("- id: a\n  disabled: true\n" + ours.replace("disabled: !!js", "disabled: true #"), "utf-8")
    assert Dsh().install(home)
    assert path.read_text(encoding="utf-8") == "- id: a\n  disabled: true\n" + ours
    Dsh().uninstall(home)

    assert path.read_text(encoding="utf-8") == "- id: a\n  disabled: true\n"


def test_a_folder_that_moved_is_named_anew(folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Dsh().install(home)
    moved = folder.with_name("moved")
    folder.rename(moved)
    monkeypatch.setenv("DSH_HOME", str(moved))
    Dsh().install(home)

    text = (moved / "cordis.patch.yml").read_text(encoding="utf-8")
    assert (text.count(BEGIN), text.count(END)) == (1, 1)
    assert rows(moved / "cordis.patch.yml")[0]["insert"][0]["name"].startswith(moved.as_uri())


@pytest.mark.parametrize("text", ["a: 1\n", "- a\n...\n", "- a: [\n", "[{id: a}]\n", "\xff\xfe".encode("latin-1")])
def test_a_patch_that_cannot_be_changed_is_left_alone(folder: Path, home: Path, text: str | bytes) -> None:
    folder.mkdir()
    content = text if isinstance(text, bytes) else text.encode()
    (folder / "cordis.patch.yml").write_bytes(content)
    with pytest.raises(InvalidInput, match="left as it is"):
        Dsh().install(home)

    assert [path.name for path in folder.iterdir()] == ["cordis.patch.yml"]
    assert (folder / "cordis.patch.yml").read_bytes() == content


def test_past_sessions_cannot_be_had_and_that_is_said(tmp_path: Path) -> None:
    assert list(Dsh().transcripts()) == []
    [problem] = Dsh().read(tmp_path / "session.jsonl")
    assert "cannot be imported" in str(problem)
