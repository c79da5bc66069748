"""What every test shares: nobody's real memory is in reach, and no plugin of this machine is loaded."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

Install = Callable[[Path, str, Mapping[str, str], Mapping[str, str]], None]


@pytest.fixture(scope="session", autouse=True)
def shielded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Name a home that no test uses by accident, and let in no plugin but those of the box."""
    nowhere = tmp_path_factory.mktemp("nowhere")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("HARDWON_")]:
            patch.delenv(name)
        patch.setenv("HARDWON_HOME", str(nowhere / "home"))
        patch.setenv("XDG_DATA_HOME", str(nowhere / "data"))
        patch.setenv("HARDWON_LOAD_PLUGINS", "")
        patch.setenv("HARDWON_NO_BACKGROUND", "1")
        yield


@pytest.fixture
def install_plugin() -> Install:
    """Return a function that leaves a distribution in a folder as an installer does.

    It takes the folder, the distribution's name, its entry points (name to target) and its modules (name to source).
    """

    def install(folder: Path, distribution: str, points: Mapping[str, str], modules: Mapping[str, str]) -> None:
        metadata = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
        metadata.mkdir(parents=True)
        about = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
        lines = ["[hardwon]", *(f"{name} = {target}" for name, target in points.items())]
        (metadata / "METADATA").write_text(about, encoding="utf-8")
        (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for name, source in modules.items():
            (folder / f"{name}.py").write_text(source, encoding="utf-8")

    return install
