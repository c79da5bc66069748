"""DSH's core packages, end to end: `python tests/end_to_end/dsh.py`."""

import sys

from support.harnesses.dsh import Dsh
from support.journey import PURGE, WHOLE, prove

if __name__ == "__main__":
    sys.exit(prove("DSH", Dsh(), WHOLE, PURGE))
