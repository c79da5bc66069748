"""Commands that move the memory as a whole: into another store, into a backup and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hardwon.cli.paths import expanded
from hardwon.cli.views import part_label, problem_lines, size_text
from hardwon.kernel.actions import Report
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from hardwon.kernel.use_cases.moving.migrating import Migration


def migrate(
    home: Home,
    url: Annotated[str, "where the new store lies, if not in the home: a URL without a password"] = "",
    *,
    to: Annotated[str, "the store to move to: files, sqlite, postgres, or a plugin's"],
    afresh: Annotated[bool, "set aside what lies in the new store's place, instead of refusing"] = False,
) -> Report:
    """Move the memory into another store, compare both, and let the settings name the new one; the old one stays.

    What is written meanwhile is moved too, or refused with a sentence. After a kill, repeat the command: it goes on.
    """
    from hardwon.kernel.use_cases.moving.migrating import migrate as move

    moved = move(home, to, url, afresh=afresh)
    unequal = [part for part in moved.parts if not part.is_equal]
    return Report(_data(moved), _text(home, moved), failed=bool(moved.problems or unequal))


def _data(moved: Migration) -> dict[str, Any]:
    return {
        "from": moved.source,
        "to": moved.target,
        "went_on": moved.went_on,
        "seconds": round(moved.seconds, 3),
        "held": round(moved.held, 3),
        "parts": [
            {"part": each.part, "number": each.number, "sha256": each.digest, "equal": each.is_equal}
            for each in moved.parts
        ],
        "left": [str(path) for path in moved.left],
        "aside": str(moved.aside) if moved.aside else None,
        "problems": list(moved.problems),
    }


def _text(home: Home, moved: Migration) -> str:
    beginning = "Went on and moved" if moved.went_on else "Moved"
    lines = [
        f"{beginning} the memory from {moved.source} to {moved.target} in {moved.seconds:,.1f} s; writers had to wait "
        f"for {moved.held:,.1f} s of it.\n",
        "| | number | equal |",
        "|---|---:|---|",
        *(
            f"| {part_label(each.part)} | {each.number:,} | {'yes' if each.is_equal else 'NO'} |"
            for each in moved.parts
        ),
    ]
    lines.append(
        f"\nThe old store {_left(home, moved)}. To go back to it, without what comes from now on, set "
        f'`store = "{moved.source}"` in `{home.path / "config.toml"}`.'
    )
    if moved.aside:
        lines.append(f"\nWhat lay in the new store's place lies in `{moved.aside}` now.")
    if moved.problems:
        lines.append(f"\nLeft in the old store, or as it was when it could be read:\n\n{problem_lines(moved.problems)}")
    return "\n".join(lines)


def _left(home: Home, moved: Migration) -> str:
    """Return where the old store lies."""
    if moved.left:
        return f"lies as it was in `{moved.left[0]}`"
    if moved.source in type(home.settings).model_fields:
        return f"stays as it was on the server that `[{moved.source}]` of the settings names"
    return f"stays as it was, where `{moved.source}` keeps it"


def backup(
    home: Home,
    path: Annotated[str, "the file to write, or a folder to write one into; one that ends with / is made"],
) -> Report:
    """Write the whole memory into one file, as of one moment, while others go on writing."""
    from hardwon.kernel.use_cases.moving.backing_up import back_up

    to = expanded(Path(path))
    if path.endswith("/") and not to.exists():
        home.require()
        to.mkdir(mode=0o700, parents=True)
    made = back_up(home, to)
    data = {
        "path": str(made.path),
        "store": made.manifest.store,
        "files": len(made.manifest.files),
        "bytes": made.size,
        "left_out": list(made.problems),
    }
    text = f"Wrote `{made.path}` ({size_text(made.size)}), for you alone. `hardwon restore --check` reads it whole."
    if made.problems:
        text += f"\n\nLeft out:\n\n{problem_lines(made.problems)}"
    return Report(data, text, failed=bool(made.problems))


def restore(
    home: Home,
    path: Annotated[Path, "a backup"],
    *,
    check: Annotated[bool, "only read it whole, and change nothing"] = False,
    replace: Annotated[bool, "set a home that is there aside, instead of refusing"] = False,
) -> Report:
    """Bring a home back from a backup, which is checked first."""
    from hardwon.kernel.use_cases.moving.bringing_back import bring_back, check_backup

    home.refuse_newer()
    path = expanded(path)
    found = check_backup(home, path) if check else bring_back(home, path, replace=replace)
    data = {
        "home": str(home.path),
        "checked_only": check,
        "store": found.manifest.store,
        "made": found.manifest.made,
        "counts": found.counts,
        "aside": str(found.aside) if found.aside else None,
        "problems": list(found.problems),
    }
    rows = "\n".join(f"| {part_label(part)} | {number:,} |" for part, number in found.counts.items())
    done = f"`{path}` is whole" if check else f"Brought `{home.path}` back"
    text = f"{done}: store {found.manifest.store}, as of {found.manifest.made}.\n\n| | |\n|---|---:|\n{rows}"
    if found.aside:
        text += f"\n\nThe home that was there lies in `{found.aside}` now."
    if found.problems:
        text += f"\n\nWhat cannot be read in it:\n\n{problem_lines(found.problems)}"
    return Report(data, text, failed=bool(found.problems))
