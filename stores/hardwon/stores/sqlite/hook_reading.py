"""The SQLite store's half of the hook program: the file itself, which others may be writing meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardwon.stores.hook.reader import opened, read
from hardwon.stores.hook.shelf import Shelf
from hardwon.stores.sql.format import FORMAT_KEY, FORMAT_VERSION
from hardwon.stores.sqlite.file_name import FILE_NAME

if TYPE_CHECKING:
    from hardwon.kernel.hook.deadline import Deadline
    from hardwon.kernel.hook.place import Place
    from hardwon.stores.hook.reader import ShelfReader


def open_reader(home: str, agent: str, place: Place, language: str, deadline: Deadline) -> ShelfReader | None:
    """Open the file of a home; None where it cannot be read now."""
    connection = opened(home, FILE_NAME, (FORMAT_KEY, str(FORMAT_VERSION)), deadline)
    return None if connection is None else read(home, connection, Shelf, agent, place, language)
