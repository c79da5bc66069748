"""`setup` wires a harness without touching what is the user's, and `unset` takes back exactly that."""

from __future__ import annotations

from hardwon.kernel.injection import MARKER
from support.stage import Stage
from support.statements.ground import QUESTION, TAUGHT, Ground
from support.workplace import differences, snapshot


def set_up_and_undo(stage: Stage, ground: Ground) -> None:
    """Set up and unset at once: every file of the home directory is byte for byte as it was."""
    before = _user_files(stage)
    done = stage.memory.command("setup", stage.harness.name, "--yes")
    stage.report.check("setup wires the harness", done.code == 0, done.said)
    changed = differences(before, _user_files(stage))
    stage.report.check("setup wrote into the harness's settings", changed, ", ".join(changed))
    stage.memory.command("unset", stage.harness.name, "--yes")
    left = differences(before, _user_files(stage))
    stage.report.check("unset right after it leaves every file as it was", not left, ", ".join(left))


def set_up(stage: Stage, ground: Ground) -> None:
    """Set up to stay: a second `setup` changes nothing, and `status` says that the harness is wired."""
    stage.memory.command("setup", stage.harness.name, "--yes")
    before = _user_files(stage)
    again = stage.memory.command("setup", stage.harness.name, "--yes")
    left = differences(before, _user_files(stage))
    stage.report.check("a second setup changes nothing", again.code == 0 and not left, ", ".join(left) or again.said)
    told = stage.memory.command("status")
    stage.report.check("status tells of the harness", stage.harness.name in told.output, told.said)


def unset(stage: Stage, ground: Ground) -> None:
    """Unset after all those sessions: the settings are as the user had them, and the memory stays."""
    done = stage.memory.command("unset", stage.harness.name, "--yes")
    stage.report.check("unset is done", done.code == 0, done.said)
    for name, text in stage.harness.settings(stage.model.address).items():
        left = stage.harness.without_own_rows(name, (stage.place.home / name).read_text(encoding="utf-8"))
        stage.report.check(f"unset leaves {name} byte for byte as the user had it", left == text, left)
    stage.report.check("the memory stays", stage.memory.memories(*TAUGHT))
    turn = stage.turn(ground.worktree, QUESTION)
    found = turn.holding(MARKER)
    stage.report.check("after unset nothing of ours reaches the model", turn.went_on and not found, found[:1])


def purge(stage: Stage, ground: Ground) -> None:
    """Unset with `--purge`: the memory goes as well, and nothing else."""
    before = _user_files(stage)
    stage.memory.command("setup", stage.harness.name, "--yes")
    stage.memory.command("remember", "The tests need a running Redis.", folder=ground.project)
    stage.memory.wait()
    there = stage.memory.home.exists()
    done = stage.memory.command("unset", "--purge", "--yes")
    gone = not stage.memory.home.exists()
    stage.report.check("unset --purge removes the memory", done.code == 0 and there and gone, done.said)
    left = differences(before, _user_files(stage))
    stage.report.check("unset --purge leaves every other file as it was", not left, ", ".join(left))


def _user_files(stage: Stage) -> dict[str, bytes | str]:
    """Return the user's files, without hardwon's own home."""
    return snapshot(stage.place.home, without=[stage.memory.home])
