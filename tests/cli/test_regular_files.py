"""What a person names as a file and is none is refused at once: no reader waits for the end of a pipe or a device."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardwon.cli.reading.files import file_bytes
from hardwon.generalizer.catalogue import read_catalogue
from hardwon.generalizer.evaluation.calibration import read_pairs
from hardwon.generalizer.evaluation.labelled import read_labelled
from hardwon.kernel.errors import HardwonError, NotFound
from hardwon.kernel.hook.data import changed_settings
from hardwon.kernel.hook.repository import repository_settings
from hardwon.kernel.package_names import package_names
from hardwon.kernel.project_file import PROJECT_FILE, nearest_project_file
from hardwon.kernel.regular_file import REFUSED, open_regular, read_regular_text
from hardwon.kernel.settings import load_settings
from hardwon.kernel.surroundings import Surroundings
from hardwon.kernel.use_cases.moving.reading import check_archive, is_archive, read_archive
from hardwon.kernel.use_cases.moving.settings_text import with_values
from hardwon.kernel.use_cases.read_sessions import file_mark

Program = Callable[..., subprocess.CompletedProcess[str]]
PATIENCE = 20
"""Seconds after which a reader is said to wait."""


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def make_folder(path: Path) -> None:
    path.mkdir()


@pytest.fixture(autouse=True)
def impatience() -> Iterator[None]:
    """Fail a test whose reader waits, where it waits."""

    def give_up(*_: Any) -> None:
        raise AssertionError("it waits for a file that has no end")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=[make_pipe, make_endless, make_folder])
def make(request: pytest.FixtureRequest) -> Callable[[Path], None]:
    """Return what puts something at a path that is no file."""
    made: Callable[[Path], None] = request.param
    return made


def test_what_is_no_file_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "named")
    with pytest.raises(OSError, match=REFUSED):
        open_regular(tmp_path / "named")


def test_a_file_is_read_through_links_as_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert read_regular_text(tmp_path / "link") == "one\ntwo\nthree\n"


@pytest.mark.parametrize(
    "read",
    [
        file_bytes,
        read_labelled,
        read_pairs,
        file_mark,
        check_archive,
        lambda path: read_catalogue(path / "none" if path.is_dir() else path),
        lambda path: list(read_archive(path)),
        lambda path: changed_settings(str(path.parent), {"config": None}),
        lambda path: load_settings(path.parent),
        lambda path: with_values(path.parent, {("store",): "sqlite"}),
    ],
)
def test_every_reader_of_what_a_person_names_refuses_it(
    tmp_path: Path, make: Callable[[Path], None], read: Callable[[Path], object]
) -> None:
    """With a sentence of ours, or with the system's error, which whoever calls puts into one."""
    make(tmp_path / "config.toml")
    with pytest.raises((HardwonError, OSError)) as raised:
        read(tmp_path / "config.toml")
    assert (
        REFUSED in str(raised.value) or isinstance(raised.value, NotFound) or "none cannot be read" in str(raised.value)
    )


@pytest.mark.parametrize(
    ("name", "read", "nothing"),
    [
        (PROJECT_FILE, lambda path: nearest_project_file(str(path)), None),
        (PROJECT_FILE, lambda path: repository_settings(str(path)), {}),
        (PROJECT_FILE, lambda path: tuple(Surroundings(str(path), str(path)).tags), ()),
        ("package.json", package_names, ()),
        ("archive", lambda path: is_archive(path / "archive"), False),
    ],
)
def test_what_a_folder_need_not_have_is_passed_over(
    tmp_path: Path, make: Callable[[Path], None], name: str, read: Callable[[Path], object], nothing: object
) -> None:
    make(tmp_path / name)
    assert read(tmp_path) == nothing


def test_an_export_into_a_pipe_that_nobody_reads_is_refused(program: Program, tmp_path: Path) -> None:
    program("init")
    make_pipe(tmp_path / "pipe")
    done = program("export", tmp_path / "pipe")
    assert (done.returncode, "Nobody reads the pipe" in done.stderr) == (1, True)


def test_who_reads_a_pipe_gets_the_whole_export(program: Program, tmp_path: Path) -> None:
    program("init")
    make_pipe(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert program("export", tmp_path / "pipe").returncode == 0
        assert os.read(reader, 1 << 16).decode() == program("export").stdout
    finally:
        os.close(reader)


def test_a_backup_that_is_no_file_is_refused_as_that(
    program: Program, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "backup")
    done = program("restore", tmp_path / "backup", "--check")
    assert (done.returncode, REFUSED in done.stderr) == (1, True)
