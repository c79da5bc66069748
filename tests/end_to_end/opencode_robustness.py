"""What may go wrong, and sessions that go on, in a real OpenCode: `python tests/end_to_end/opencode_robustness.py`."""

import sys

from support.harnesses.opencode import OpenCode
from support.harnesses.opencode_server import Server
from support.journey import prove
from support.stage import Stage
from support.statements import helpers, learning, trouble, wiring
from support.statements.ground import QUESTION, TAUGHT, Ground


def say_it_again_after_compaction(stage: Stage, ground: Ground) -> None:
    """Go on with a session, and compact it: what went out of its history is shown once again."""
    seen = []
    with Server(stage.place, ground.worktree) as server:
        for compacted in (False, False, True):
            if compacted:
                server.compact()
            stage.model.script()
            server.ask(QUESTION)
            last = stage.model.turns[-1]
            seen.append({words: len(last.holding(words)) for words in (QUESTION, TAUGHT[0])})
    stage.report.check("a session that goes on is shown nothing twice", seen[1] == {QUESTION: 2, TAUGHT[0]: 1}, seen)
    stage.report.check("a compacted session is shown it once again", seen[2] == {QUESTION: 1, TAUGHT[0]: 1}, seen)


TROUBLES = (wiring.set_up, learning.teach, trouble.go_on, trouble.say_it_once)
SESSIONS = (wiring.set_up, learning.teach, helpers.leave_alone, say_it_again_after_compaction)

if __name__ == "__main__":
    sys.exit(prove("OpenCode, robustness", OpenCode(), TROUBLES, SESSIONS))
