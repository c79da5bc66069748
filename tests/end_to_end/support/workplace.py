"""A throw-away place to work in: a home directory, projects with worktrees, and programs that see nothing else."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from support.programs import Program, search_path

KEEP_VARIABLE = "END_TO_END_KEEP"
"""Set to anything, the place is left for a look, with the record of all that ran and was asked."""
LONGEST_RUN = 120.0
"""Seconds that one run of a program may take."""
END_LIMIT = 90.0
"""Seconds that processes in the background may take to end."""
LOOK_AGAIN = 0.1
"""Seconds between two looks at what runs."""


@dataclass(frozen=True)
class Finished:
    """A program that ran to its end."""

    code: int
    output: str
    errors: str
    seconds: float

    @property
    def said(self) -> str:
        """Return all that it printed."""
        return self.output + self.errors


class Workplace:
    """A home directory with projects beside it. `with Workplace(…) as place:` removes it all in the end."""

    def __init__(self, programs: Iterable[Program]) -> None:
        # With a space: nothing may take the path of a home for two words.
        self.root = Path(tempfile.mkdtemp(prefix="hardwon end to end ")).resolve()
        self.home = self.root / "home"
        self.projects = self.root / "projects"
        for folder in (self.home, self.projects):
            folder.mkdir()
        self.environment = {
            "PATH": os.pathsep.join([search_path(programs), sysconfig.get_path("scripts")]),
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
        }
        (self.home / ".gitconfig").write_text("[user]\n\tname = Dev\n\temail = dev@example.org\n", encoding="utf-8")

    def __enter__(self) -> Workplace:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait_for_background()
        if os.environ.get(KEEP_VARIABLE):
            print(f"INFO kept [{self.root}]", flush=True)
        else:
            shutil.rmtree(self.root, ignore_errors=True)

    def run(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        typed: str = "",
    ) -> Finished:
        """Run a program to its end; one that does not end within LONGEST_RUN is ended, with code -9."""
        started = time.monotonic()
        process = subprocess.Popen(
            command,
            cwd=folder or self.home,
            env={**self.environment, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(typed, LONGEST_RUN)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
        finished = Finished(process.returncode, output, errors, time.monotonic() - started)
        self._record(command, finished)
        return finished

    def _record(self, command: Sequence[str], finished: Finished) -> None:
        with (self.root / "runs.log").open("a", encoding="utf-8") as file:
            file.write(f"$ {command}\ncode {finished.code} in {finished.seconds:.1f} s\n{finished.output}\n")
            file.write(f"-- errors\n{finished.errors}\n\n")

    def make_project(self, name: str) -> Path:
        """Make a git repository with a commit; return its folder."""
        folder = self.projects / name
        folder.mkdir()
        (folder / "README.md").write_text(f"# {name}\n", encoding="utf-8")
        self.git(folder, "init", "--quiet", "--initial-branch=main")
        self.git(folder, "add", "README.md")
        self.git(folder, "commit", "--quiet", "--message=Begin")
        return folder

    def add_worktree(self, project: Path, branch: str) -> Path:
        """Make another worktree of a project; return its folder."""
        folder = self.projects / f"{project.name}-{branch}"
        self.git(project, "worktree", "add", "--quiet", "-b", branch, str(folder))
        return folder

    def git(self, folder: Path, *arguments: str) -> None:
        """Run git; raises CalledProcessError."""
        subprocess.run(["git", *arguments], cwd=folder, env=self.environment, check=True, capture_output=True)

    def wait_for_background(self) -> float:
        """Wait until no process has this place on its command line; return the seconds. Raises TimeoutError."""
        started = time.monotonic()
        while running := self._running():
            if time.monotonic() - started > END_LIMIT:
                raise TimeoutError(f"after {END_LIMIT:.0f} s there still run: {'; '.join(running)}")
            time.sleep(LOOK_AGAIN)
        return time.monotonic() - started

    def _running(self) -> list[str]:
        listed = subprocess.run(["ps", "-A", "-ww", "-o", "args="], capture_output=True, text=True, check=True).stdout
        return [line for line in listed.splitlines() if str(self.root) in line]


def snapshot(folder: Path, without: Iterable[Path] = ()) -> dict[str, bytes | str]:
    """Return every file below a folder with its content, and every link with its target, but for what is left out."""
    left_out = tuple(without)
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        if any(path.is_relative_to(each) for each in left_out):
            continue
        if path.is_symlink():
            found[str(path.relative_to(folder))] = str(path.readlink())
        elif path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
        elif path.is_dir():
            found[str(path.relative_to(folder)) + "/"] = ""
    return found


def differences(before: Mapping[str, bytes | str], after: Mapping[str, bytes | str]) -> list[str]:
    """Return the names of what is not the same in two snapshots."""
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
