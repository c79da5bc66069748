"""Codex runs no hook that the user has not trusted: what is left to them is told, and nothing is granted for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon_codex.adapter import Codex
from hardwon_codex.trust import has_untrusted_hook

HASHED = {
    "session_start": "sha256:41e2d78e5ff5ec9b9a4b4d53848307864f6da4d8ec48a9d55adc26598205ebdc",
    "session_end": "sha256:a3f4e0aebd088a3f9cfee0364f659dc160b414092ae1da7f2fe2a8421bd55eff",
    "user_prompt_submit": "sha256:74ff714f37e8cf4579dd53ef50437f435f03cdeb2fbc4f6a5f78d12859353332",
    "stop": "sha256:c8e3d22193c8b5996ce283ce73e8c0f727c9f2fc28d9c510a6cb71d7faf502ca",
}
"""What `hooks/list` of Codex 0.171.0 called the current hashes of COMMAND at these events."""
COMMAND = "/root/.pyenv/versions/3.11.7/bin/python3.11 -I -S '/tmp/adapters/cx/mémoire/hook/hook' codex || true"
EVENTS = {
    "session_start": "SessionStart",
    "session_end": "SessionEnd",
    "user_prompt_submit": "UserPromptSubmit",
    "stop": "Stop",
}


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    """Return the hooks that were hashed; ours at Stop stands behind somebody else's."""
    other = {"hooks": [{"type": "command", "command": "true", "timeout": 5}]}
    groups = {
        EVENTS[name]: [
            {"hooks": [{"type": "command", "command": COMMAND, "timeout": 3 if name == "session_end" else 5}]}
        ]
        for name in HASHED
    }
    groups["Stop"].insert(0, other)
    path = tmp_path / "hooks.json"
    path.write_text(json.dumps({"hooks": groups}), encoding="utf-8")
    return path


def trust(hooks: Path, hashed: dict[str, str]) -> Path:
    """Write the state as Codex does."""
    path = hooks.with_name("config.toml")
    lines = ["[hooks.state]\n"]
    for name, value in hashed.items():
        lines += [f'[hooks.state."{hooks}:{name}:{1 if name == "stop" else 0}:0"]\n', f'trusted_hash = "{value}"\n']
    path.write_text("".join(lines), encoding="utf-8")
    return path


def test_hooks_are_trusted_by_the_hashes_that_codex_gives(hooks: Path) -> None:
    assert has_untrusted_hook(hooks, hooks.with_name("missing.toml"), "codex")
    assert not has_untrusted_hook(hooks, trust(hooks, HASHED), "codex")
    assert has_untrusted_hook(hooks, trust(hooks, {**HASHED, "stop": "sha256:0"}), "codex")
    assert has_untrusted_hook(hooks, trust(hooks, {"stop": HASHED["stop"]}), "codex")


def test_a_config_that_is_not_valid_trusts_nothing(hooks: Path) -> None:
    path = hooks.with_name("config.toml")
    for text in ("[hooks", "hooks = 3\n", "[hooks]\nstate = 3\n", '[hooks.state]\n"x" = 3\n'):
        path.write_text(text, encoding="utf-8")
        assert has_untrusted_hook(hooks, path, "codex")


def test_setup_says_what_is_left_to_do_and_trusts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    Codex().install(tmp_path / "home")
    assert "/hooks" in Codex().status()["to_do"][0]
    assert b"trusted_hash" not in b"".join(path.read_bytes() for path in (tmp_path / "codex").glob("*.*"))


def test_no_time_out_is_longer_than_codex_allows_or_a_person_waits() -> None:
    """In seconds; at a session's end it allows three and warns of more."""
    timeouts = Codex.table.timeouts
    assert timeouts["SessionEnd"] <= 3
    assert max(timeouts.values()) <= 5
