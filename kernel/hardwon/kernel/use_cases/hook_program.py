"""The hook program as it stands in a home: one file that needs nothing of this installation, and the data beside it.

Its command line never changes, since Codex trusts a hook by the hash of it, and names the interpreter that this
installation was made with: the folder of a package cache or of a virtual environment may vanish, that one stays.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel import background
from hardwon.kernel.confidence import as_data
from hardwon.kernel.errors import InvalidInput, StoreError
from hardwon.kernel.hook.data import CONFIG, FILE, FORMAT_VERSION, stamp_of
from hardwon.kernel.hook.program import LAST_ERROR
from hardwon.kernel.hook.uses import FILE as USES
from hardwon.kernel.project_names import DOCUMENT
from hardwon.kernel.records import Problem
from hardwon.kernel.use_cases.hook_assembly import assembled, stamps_of
from hardwon.kernel.use_cases.spooled import LOCK_FILE
from hardwon.kernel.use_cases.usage import evidence, forget_uses, uses
from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hardwon.kernel.home import Home

PROGRAM = "hook/hook"
MADE_OF = "hook/made-of.json"
"""The modules that the program was assembled from: after an upgrade they are others."""
WRITING = "hook/lock"
"""Held by whoever writes the program and its data."""
PATIENCE = 30.0
"""Seconds that another writer is waited for, who may be compiling."""
MOUNTS = "mounts"
"""By this name the half of the hook program that reads mounted folders is registered."""
WORKER = "hardwon.kernel.use_cases.capture_process"
DEADLINE = 1.0
"""Seconds."""
COMPILING = 10.0
"""Seconds that the program may take to compile itself; its own deadline is shorter."""
SESSION_BUDGET = 400
"""Tokens at the start of a session."""


def hook_command(home: Path, harness: str) -> str:
    """Return the command line by which a harness runs the hook program, as a shell reads it."""
    return shlex.join([_base_python(), "-I", "-S", str(home / PROGRAM), harness])


def _base_python() -> str:
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def write_hook(home: Home, paused: Sequence[Mapping[str, Any]] | None = None) -> list[str]:
    """Bring the hook program and its data up to date; return what was changed, a sentence each.

    `paused` takes the place of the pauses that hold now; without it they stay.

    Raises StoreError, InvalidInput for settings or a list of projects that cannot be read.
    """
    (home.path / PROGRAM).parent.mkdir(mode=0o700, exist_ok=True)
    # Else a worker that renews the data would write back the pauses of a moment ago over one that began since.
    with background.alone(home.path / WRITING, PATIENCE) as free:
        if not free:
            raise StoreError(f"Another process has been writing the hook program for {PATIENCE:.0f} s; try it again.")
        return _write_all(home, paused)


def _write_all(home: Home, paused: Sequence[Mapping[str, Any]] | None) -> list[str]:
    # Assembling takes a second: who only begins a pause does not wait for it.
    changed = [] if paused is not None and _is_made_of_what_is_here(home) else _write_program(home)
    if _write(home.path / FILE, json.dumps(hook_data(home, paused), ensure_ascii=False, indent=1) + "\n"):
        changed.append(f"What the hook program goes by, {home.path / FILE}, was written.")
    write_uses(home)
    return changed


def _write_program(home: Home) -> list[str]:
    program = assembled(_carried_modules(home))
    changed = []
    if _write(home.path / PROGRAM, program.text):
        _compile(home.path / PROGRAM)
        changed.append(f"The hook program {home.path / PROGRAM} was written.")
    _write(home.path / MADE_OF, json.dumps({"format": FORMAT_VERSION, "modules": program.stamps}, indent=1) + "\n")
    return changed


def tell_hook(home: Home) -> None:
    """Let feedback and evidence count at the next prompt; where that cannot be written, it counts everywhere else.

    The year's ledger is read for it: once after many changes, not after each.
    """
    forget_uses(home)
    with contextlib.suppress(OSError):
        write_uses(home)


def write_uses(home: Home) -> None:
    """Tell the hook program what users made of memories. A home that no `setup` wired is left alone."""
    if (home.path / FILE).is_file():
        content = {
            "format": FORMAT_VERSION,
            "uses": dict(sorted(uses(home).items())),
            "evidence": as_data(evidence(home)),
        }
        _write(home.path / USES, json.dumps(content) + "\n")


def refresh_hook(home: Home) -> bool:
    """Write the hook program and its data anew where hardwon, the settings or the list of projects changed since.

    Return whether that was so. A home that no `setup` wired is left alone. Raises StoreError, InvalidInput.
    """
    kept = _kept(home)
    same_data = (kept.get("config"), kept.get("names_stamp")) == _stamps(home)
    if not kept or (same_data and _is_made_of_what_is_here(home)):
        return False
    write_hook(home)
    return True


def _is_made_of_what_is_here(home: Home) -> bool:
    """Tell whether the program is there, made of the modules as they are now."""
    made_of = _kept(home, MADE_OF).get("modules", {})
    return (home.path / PROGRAM).is_file() and bool(made_of) and made_of == _now(made_of)


def _now(modules: Iterable[str]) -> Mapping[str, Any]:
    """Return the stamps of modules as they are now; nothing where one is gone."""
    try:
        return stamps_of(modules)
    except (InvalidInput, ImportError):
        return {}


def hook_problems(home: Home) -> list[Problem]:
    """Return what is wrong with the hook program of a home that `setup` wired. Raises StoreError."""
    if not (home.path / FILE).is_file():
        return []
    problems = []
    noted = home.path / LAST_ERROR
    if noted.is_file():
        told = " ".join(noted.read_text(encoding="utf-8", errors="replace").split())
        what = f"An event was not served ({told[:300]}); remove this file, and report it if it comes again."
        problems.append(Problem(where=str(noted), what=what))
    program = home.path / PROGRAM
    if not program.is_file() or program.read_text(encoding="utf-8") != assembled(_carried_modules(home)).text:
        what = "It is not the one of this hardwon; run `hardwon setup` to write it anew."
        problems.append(Problem(where=str(program), what=what))
    worker = _kept(home).get("worker") or [""]
    if not os.access(worker[0], os.X_OK):
        what = f"The Python of the background worker, {worker[0]}, is gone; run `hardwon setup` to name another."
        problems.append(Problem(where=str(home.path / FILE), what=what))
    return problems


def _stamps(home: Home) -> tuple[dict[str, int] | None, dict[str, int] | None]:
    """Return what tells the versions of the settings and of the list of projects from others."""
    return stamp_of(str(home.path / CONFIG)), stamp_of(str(home.path / "memory" / DOCUMENT))


def _compile(program: Path) -> None:
    """Let the program compile itself now, so that no session's start has to wait for it; it can do so later too."""
    command = [_base_python(), "-I", "-S", str(program)]
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMPILING, check=False)  # noqa: S603 - ours


