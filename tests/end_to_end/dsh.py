"""DSH's core packages, end to end: `python tests/end_to_end/dsh.py`."""

import sys

from support.harnesses.dsh import Dsh
from support.journey import PURGE, WHOLE, prove
from support.statements import learning, trouble, wiring

TROUBLES = (wiring.set_up, learning.teach, trouble.go_on)

if __name__ == "__main__":
    sys.exit(prove("DSH", Dsh(), WHOLE, PURGE, TROUBLES))
