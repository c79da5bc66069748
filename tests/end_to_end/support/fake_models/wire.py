"""What the fake model's server and the protocols agree on: requests as they came, and answers to be written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Json = Any
Body = Mapping[str, Any]


@dataclass(frozen=True)
class Tool:
    """A tool that a request offers."""

    name: str
    within: str = ""
    """A namespace, or another tool through which this one is called."""


@dataclass(frozen=True)
class Say:
    """An answer in words."""

    words: str


@dataclass(frozen=True)
class Use:
    """An answer that calls a tool."""

    tool: Tool
    arguments: Mapping[str, Any]
    number: int
    """Distinguishes the calls of one session."""


@dataclass(frozen=True)
class Event:
    """One server-sent event."""

    data: Json
    name: str = ""


@dataclass(frozen=True)
class Asked:
    """One request for an answer, as it came. Headers, and so keys, are never kept."""

    path: str
    body: Body
    tools: tuple[Tool, ...]

    def strings(self) -> Iterator[str]:
        """Walk every text in the request but those that describe the tools."""
        return strings_in({name: value for name, value in self.body.items() if name != "tools"})

    def holding(self, words: str) -> list[str]:
        """Return the texts in the request that hold these words."""
        return [text for text in self.strings() if words in text]

    def offers(self, ending: str) -> Tool | None:
        """Return the tool whose name ends so, whatever the harness puts before it."""
        return next((tool for tool in self.tools if tool.name.endswith(ending)), None)


class Wire(Protocol):
    """How one protocol writes requests and answers."""

    def asks(self, path: str) -> bool:
        """Tell whether a request to this path wants the model's answer."""
        ...

    def tools(self, body: Body) -> Iterator[Tool]:
        """Walk the tools that the request offers."""
        ...

    def streams(self, path: str, body: Body) -> bool:
        """Tell whether the answer is wanted as a stream of events."""
        ...

    def whole(self, body: Body, answer: Say | Use) -> Json:
        """Return the answer as one JSON value."""
        ...

    def stream(self, whole: Json) -> Iterator[Event]:
        """Walk the events that make up an answer."""
        ...

    def other(self, path: str) -> Json:
        """Return the answer to any other request, such as one for the number of tokens."""
        ...


def strings_in(value: Json) -> Iterator[str]:
    """Walk every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)
