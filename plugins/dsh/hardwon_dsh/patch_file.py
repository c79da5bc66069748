"""PatchFile: `cordis.patch.yml` in DSH's home, the user's changes to what DSH is composed of, and our row in it.

The file is a list in YAML. DSH does not start with one that is none, nor with a row whose module is missing: ours is
disabled then. It stands at the end between two comments, by which it is found again; every other byte is left as it is.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from hardwon.kernel.errors import InvalidInput

if TYPE_CHECKING:
    from hardwon_command_hooks.wiring_record import Kept

ID = "hardwon"
BEGIN = "# hardwon begins here; `hardwon unset dsh` takes these lines out."
END = "# hardwon ends here."
_BLOCK = re.compile(rf"^[ \t]*{re.escape(BEGIN)}\r?\n(?:.*\n)*?[ \t]*{re.escape(END)}(?:\r?\n|\Z)", re.MULTILINE)
_ROW = """{indent}{begin}
{indent}- insert:
{indent}    - id: {id}
{indent}      name: {module}
{indent}      disabled: !!js '{missing}'
{indent}{end}
"""


@dataclass(frozen=True)
class PatchFile:
    """The file, wired by one row that names our module."""

    path: Path
    module: Path
    """Our plugin's entry, by its absolute path."""

    def wired(self, content: bytes | None, home: Path, kept: Kept | None) -> bytes:
        """Return the list with our row at its end."""
        text = self._text(content)
        found = _BLOCK.search(text)
        if found and found[0].strip() == self._row("", "\n").strip().replace("\n", _line_end(text)):
            return content or b""
        rest = _BLOCK.sub("", text)
        return self._with_row(rest).encode("utf-8")

    def unwired(self, content: bytes, kept: Kept | None) -> bytes | None:
        """Return the list without our row; the bytes from before where nothing else was changed since."""
        text = self._text(content)
        if not _BLOCK.search(text):
            return content
        rest = _BLOCK.sub("", text)
        if kept and rest == _BLOCK.sub("", self._with_row(self._text(kept.before))):
            return kept.before
        # A file without a list keeps DSH from starting.
        return (rest if self._list(rest) else _BLOCK.sub("[]" + _line_end(text), text)).encode("utf-8")

    def home(self, content: bytes | None) -> Path | None:
        """Return None: the row is the same for every home."""
        return None

    def _with_row(self, text: str) -> str:
        listed = self._list(text)
        line_end = _line_end(text)
        if listed is None or listed.flow_style:
            start, end = (listed.start_mark.index, listed.end_mark.index) if listed else (len(text), len(text))
            before, behind = text[:start], text[end:].lstrip(" \t")
            return _ended(before, line_end) + self._row("", line_end) + behind.removeprefix("\r").removeprefix("\n")
        return _ended(text, line_end) + self._row(" " * listed.start_mark.column, line_end)

    def _row(self, indent: str, line_end: str) -> str:
        module = json.dumps(self.module.as_uri())  # No character of a URI needs to be quoted in YAML.
        missing = f'!process.getBuiltinModule("fs").existsSync(new URL({module}))'
        row = _ROW.format(indent=indent, begin=BEGIN, id=ID, module=module, missing=missing, end=END)
        return row.replace("\n", line_end)

    def _list(self, text: str) -> yaml.SequenceNode | None:
        """Return the list that the file holds, None where it holds nothing. Raises InvalidInput for anything else."""
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            raise self._invalid(" ".join(str(error).split())) from None
        if node is None:
            return None
        if not isinstance(node, yaml.SequenceNode):
            raise self._invalid("it is no list")
        if node.flow_style and node.value:
            raise self._invalid("its list is written in brackets; write each row on lines of its own")
        if re.search(r"^(\.\.\.|---)\s*$", text[node.start_mark.index :], re.MULTILINE):
            raise self._invalid("something stands behind the list")
        return node

    def _text(self, content: bytes | None) -> str:
        try:
            text = (content or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._invalid(str(error)) from None
        self._list(text)
        return text

    def _invalid(self, reason: str) -> InvalidInput:
        return InvalidInput(f"{self.path} cannot be changed ({reason}); mend it first, it was left as it is.")


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _ended(text: str, line_end: str) -> str:
    """Return a text whose last line, if it has one, is ended."""
    return text if not text or text == "\ufeff" or text.endswith("\n") else text + line_end
