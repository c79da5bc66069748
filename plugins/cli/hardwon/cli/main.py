"""The program `hardwon`: loads the plugins, makes one Typer application of their actions, and runs it.

Exit codes: 0 done, 1 a stated failure, 2 usage, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys

from hardwon.cli.application import build_application
from hardwon.cli.output import be_lenient, complain
from hardwon.kernel.registry import Broken, registry


def main() -> None:
    """Run the command line."""
    be_lenient(sys.stdout, sys.stderr)
    loaded = registry()
    application, unusable = build_application(loaded)
    for broken in (*loaded.broken, *unusable):
        complain(_line(broken))
    application()


def _line(broken: Broken) -> str:
    return (
        f"Plugin {broken.name} of {broken.distribution} is broken and left out ({broken.reason}); "
        "upgrade or uninstall it."
    )
