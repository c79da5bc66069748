"""Loopback only: a script runs itself again where nothing else can be reached, so that no real model is ever asked."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

from support.report import Report

INSIDE_VARIABLE = "END_TO_END_INSIDE"
"""Set in the process that runs inside the namespaces."""
FLAGS = ("--net", "--mount")
"""Mounts too are this script's own, so that a folder can be made read-only even for root."""


def isolate(report: Report) -> None:
    """Run this script again inside namespaces of its own; where there are none to be had, say so and go on."""
    if os.environ.get(INSIDE_VARIABLE):
        report.check("nothing but loopback can be reached", _interfaces() == ["lo"], ", ".join(_interfaces()))
        return
    flags = FLAGS if os.geteuid() == 0 else ("--map-root-user", *FLAGS)
    if not _can_unshare(flags):
        report.info("no network namespace can be made here; the fake models are on loopback all the same")
        return
    os.environ[INSIDE_VARIABLE] = "1"
    inside = ["sh", "-c", 'ip link set lo up && exec "$@"', "isolated", sys.executable, *sys.argv]
    sys.stdout.flush()
    os.execvp("unshare", ["unshare", *flags, "--", *inside])


def _interfaces() -> list[str]:
    """Return the network interfaces that this process sees."""
    return [name for _, name in socket.if_nameindex()]


def _can_unshare(flags: tuple[str, ...]) -> bool:
    try:
        tried = subprocess.run(
            ["unshare", *flags, "--", "ip", "link", "set", "lo", "up"], capture_output=True, check=False
        )
    except OSError:
        return False
    return tried.returncode == 0
