"""OpenCode, end to end: `python tests/end_to_end/opencode.py`."""

import sys

from support.harnesses.opencode import OpenCode
from support.journey import PURGE, WHOLE, prove
from support.statements.past import import_twice

if __name__ == "__main__":
    sys.exit(prove("OpenCode", OpenCode(), WHOLE, PURGE, (import_twice,)))
