"""The server for tests and for a look: an ordinary user's, reached by nobody else, and gone when it stops."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from hardwon.kernel.errors import StoreError, Unavailable
from hardwon.stores.postgres import embedded
from hardwon.stores.postgres.embedded import EmbeddedServer


def test_it_is_for_whoever_started_it_alone(postgres_url: str) -> None:
    """It listens on no port, and its folder is closed to others; root's server is no process of root."""
    folder = Path(postgres_url.split()[0].partition("=")[2])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    pid = int((folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split("\n")[0])
    assert not Path("/proc").exists() or Path(f"/proc/{pid}").stat().st_uid != 0
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_it_is_gone_when_it_stops(postgres_url: str) -> None:
    """With its folder; and starting it anew is another one."""
    server = EmbeddedServer()
    with pytest.raises(StoreError, match="not started"):
        _ = server.url
    with server:
        folder = server.folder
        with psycopg.connect(server.url) as connection:
            connection.execute("CREATE TABLE kept ()")
    assert not folder.exists()
    server.stop()


@contextmanager
def started() -> Iterator[tuple[subprocess.Popen[str], Path, int]]:
    """Have another process start a server; yield that process, the server's folder, and the server's own number."""
    program = "import sys; from hardwon.stores.postgres.embedded import EmbeddedServer as Server; server = Server(); "
    program += "server.start(); print(server.folder, flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        folder = Path(starter.stdout.readline().strip())
        yield starter, folder, int((folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split("\n")[0])


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_with_whoever_started_it(postgres_url: str, how: signal.Signals) -> None:
    """Ended so that nothing could be put away: no server stays behind, and nothing of it."""
    with started() as (starter, folder, pid):
        starter.send_signal(how)
    given_up = time.monotonic() + 30
    while folder.exists() and time.monotonic() < given_up:
        time.sleep(0.05)
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_it_ends_with_whoever_started_it_where_nothing_can_be_noted(postgres_url: str) -> None:
    """As on a full disk, or where something that clears away what is temporary took its folder."""
    with started() as (starter, folder, pid):
        shutil.rmtree(folder)
        starter.kill()
    given_up = time.monotonic() + 30
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < given_up:
            os.kill(pid, 0)
            time.sleep(0.05)


def test_programs_in_a_closed_folder_are_copied(postgres_url: str, tmp_path: Path) -> None:
    """As when root installed into a folder of its own: nothing is opened to others for it."""
    if os.geteuid() != 0:
        pytest.skip("only root starts it as somebody else")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    programs = closed / "pginstall" / "bin"
    programs.parent.mkdir()
    (programs.parent / "include").mkdir()
    programs.mkdir()
    (programs / "postgres").write_bytes(b"")
    folder = tmp_path / "folder"
    folder.mkdir()
    assert embedded._reachable(programs, folder) == folder / "programs" / "bin"
    assert (folder / "programs" / "bin" / "postgres").exists()
    copied = folder / "programs"
    owners = {each.stat().st_uid for each in (copied, *copied.rglob("*")) if each.is_dir()}
    assert owners == {pwd.getpwnam("nobody").pw_uid}  # who removes them, should whoever started it be gone
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


def test_without_the_wheel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or to name a server."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert not embedded.is_installed()
    with pytest.raises(Unavailable, match=r"hardwon\[postgres-server\].*postgres\.url"):
        EmbeddedServer()


def test_a_path_too_long_for_a_socket_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, postgres_url: str
) -> None:
    """With what to set."""
    deep = tmp_path / ("long" * 30)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with pytest.raises(Unavailable, match="TMPDIR"):
        EmbeddedServer().start()
    assert list(deep.iterdir()) == []
