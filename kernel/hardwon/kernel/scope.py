"""Where a memory holds: the scope, and the context of a reader that it is held against."""

from __future__ import annotations

import re
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from hardwon.kernel.errors import InvalidInput

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)


class Visibility(StrEnum):
    """Who else may read or write: an aid to cooperation, never a security boundary by itself."""

    PRIVATE = "private"
    SHARED_READ = "shared-read"
    SHARED_APPEND = "shared-append"
    SHARED_WRITE = "shared-write"


class AppliesWhen(Value):
    """Narrows a scope: the memory holds where one of each non-empty list is present."""

    languages: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


class Scope(Value):
    """Where a memory holds. No project: everywhere; no agent: any agent."""

    namespace: str = "default"
    project: str | None = None
    agent: str | None = None
    applies_when: AppliesWhen = AppliesWhen()

    def __str__(self) -> str:
        """Write it as `global` or `project:<key>`."""
        return f"project:{self.project}" if self.project else "global"

    @classmethod
    def parse(cls, text: str, namespace: str = "default") -> Scope:
        """Read `global`, `project:<key>` or `project:<key>/<package>`.

        Raises InvalidInput for any other form.
        """
        if text == "global":
            return cls(namespace=namespace)
        kind, _, key = text.partition(":")
        if kind != "project" or not key.strip() or _CONTROL.search(key):
            raise InvalidInput(f"“{text[:60]}” is no scope; write global or project:<key>.")
        return cls(namespace=namespace, project=key.strip())


class Context(Value):
    """What is known of a reader's situation, to weigh scopes by."""

    project: str | None = None
    namespace: str = "default"
    agent: str | None = None
    languages: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
