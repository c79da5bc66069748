"""A secret that is typed in a session reaches no file of hardwon's; what else was said is learned."""

from __future__ import annotations

import random
import string

from support.stage import Stage
from support.statements.ground import Ground


def keep_none(stage: Stage, ground: Ground) -> None:
    """Teach a lesson with an access token in it."""
    made = random.Random(3)
    token = "ghp_" + "".join(made.choices(string.ascii_letters + string.digits, k=36))
    said = f"Remember: the release job needs a token of the bot, such as {token}, because a person's token expires."
    stage.turn(ground.project, said)
    stage.memory.wait()
    learned = stage.memory.memories("release job")
    stage.report.check("a lesson with a secret in it is learned", len(learned) == 1, learned)
    files = [path for path in stage.memory.home.rglob("*") if path.is_file()]
    holding = [path.name for path in files if token.encode() in path.read_bytes()]
    stage.report.check("the secret is in no file of hardwon's", files and not holding, f"{len(files)} files {holding}")
