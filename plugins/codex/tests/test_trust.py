"""Codex runs no hook that the user has not trusted: what is left to them is told, and nothing is granted for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardwon_codex.adapter import Codex
from hardwon_codex.trust import has_untrusted_hook

HASHED = {
    "session_start": "sha256:250a2a3572c4422a5e63125c2e2d93019f9e01aee35768cf11f0401d23d4a797",
    "session_end": "sha256:7b7b790649971116e23d62d249b8425bf9de3aca86c4470f7cc4e79d3048f31a",
    "user_prompt_submit": "sha256:125f12589ebc8c2baffb2afaa29fab93661340f79bc6a9509b917864d08a1c45",
    "stop": "sha256:efd1cf4555a6fcac5c3c1401e2feb72e63ae9d15bb5db14f17ee3d9fc647379b",
}
"""What `hooks/list` of Codex 0.171.0 called the current hashes of COMMAND at these events."""
COMMAND = "/usr/bin/python3 -I -S '/home/user/mémoire/hook/hook' codex || true"
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
    assert has_untrusted_hook(hooks, trust(hooks, {**HASHED, "stop": HASHED["session_end"]}), "codex")
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
