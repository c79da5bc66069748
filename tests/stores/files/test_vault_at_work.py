"""An editor and a sync tool work on the vault while hardwon writes to the same files: nothing of anyone is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from hardwon.kernel.query import Filter
from hardwon.testing.examples import memory

from .conftest import Open, git

SAVES = 40
"""Of the editor, and of the sync tool."""

EDITOR = """
# Saves as Obsidian with a linter does: reads the note, adds a line, writes lists its own way, renames over.
import json, os, random, re, sys
from pathlib import Path

folder, saves = Path(sys.argv[1]), int(sys.argv[2])
random.seed(1)
done = []
sys.stdin.readline()
for number in range(saves):
    path = random.choice(sorted(folder.glob("*-edited-*.md")))
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^tags: \\\\[(.*)\\\\]$", lambda found: "tags:\\n" + "".join(
        f"  - {tag.strip()}\\n" for tag in found[1].split(",")).rstrip("\\n"), text)
    aside = path.with_name(f".{path.name}.tmp")
    aside.write_text(f"{text}edit {number}.\\n", encoding="utf-8")
    os.replace(aside, path)
    done.append([path.name, f"edit {number}."])
print(json.dumps(done))
"""

SYNC_TOOL = """
# Brings what another device wrote, as Syncthing does: a hidden temporary file, renamed over; where the note is not as
# this device last saw it, a copy in conflict.
import json, os, random, sys
from pathlib import Path

folder, saves = Path(sys.argv[1]), int(sys.argv[2])
random.seed(2)
done = []
sys.stdin.readline()
for number in range(saves):
    path = random.choice(sorted(each for each in folder.glob("*-synced-*.md") if "sync-conflict" not in each.name))
    text = path.read_text(encoding="utf-8")
    aside = path.with_name(f".syncthing.{path.name}.tmp")
    aside.write_text(f"{text}remote {number}.\\n", encoding="utf-8")
    if number % 10 == 0:
        path = path.with_name(f"{path.stem}.sync-conflict-20260316-1011{number:02}-ABCDEF7.md")
    os.replace(aside, path)
    done.append([path.name, f"remote {number}."])
print(json.dumps(done))
"""

HARDWON = """
import json, random, sys
from pathlib import Path

from hardwon.kernel.errors import Conflict
from hardwon.kernel.home import Home
from hardwon.testing.examples import memory

home, ids, until = Home(Path(sys.argv[1])), sys.argv[2].split(","), Path(sys.argv[3])
memories = home.storage.memories
random.seed(3)
done, conflicts, number = [], 0, 0
print("ready", flush=True)
while not until.exists():
    number += 1
    id = random.choice(ids)
    try:
        known = memories.get([id])[id]
        memories.update(id, {"tags": (f"t{number}", *known.tags[:3])})
        done.append(f"t{number}")
        if number % 5 == 0:
            memories.put([memory(f"New {number}.", "shop")])
            done.append(f"New {number}.")
    except Conflict:
        conflicts += 1
print(json.dumps({"done": done, "conflicts": conflicts}), flush=True)
home.close()
"""


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def test_an_editor_a_sync_tool_and_hardwon_at_once_lose_nothing(
    open_store: Open, home_path: Path, memory_folder: Path
) -> None:
    """Every line that was saved stands in its note; every change that hardwon acknowledged stands in the history."""
    storage = open_store()
    notes = [memory(f"{who.capitalize()} {number}", "shop") for who in ("edited", "synced") for number in range(3)]
    entries = storage.memories.put(notes)
    folder = memory_folder / "digest" / "shop"
    for path in list(folder.iterdir()):
        who = "edited" if path.name.startswith("edited") else "synced"
        path.rename(path.with_name(f"note-{who}-{path.name}"))
    stop = home_path / "stop"
    ours = start(HARDWON, home_path, ",".join(entry.id for entry in entries), stop)
    assert ours.stdout is not None
    assert ours.stdout.readline() == "ready\n"
    others = [start(EDITOR, folder, SAVES), start(SYNC_TOOL, folder, SAVES)]
    saved = [pair for each in others for pair in json.loads(each.communicate("go\n", timeout=120)[0])]
    stop.touch()
    acknowledged: dict[str, Any] = json.loads(ours.communicate(timeout=120)[0])
    assert len(saved) == 2 * SAVES
    assert acknowledged["done"]
    lost = [(name, line) for name, line in saved if line not in (folder / name).read_text(encoding="utf-8")]
    assert lost == []
    storage = open_store()
    storage.memories.put([memory("Afterwards.")])
    history = git(memory_folder, "log", "-p", "--format=%an %s")
    assert [each for each in acknowledged["done"] if each not in history] == []
    kept = {entry.id: entry for entry in storage.memories.scan(Filter(statuses=None))}
    assert {entry.id for entry in entries} <= set(kept)
    for name, line in saved:
        if "sync-conflict" not in name:
            [holder] = [entry for entry in kept.values() if name.endswith(f"{entry.id}.md")]
            assert line in holder.content
    assert git(memory_folder, "status", "--short") == ""
