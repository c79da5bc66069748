"""Gemini CLI, end to end: `python tests/end_to_end/gemini.py`."""

import sys

from support.harnesses.gemini import Gemini
from support.journey import PAST, PURGE, WHOLE, prove

if __name__ == "__main__":
    sys.exit(prove("Gemini CLI", Gemini(), WHOLE, PURGE, PAST))
