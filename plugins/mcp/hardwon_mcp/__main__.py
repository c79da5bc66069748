"""The server as a program: `python -P -m hardwon_mcp [--home PATH] [--harness NAME]`, spoken to by standard streams.

It ends when its client closes them.
"""

from __future__ import annotations

import os
import sys

USAGE = "Usage: python -P -m hardwon_mcp [--home PATH] [--harness NAME]; `hardwon mcp` says how to connect a client."
FAILED, WRONG_USE = 1, 2


def options_of(words: list[str]) -> dict[str, str] | None:
    """Return the options that were given; None where they cannot be read. argparse would cost the start 7 ms."""
    options: dict[str, str] = {}
    left = list(words)
    while left:
        name, joined, value = left.pop(0).partition("=")
        if name not in ("--home", "--harness") or not (joined or left):
            return None
        options[name[2:]] = value if joined else left.pop(0)
    return options


def home_of(given: str | None) -> str:
    """Return the home's folder. Raises HardwonError where nobody knows it."""
    if given and os.path.isabs(given):  # noqa: PTH117 - pathlib costs the start 5 ms
        return given
    from hardwon.kernel.home import locate_home

    return str(locate_home(given)[0])


def main() -> int:
    """Serve one client; return the exit code."""
    options = options_of(sys.argv[1:])
    if options is None:
        print(USAGE, file=sys.stderr)  # noqa: T201
        return WRONG_USE
    from hardwon_mcp.conversation import Conversation
    from hardwon_mcp.session import Session
    from hardwon_mcp.streams import claim_streams

    try:
        conversation = Conversation(claim_streams())
    except OSError:
        return FAILED
    session = Session(conversation, home_of(options.get("home")), options.get("harness"))
    try:
        ended = conversation.hold(session)
    except KeyboardInterrupt:
        ended = False
    session.close()
    if not ended:
        # A call that hangs must not keep the process alive; whatever it was writing is taken back or finished by the
        # store's own record of what was intended.
        os._exit(0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
