"""Tells whether the user has trusted our hooks: Codex runs no other. It is never granted from here.

What is trusted is the SHA-256 of a hook's event, matcher, command and time-out, kept in `config.toml` under the hook's
place (codex-rs, hooks/src/engine/discovery.rs and config/src/fingerprint.rs; checked against Codex 0.171.0).
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hardwon_command_hooks.hook_command import home_of

DEFAULT_TIMEOUT = 600
"""Seconds that Codex gives a hook that names no time-out."""


def has_untrusted_hook(hooks: Path, config: Path, harness: str) -> bool:
    """Tell whether one of our hooks is not trusted as it stands."""
    trusted = _trusted(config)
    return any(trusted.get(key) != wanted for key, wanted in _hashes(hooks, harness))


def _trusted(config: Path) -> dict[str, str]:
    """Return the hashes that the user trusts, by the hooks' places."""
    try:
        state = tomllib.loads(config.read_text(encoding="utf-8"))["hooks"]["state"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    if not isinstance(state, Mapping):
        return {}
    return {key: str(each.get("trusted_hash")) for key, each in state.items() if isinstance(each, Mapping)}


def _hashes(hooks: Path, harness: str) -> Iterator[tuple[str, str]]:
    """Walk our hooks: each one's place and its hash; what has another form is somebody else's and passed over."""
    for event, groups in json.loads(hooks.read_bytes())["hooks"].items():
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
        for number, group in _objects(groups):
            for place, hook in _objects(group.get("hooks")):
                if home_of(hook.get("command"), harness) is not None:
                    yield f"{hooks}:{name}:{number}:{place}", _hash(name, group.get("matcher"), hook)


def _objects(values: object) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Walk the objects in a list with their places."""
    for place, value in enumerate(values if isinstance(values, list) else ()):
        if isinstance(value, dict):
            yield place, value


def _hash(event: str, matcher: str | None, hook: Mapping[str, Any]) -> str:
    timeout = hook.get("timeout", DEFAULT_TIMEOUT)
    handler = {"type": "command", "command": hook["command"], "timeout": timeout, "async": False}
    identity = {"event_name": event, "hooks": [handler], **({} if matcher is None else {"matcher": matcher})}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8')).hexdigest()}"
