"""OpenCode, end to end: `python tests/end_to_end/opencode.py`."""

import sys

from support.harnesses.opencode import OpenCode
from support.journey import PURGE, WHOLE, prove
from support.statements import helpers, learning, past, trouble, wiring

HELPERS = (wiring.set_up, learning.teach, helpers.leave_alone)
TROUBLES = (wiring.set_up, learning.teach, trouble.go_on, trouble.say_it_once)
PAST = (past.import_twice,)

if __name__ == "__main__":
    sys.exit(prove("OpenCode", OpenCode(), WHOLE, PURGE, PAST, TROUBLES, HELPERS))
