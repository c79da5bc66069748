"""What the hook program has to keep of a session's words, for harnesses without a transcript, has no secrets in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardwon.kernel import spool
from hardwon.kernel.hook.capturing import capture
from hardwon.kernel.hook.tables import Event
from hardwon.testing.planted_secrets import in_place, planted_secrets, spoken_of

PLANTED = {kind: (in_place(kind, secret), secret.split("\n")) for kind, secret in planted_secrets().items()}
PLANTED |= {kind: (text, [secret]) for kind, (text, secret) in spoken_of().items()}


def waiting(home: Path) -> str:
    return "".join(data.decode() for _, data in spool.read(str(home), spool.waiting(str(home))))


@pytest.mark.parametrize("field", ["text", "request"])
def test_secrets_of_known_formats_do_not_reach_the_spool(tmp_path: Path, field: str) -> None:
    (tmp_path / "spool").mkdir()
    said = "\n".join(text for text, _ in PLANTED.values())
    message = {"id": "m1", "by": "tool", "text": "done", field: f"{said}\n<private>between us</private>"}
    event = Event("session.idle", "turn-end", "shop", session="s", messages=[message])
    capture(str(tmp_path), "opencode", event)
    kept = waiting(tmp_path)
    assert "[redacted: GitHub token]" in kept
    assert "between us" not in kept
    assert [kind for kind, (_, lines) in PLANTED.items() if any(line in kept for line in lines)] == []
