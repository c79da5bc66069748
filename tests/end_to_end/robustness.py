"""What may go wrong with hardwon, in a real Claude Code: `python tests/end_to_end/robustness.py`."""

import sys

from support.harnesses.claude_code import ClaudeCode
from support.journey import prove
from support.statements import learning, switches, trouble, wiring

TROUBLES = (
    wiring.set_up,
    learning.teach,
    trouble.go_on,
    trouble.say_it_once,
    trouble.say_it_again_after_compaction,
    switches.stay_off,
)

if __name__ == "__main__":
    sys.exit(prove("robustness", ClaudeCode(), TROUBLES))
