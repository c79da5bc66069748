"""StandIn: an object before another one. What it does not do itself, that one does."""

from __future__ import annotations

from typing import Any


class StandIn:
    """Stands before something; protocols that this meets are met by the stand-in too."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        # In the instance itself: protocols are checked without asking `__getattr__`.
        for name in dir(type(inner)):
            if not name.startswith("_") and not hasattr(type(self), name) and callable(getattr(type(inner), name)):
                self.__dict__[name] = getattr(inner, name)
        for name in getattr(inner, "__dict__", {}):
            if not name.startswith("_") and not hasattr(type(self), name) and callable(inner.__dict__[name]):
                self.__dict__[name] = inner.__dict__[name]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_inner"], name)
