"""A user who has a plugin with the fake harness and the fake extractor, for real processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PLUGIN = """
import os
from pathlib import Path

from hardwon.kernel.hookspecs import hookimpl
from hardwon.testing.fakes.extractor import FakeExtractor
from hardwon.testing.fakes.harness import FakeHarness


@hookimpl
def register_harnesses(register):
    register("fake", FakeHarness(Path(os.environ["FAKE_HARNESS"])))


@hookimpl
def register_extractors(register):
    register("fake", lambda home: FakeExtractor())
"""
SETTINGS = 'embedder = "none"\nextractor = "fake"\n'


@dataclass(frozen=True)
class Plugged:
    """Where such a user has everything."""

    environment: dict[str, str]

    @property
    def home(self) -> Path:
        """Return the memory's home; there are only its settings yet."""
        return Path(self.environment["HARDWON_HOME"])

    @property
    def transcripts(self) -> Path:
        """Return the folder that the harness keeps its sessions in."""
        return Path(self.environment["FAKE_HARNESS"])


def plug_in(environment: dict[str, str], folder: Path, install_plugin: Callable[..., None]) -> Plugged:
    """Give a user the plugin, and settings that choose its extractor."""
    install_plugin(folder / "plugins", "acme-harness", {"acme-harness": "acme_harness"}, {"acme_harness": PLUGIN})
    plugged = Plugged({
        **environment,
        "PYTHONPATH": str(folder / "plugins"),
        "HARDWON_LOAD_PLUGINS": "acme-harness",
        "FAKE_HARNESS": str(folder / "harness"),
    })  # fmt: skip
    plugged.transcripts.mkdir()
    plugged.home.mkdir(mode=0o700)
    (plugged.home / "config.toml").write_text(SETTINGS, encoding="utf-8")
    return plugged
