"""Qwen Code, end to end: `python tests/end_to_end/qwen.py`."""

import sys

from support.harnesses.qwen import Qwen
from support.journey import PAST, PURGE, WHOLE, prove

if __name__ == "__main__":
    sys.exit(prove("Qwen Code", Qwen(), WHOLE, PURGE, PAST))
