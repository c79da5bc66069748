"""DSH's core packages, end to end: `python tests/end_to_end/dsh.py`."""

import sys

from support.harnesses.dsh import Dsh
from support.journey import PURGE, WHOLE, prove
from support.stage import Stage
from support.statements import learning, trouble, wiring
from support.statements.ground import QUESTION, Ground


def go_on_without_the_plugin(stage: Stage, ground: Ground) -> None:
    """Take away what our row in DSH's composition names: DSH does not start with a row that it cannot load."""
    folder = stage.place.home / ".dsh" / "profiles" / ".hardwon"
    aside = folder.rename(folder.with_name(".aside"))
    turn = stage.turn(ground.worktree, QUESTION)
    stage.report.check("where the plugin's files are gone, the turn goes on", turn.went_on, turn.finished.said[-300:])
    aside.rename(folder)


TROUBLES = (wiring.set_up, learning.teach, trouble.go_on, go_on_without_the_plugin)

if __name__ == "__main__":
    sys.exit(prove("DSH", Dsh(), WHOLE, PURGE, TROUBLES))
