"""The reader of mounted folders keeps the promises of its port."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardwon.kernel.home import Home
from hardwon.kernel.mounts import Mount, save_mounts
from hardwon.stores.mounts.notes import Notes
from hardwon.testing.conformance import MountedNotesConformance
from hardwon.testing.fakes import open_fake_home


class FolderOnDisk:
    """A folder that a person changes."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text, encoding="utf-8")

    def remove(self, name: str) -> None:
        (self.path / name).unlink()

    def take_away(self) -> None:
        self.path.rename(self.path.with_name("elsewhere"))


class TestMountedFolders(MountedNotesConformance):
    @pytest.fixture
    def home(self, tmp_path: Path) -> Iterator[Home]:
        with open_fake_home(tmp_path / "home") as home:
            yield home

    @pytest.fixture
    def folder(self, tmp_path: Path, home: Home) -> FolderOnDisk:
        path = (tmp_path / "notes").resolve()
        path.mkdir()
        save_mounts(home.path, [Mount(str(path), ("shop",))])
        return FolderOnDisk(path)

    @pytest.fixture
    def notes(self, home: Home, folder: FolderOnDisk) -> Notes:
        return Notes(home)
