"""Claude Code, end to end: `python tests/end_to_end/claude_code.py`."""

import sys

from support.harnesses.claude_code import ClaudeCode
from support.journey import PAST, PURGE, WHOLE, prove

if __name__ == "__main__":
    sys.exit(prove("Claude Code", ClaudeCode(), WHOLE, PURGE, PAST))
