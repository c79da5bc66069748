"""The hook program's course: one event in, one JSON object or nothing out; whatever happens, the session goes on."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hardwon.kernel.hook.data import changed_settings, read_data
from hardwon.kernel.hook.deadline import Deadline
from hardwon.kernel.hook.repository import repository_settings
from hardwon.kernel.hook.standard_input import read_object
from hardwon.kernel.hook.switches import switches
from hardwon.kernel.hook.tables import PROMPT, SESSION_END, SESSION_START, TURN_END, Event, answer, event_of
from hardwon.kernel.hook.worker import OFF, start_worker

FORMAT_VERSION = 1
"""Of the home; as in `hardwon.kernel.home`."""
LAST_ERROR = "hook/last-error"


def main(home: str, arguments: Sequence[str]) -> None:
    """Serve the one event that stands on standard input."""
    if os.environ.get(OFF, "").casefold() == "off" or not arguments or not _is_known_format(home):
        return
    data = read_data(home)
    table = data and data["harnesses"].get(arguments[0])
    if not data or not table:
        return
    try:
        deadline = Deadline(data["settings"].get("deadline", 1.0))
        payload = read_object(0)
        event = event_of(table, payload) if payload else None
        if event:
            serve(home, arguments[0], data, event, deadline)
    except Exception as error:  # A session must go on; `doctor` tells what happened.
        _note(home, error)


def serve(home: str, harness: str, data: dict[str, Any], event: Event, deadline: Deadline) -> None:
    """Serve an event for the home that its repository names; where that is another one, this one learns nothing."""
    repository = repository_settings(event.folder)
    named = repository.get("home", home)
    if named != home and named != os.path.realpath(home):
        other = _data_of_other(named, data)
        if other is None or harness not in other["harnesses"]:
            return
        home, data = named, other
    Serving(home, harness, data, event, deadline).serve(repository)


def _data_of_other(home: str, ours: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what to go by in a home that a repository names; None where `setup` was never run for it.

    A repository may come from anybody and bring a home along: which program runs and which module reads, our own data
    say, and what is paused there is paused.
    """
    data = read_data(home) if _is_known_format(home) else None
    if data is not None:
        data.update({name: ours.get(name) for name in ("reader", "mount_reader", "worker_lock")})
        data["worker"] = [*ours["worker"][:-1], home] if ours.get("worker") else []
        data["paused"] = [*ours.get("paused", ()), *data.get("paused", ())]
    return data


def _is_known_format(home: str) -> bool:
    """Tell whether this program may touch the home: one of a newer format it leaves alone."""
    try:
        with open(f"{home}/version", "rb") as file:
            return int(file.read(32)) <= FORMAT_VERSION
    except (OSError, ValueError):
        return False


def _note(home: str, error: Exception) -> None:
    """Keep what broke and where, without any text of the session: no message, no value."""
    places = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition(':')[2]}:{step.tb_lineno} {code.co_name}\n")
        step = step.tb_next
    text = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {type(error).__name__}\n{''.join(places)}"
    try:
        descriptor = os.open(f"{home}/{LAST_ERROR}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.write(descriptor, text.encode())
    except OSError:
        return


class Serving:
    """One event of one harness."""

    def __init__(self, home: str, harness: str, data: dict[str, Any], event: Event, deadline: Deadline) -> None:
        self._home = home
        self._harness = harness
        self._event = event
        self._deadline = deadline
        self._is_stale = self._take_settings(data)
        self._data = data
        self._wants_worker = self._is_stale

    def serve(self, repository: Mapping[str, Any]) -> None:
        """Capture or answer; whatever breaks, the worker is started where something waits for it."""
        event = self._event
        try:
            on = switches(self._data, self._harness, event.is_subagent, repository, self._project_names)
            if on.capture and event.moment in (TURN_END, SESSION_END):
                self._capture()
            if on.recall and (event.moment == SESSION_START or (event.moment == PROMPT and event.prompt.strip())):
                self._answer()
        finally:
            if self._wants_worker:
                start_worker(self._home, self._data.get("worker", ()), self._data.get("worker_lock", ""))

    def _capture(self) -> None:
        """Keep the event; what came whole gets the whole time to be kept, however long it took to come."""
        self._deadline.renew()
        from hardwon.kernel.hook.capturing import capture

        capture(self._home, self._harness, self._event)
        self._wants_worker = True

    def _answer(self) -> None:
        from hardwon.kernel.hook.answering import Answering

        answering = Answering(self._home, self._harness, self._data, self._event, self._deadline)
        self._wants_worker = True
        text = answering.text()
        self._wants_worker = self._is_stale or answering.wants_worker
        said = answer(self._data["harnesses"][self._harness], self._event.name, text)
        if said:
            os.write(1, said)
            answering.remember()

    def _project_names(self) -> tuple[str, ...]:
        from hardwon.kernel.hook.place import place_of

        return place_of(self._home, self._data, self._event.folder).names

    def _take_settings(self, data: dict[str, Any]) -> bool:
        """Let a `config.toml` that was edited since count at once; return whether it was."""
        try:
            changed = changed_settings(self._home, data)
        except (OSError, ValueError):  # `status` says what is wrong with it; what was set before still holds
            return False
        if changed is None:
            return False
        data["projects"] = changed.get("projects", {})
        for name, table in data["harnesses"].items():
            table.update(changed.get("harnesses", {}).get(name, {}))
        recall: Mapping[str, Any] = changed.get("recall", {})
        data["settings"].update({name: recall[name] for name in ("limit", "budget") if name in recall})
        if "language" in changed:
            data["settings"]["language"] = changed["language"]
        return True
