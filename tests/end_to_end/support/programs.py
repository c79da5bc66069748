"""The real command lines under test: pinned versions from npm, kept in a cache folder outside the repository."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

CACHE_VARIABLE = "END_TO_END_PROGRAMS"
"""Names the folder that the programs are installed in; by default one below the user's cache folder."""
INSTALL_LIMIT = 300.0
"""Seconds that one npm install may take."""


class NotInstalled(Exception):
    """A program cannot be had here, and why."""


@dataclass(frozen=True)
class Program:
    """One pinned program from npm."""

    name: str
    """What is typed to start it."""
    package: str
    version: str
    beside: tuple[str, ...] = ()
    """Further packages, with their versions, that it needs beside it."""

    @property
    def folder(self) -> Path:
        """Return where this version is kept."""
        return cache_folder() / f"{self.name}-{self.version}"

    @property
    def binaries(self) -> Path:
        """Return the folder to put first on the PATH."""
        return self.folder / "node_modules" / ".bin"


CLAUDE = Program("claude", "@anthropic-ai/claude-code", "2.1.332")
CODEX = Program("codex", "@openai/codex", "0.171.0")
OPENCODE = Program("opencode", "opencode-ai", "1.18.33")
GEMINI = Program("gemini", "@google/gemini-cli", "0.61.0")
DSH = Program(
    "node",
    "node",
    "22.23.3",
    beside=(
        "@deepseek-ai/cordis@4.0.4",
        *(
            f"@deepseek-ai/dsh-{name}@0.1.0-rc.8"
            for name in ("agent", "agent-loop", "app-boot", "home-paths", "llm", "session", "system-prompt", "tools")
        ),
    ),
)
"""The core packages: DSH's own command line cannot be installed from npm (2026-11)."""
QWEN = Program("qwen", "@qwen-code/qwen-code", "0.24.4", beside=("node@22.23.3",))


def cache_folder() -> Path:
    """Return the folder that programs are installed in."""
    given = os.environ.get(CACHE_VARIABLE)
    if given:
        return Path(given).resolve()
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "hardwon" / "end-to-end"


def search_path(programs: Iterable[Program]) -> str:
    """Return a PATH on which these programs come first."""
    return os.pathsep.join([*(str(program.binaries) for program in programs), os.environ["PATH"]])


def require(programs: Iterable[Program]) -> None:
    """Install what is missing. Raises NotInstalled with the reason where npm or the network cannot be had."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    with (cache_folder() / "lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # scripts may be run side by side
        for program in programs:
            if not _is_there(program):
                _install(program)


def _is_there(program: Program) -> bool:
    """Tell whether npm put the pinned version here, and whether it starts."""
    executable = program.binaries / program.name
    if not executable.exists():
        return False
    environment = {**os.environ, "PATH": search_path([program])}
    try:
        asked = subprocess.run(
            [executable, "--version"], env=environment, capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0 and program.version in asked.stdout


def _install(program: Program) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NotInstalled(f"{program.name}: npm is not installed here")
    shutil.rmtree(program.folder, ignore_errors=True)
    program.folder.mkdir(parents=True)
    wanted = [f"{program.package}@{program.version}", *program.beside]
    command = [npm, "install", "--prefix", str(program.folder), "--no-audit", "--no-fund", "--loglevel=error", *wanted]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=INSTALL_LIMIT, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"{program.name}: npm did not end within {INSTALL_LIMIT:.0f} s") from None
    if done.returncode:
        reason = " ".join((done.stderr or done.stdout).split())[:300]
        raise NotInstalled(f"{program.name}: npm install failed: {reason}")
    if not _is_there(program):
        raise NotInstalled(f"{program.name}: npm installed it, but it does not answer as version {program.version}")
