"""Programs in the place of the system's: `crontab` keeps a file, `systemctl` keeps which timers are enabled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

CRONTAB = """#!/bin/sh
# As Debian's: refuses a crontab whose last line has no end, unless it is told to be lenient.
kept="{folder}/crontab"
case "$1" in
  -l) if [ -f "$kept" ]; then cat "$kept"; else echo "no crontab for tester" >&2; exit 1; fi ;;
  -r) rm "$kept" ;;
  -) cat > "$kept.new"
     if [ -s "$kept.new" ] && [ -n "$(tail -c 1 "$kept.new")" ] && [ ! -f "{folder}/lenient" ]; then
       echo "new crontab file is missing newline before EOF, can't install." >&2; exit 1
     fi
     mv "$kept.new" "$kept" ;;
  *) exit 2 ;;
esac
"""
SYSTEMCTL = """#!/bin/sh
# Keeps a line for each timer that is enabled, and everything that was asked for.
enabled="{folder}/enabled"
echo "$@" >> "{folder}/asked"
[ -f "{folder}/broken" ] && [ "$2" = "$(cat "{folder}/broken")" ] && {{ echo "Failed to $2." >&2; exit 1; }}
for last; do :; done
case "$2" in
  show-environment) [ ! -f "{folder}/no-manager" ] ;;
  is-enabled) grep -qx "$last" "$enabled" 2>/dev/null ;;
  enable) grep -qx "$last" "$enabled" 2>/dev/null || echo "$last" >> "$enabled" ;;
  disable)
    grep -vx "$last" "$enabled" > "$enabled.new"
    mv "$enabled.new" "$enabled"
    [ -s "$enabled" ] || rm "$enabled" ;;
esac
"""

Put = Callable[..., Path]


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of what the programs keep; `bin` in it is all of PATH beside the tools of a shell."""
    folder = tmp_path / "system"
    (folder / "bin").mkdir(parents=True)
    for tool in ("sh", "cat", "rm", "mv", "tail", "grep", "sleep", "nice"):
        found = next(Path(each) / tool for each in ("/usr/bin", "/bin") if (Path(each) / tool).exists())
        (folder / "bin" / tool).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    return folder


@pytest.fixture
def put(system: Path) -> Callable[[str, str], None]:
    """Return a function that puts a program into PATH."""

    def program(name: str, text: str) -> None:
        path = system / "bin" / name
        path.write_text(text.format(folder=system), encoding="utf-8")
        path.chmod(0o755)

    return program


@pytest.fixture
def crontab(system: Path, put: Callable[[str, str], None]) -> Path:
    """Return the file that holds the crontab, if there is one."""
    put("crontab", CRONTAB)
    return system / "crontab"


@pytest.fixture
def systemctl(system: Path, put: Callable[[str, str], None]) -> Path:
    """Return the folder in which systemd looks for what is the user's own."""
    put("systemctl", SYSTEMCTL)
    return system / "config" / "systemd" / "user"
