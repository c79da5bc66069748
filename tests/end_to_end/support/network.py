"""Loopback only: a script runs itself again where nothing else can be reached, so that no real model is ever asked."""

from __future__ import annotations

import os
import subprocess
import sys

from support.report import Report

INSIDE_VARIABLE = "HARDWON_END_TO_END_INSIDE"
"""Set in the process that runs inside the namespaces."""
FLAGS = ("--net", "--mount")
"""Mounts too are this script's own, so that a folder can be made read-only even for root."""


def isolate(report: Report) -> None:
    """Run this script again inside namespaces of its own; go on as it is, and say so, where there are none to be had."""
    if os.environ.get(INSIDE_VARIABLE):
        return
    os.environ[INSIDE_VARIABLE] = "1"
    flags = FLAGS if os.geteuid() == 0 else ("--map-root-user", *FLAGS)
    if not _can_unshare(flags):
        report.info("no network namespace can be made here; the fake models are on loopback all the same")
        return
    inside = ["sh", "-c", 'ip link set lo up && exec "$@"', "isolated", sys.executable, *sys.argv]
    sys.stdout.flush()
    os.execvp("unshare", ["unshare", *flags, "--", *inside])


def is_isolated() -> bool:
    """Tell whether this process sees no network interface but loopback."""
    with open("/proc/net/dev", encoding="ascii") as devices:
        names = [line.partition(":")[0].strip() for line in devices if ":" in line]
    return names == ["lo"]


def _can_unshare(flags: tuple[str, ...]) -> bool:
    try:
        tried = subprocess.run(
            ["unshare", *flags, "--", "ip", "link", "set", "lo", "up"], capture_output=True, check=False
        )
    except OSError:
        return False
    return tried.returncode == 0
