"""Codex, end to end: `python tests/end_to_end/codex.py`."""

import sys

from support.harnesses.codex import Codex
from support.journey import LEARNING, PAST, PURGE, prove
from support.statements import trust, wiring

WHOLE = (wiring.set_up_and_undo, wiring.set_up, trust.miss, trust.grant, *LEARNING, wiring.unset)

if __name__ == "__main__":
    sys.exit(prove("Codex", Codex(), WHOLE, PURGE, PAST))
