"""A decision as a file, `decisions/<id>.md`: every value in the front matter, a sentence for people below it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from hardwon.kernel.errors import UnreadableFile
from hardwon.kernel.proposal import Decision
from hardwon.stores.files.notes.frontmatter import FORMAT_KEY, parse
from hardwon.stores.files.notes.frontmatter_writer import write_block
from hardwon.stores.files.notes.layout import id_in_name
from hardwon.stores.files.room import roomy, take_room

if TYPE_CHECKING:
    from hardwon.stores.files.workspace import Workspace

FOLDER = "decisions"
FORMAT_VERSION = 1


def is_decision(path: str) -> bool:
    """Tell whether a file at this path below memory/ is a decision."""
    return path.startswith(f"{FOLDER}/") and path.endswith(".md")


def decision_path(workspace: Workspace, id: str) -> str:
    """Return where a new decision goes; a folder that is full goes on below itself, as with memories."""
    path = f"{roomy(workspace, FOLDER, id)}/{id_in_name(id)}.md"
    take_room(workspace, path)
    return path


def write_decision(decision: Decision) -> bytes:
    """Return the file of a decision."""
    plain = decision.model_dump(mode="python", exclude_none=True)
    values: dict[str, Any] = {FORMAT_KEY: FORMAT_VERSION}
    values |= {key: value for key, value in plain.items() if value not in ("", {}, ())}
    said = f"{decision.action.capitalize()} by {decision.by}, {decision.at:%Y-%m-%d %H:%M}: {decision.proposal}"
    texts = [f"# {said}", decision.after or decision.before, decision.why]
    return (write_block(values) + "\n\n".join(text for text in texts if text) + "\n").encode("utf-8")


def read_decision(data: bytes, path: str) -> Decision:
    """Return the decision in a file. Raises UnreadableFile."""
    file = parse(data, path)
    file.refuse_newer(FORMAT_VERSION, path)
    values = file.values()
    try:
        known = {key: value for key, value in values.items() if key in Decision.model_fields and value is not None}
        return Decision.model_validate(known)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise UnreadableFile(path, f"as a decision, its {field} is wrong: {first['msg']}", 1) from None
