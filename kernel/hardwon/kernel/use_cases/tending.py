"""What a store makes of the memories when there is time, such as a page a topic: after a run, and after a session."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hardwon.kernel.errors import Conflict, StoreBusy
from hardwon.kernel.ports import Tended

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def tend(home: Home) -> None:
    """Let the store make what is due; where somebody else is writing, the next run does. Raises StoreError."""
    storage = home.storage
    if isinstance(storage, Tended):
        with contextlib.suppress(StoreBusy, Conflict):
            storage.tend()
