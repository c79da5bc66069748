"""What a project is made of is told by its manifests, or by its .hardwon.toml; where nothing tells, nothing is sure."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel import surroundings
from hardwon.kernel.surroundings import Surroundings


@pytest.mark.parametrize(
    ("manifest", "language"),
    [
        ("pyproject.toml", "python"), ("requirements.txt", "python"), ("package.json", "javascript"),
        ("tsconfig.json", "typescript"), ("Cargo.toml", "rust"), ("go.mod", "go"), ("pom.xml", "java"),
        ("Gemfile", "ruby"), ("shop.csproj", "c#"), ("CMakeLists.txt", "c++"),
    ],
)  # fmt: skip
def test_a_manifest_tells_the_language(tmp_path: Path, manifest: str, language: str) -> None:
    (tmp_path / manifest).write_text("", encoding="utf-8")
    assert language in Surroundings(str(tmp_path), str(tmp_path)).languages


def test_what_is_built_with_is_named_in_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"react": "^19", "@nestjs/core": "11"}}', encoding="utf-8")
    around = Surroundings(str(tmp_path), str(tmp_path))
    assert {"react", "nestjs"} <= set(around.frameworks)
    assert "django" not in around.frameworks


def test_folders_above_and_the_parts_of_a_repository_count(tmp_path: Path) -> None:
    """Not what lies outside of the project, nor what others wrote."""
    (tmp_path / "Cargo.toml").write_text("", encoding="utf-8")
    project = tmp_path / "shop"
    for folder, manifest in ((".", "go.mod"), ("web", "package.json"), ("node_modules", "Gemfile"), ("api/src", "x.c")):
        (project / folder).mkdir(parents=True, exist_ok=True)
        (project / folder / manifest).write_text("", encoding="utf-8")
    languages = Surroundings(str(project / "api" / "src"), str(project)).languages
    assert {"go", "javascript"} <= set(languages)
    assert not {"rust", "ruby"} & set(languages)


def test_a_project_says_better_itself(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    said = 'languages = ["elixir"]\nroles = ["reviewer"]\ntags = ["payments", "支付"]\n'
    (tmp_path / ".hardwon.toml").write_text(said, encoding="utf-8")
    around = Surroundings(str(tmp_path / "lib"), str(tmp_path))
    assert (around.languages, around.roles, around.tags) == (["elixir"], ["reviewer"], ["payments", "支付"])


@pytest.mark.parametrize("content", [b"tags = [", b"\xff\xfe tags", b"tags = 3", b"tags = [" * 5000])
def test_a_broken_file_tells_nothing(tmp_path: Path, content: bytes) -> None:
    """It is reported where the project is identified, and does not break a recall."""
    (tmp_path / ".hardwon.toml").write_bytes(content)
    assert Surroundings(str(tmp_path), str(tmp_path)).tags == []


def test_outside_of_any_project_nothing_is_known(tmp_path: Path) -> None:
    """The manifests in a home directory belong to nobody."""
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    assert Surroundings(str(tmp_path), None).languages == []
    assert Surroundings(str(tmp_path / "gone"), str(tmp_path / "gone")).languages == []


def test_a_folder_of_very_many_files_is_looked_at_in_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds data, and a hook has no time for it; what lies elsewhere in the project still tells."""
    monkeypatch.setattr(surroundings, "MOST_ENTRIES", 10)
    looked_at: list[str] = []
    monkeypatch.setattr(surroundings.os.path, "splitext", lambda name: (looked_at.append(name) or name, ""))
    (tmp_path / "data").mkdir()
    for number in range(50):
        (tmp_path / "data" / f"{number}.csv").write_text("", encoding="utf-8")
    (tmp_path / "go.mod").write_text("", encoding="utf-8")
    assert "go" in Surroundings(str(tmp_path / "data"), str(tmp_path)).languages
    assert 0 < len(looked_at) <= 20