def _write(path: Path, text: str) -> bool:
    """Put a whole file in place, for its owner alone, if it differs; tell whether it did."""
    content = text.encode()
    if path.is_file() and path.read_bytes() == content:
        return False
    write_whole(path, content, durable=True)
    return True


def _store_modules(home: Home) -> list[str]:
    """Return the modules by which the store of the settings is read; none where it has no part in the hook program."""
    return list(home.registry.all("hook_modules").get(home.settings.store, ()))


def _mount_modules(home: Home) -> list[str]:
    """Return the modules by which mounted folders are read."""
    return list(home.registry.all("hook_modules").get(MOUNTS, ()))


def _carried_modules(home: Home) -> list[str]:
    return [*_store_modules(home), *_mount_modules(home)]


def hook_data(home: Home, paused: Sequence[Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Return what the hook program goes by (docs/reference/hook-program.md)."""
    from hardwon.kernel.use_cases.projects import load_projects

    settings = home.settings
    config, names_stamp = _stamps(home)
    modules, mounts = _store_modules(home), _mount_modules(home)
    return {
        "format": FORMAT_VERSION,
        "worker": [sys.executable, "-P", "-m", WORKER, str(home.path)],
        "worker_lock": LOCK_FILE,
        "reader": modules[-1] if modules else None,
        "mount_reader": mounts[-1] if mounts else None,
        "config": config,
        "settings": {
            "limit": settings.recall.limit,
            "budget": settings.recall.budget,
            "session_budget": SESSION_BUDGET,
            "deadline": DEADLINE,
            "language": settings.language,
        },
        "paused": pauses(home) if paused is None else list(paused),
        "projects": {key: {"capture": each.capture, "recall": each.recall} for key, each in settings.projects.items()},
        "names": dict(load_projects(home).aliases) if names_stamp else {},
        "names_stamp": names_stamp,
        "harnesses": {name: _table(home, name) for name in sorted(home.registry.all("harnesses"))},
    }


def _table(home: Home, name: str) -> dict[str, Any]:
    adapter = home.registry.get("harnesses", name)
    table = {**adapter.hook_table(), "tools": bool(adapter.tools())}
    own = home.settings.harnesses.get(name)
    return table if own is None else table | {"capture": own.capture, "recall": own.recall, "subagents": own.subagents}


def pauses(home: Home) -> list[dict[str, Any]]:
    """Return the pauses as they were set, those that are over among them."""
    paused: list[dict[str, Any]] = _kept(home).get("paused", [])
    return paused


def _kept(home: Home, name: str = FILE) -> dict[str, Any]:
    """Return what was written there; nothing where there are none or nobody can read them."""
    try:
        kept = json.loads((home.path / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) and kept.get("format") == FORMAT_VERSION else {}
