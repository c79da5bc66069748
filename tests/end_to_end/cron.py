"""A real cron makes a run: `python tests/end_to_end/cron.py`. Skipped, with the reason, where there is none to be had.

The memory lies in a folder with a space, a percent sign and Chinese in its name. The crontab of the user is used as it
is and is the same afterwards; a cron that is not running is started for the time of the test, which takes root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from hardwon.kernel.home import Home
from hardwon.kernel.use_cases.running.records import runs

SKIPPED = 77
PATIENCE = 150.0
"""Seconds; cron looks at its tables once a minute."""


def skip(why: str) -> NoReturn:
    """End with the reason on the last line."""
    print(why)
    sys.exit(SKIPPED)


def hardwon(*arguments: str) -> str:
    """Run the program and return what it printed."""
    command = [sys.executable, "-P", "-m", "hardwon.cli", *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def crontab() -> subprocess.CompletedProcess[bytes]:
    """Return what the user's crontab is."""
    return subprocess.run(["crontab", "-l"], capture_output=True, check=False)


@contextmanager
def running_cron() -> Iterator[None]:
    """Start a cron unless one is running."""
    if subprocess.run(["pgrep", "-x", "cron|crond"], stdout=subprocess.DEVNULL, check=False).returncode == 0:
        yield
        return
    if os.geteuid():
        skip("No cron is running, and only root can start one.")
    cron = subprocess.Popen([shutil.which("cron") or "crond", "-f"])
    try:
        yield
    finally:
        cron.terminate()
        cron.wait()


def made_by_cron(path: Path) -> bool:
    """Wait for a run; tell whether one was made by a timer."""
    given_up = time.monotonic() + PATIENCE
    while time.monotonic() < given_up:
        with Home(path) as home:
            if any(run.by == "schedule" and run.counted for run in runs(home)):
                return True
        time.sleep(1)
    return False


def main() -> None:
    """Install, wait for the run, remove, compare."""
    if not shutil.which("crontab") or not (shutil.which("cron") or shutil.which("crond")):
        skip("Cron is not installed (Debian: the package cron).")
    before = crontab()
    with tempfile.TemporaryDirectory() as where, running_cron():
        home = Path(where) / "100% of 家"
        hardwon("init", "--home", str(home))
        settings = 'embedder = "none"\n[schedule]\nconsolidate = "* * * * *"\n'
        (home / "config.toml").write_text(settings, encoding="utf-8")
        print(hardwon("schedule", "install", "--cron", "--home", str(home)))
        try:
            made = made_by_cron(home)
        finally:
            print(hardwon("schedule", "remove", "--home", str(home)))
        print(hardwon("schedule", "show", "--home", str(home)))
    after = crontab()
    assert (after.returncode, after.stdout) == (before.returncode, before.stdout), "The crontab is not as it was."
    assert made, "Cron made no run."
    print("PASS a run by a real cron; the crontab is as it was")


if __name__ == "__main__":
    main()
