"""The event is read from standard input as soon as it is whole, however it comes."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardwon.kernel.hook.standard_input import read_object
from hardwon.testing.wired_home import WiredHome


def read(pieces: Sequence[bytes], *, close: bool = True) -> object:
    """Return what is read when these pieces come one after the other."""
    here, there = os.pipe()

    def write() -> None:
        try:
            for piece in pieces:
                os.write(there, piece)
            if close:
                os.close(there)
        except BrokenPipeError:  # what follows the first value is not read
            os.close(there)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        return read_object(here)
    finally:
        os.close(here)
        writer.join()
        if not close:
            os.close(there)


json_objects = st.dictionaries(
    st.text(),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


@given(json_objects, st.booleans())
def test_any_object_is_read_byte_by_byte_and_without_an_end(value: dict[str, object], close: bool) -> None:
    text = json.dumps(value).encode()
    assert read([bytes([byte]) for byte in text], close=close) == value


@pytest.mark.parametrize(
    ("given_bytes", "expected"),
    [
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b' \r\n\t{"a": 1}\n\n', {"a": 1}),
        (b'{"a": 1}{"b": 2}', {"a": 1}),
        (b'{"a": 1}\n{"b": 2}\n', {"a": 1}),
        (b'{"a": 1} garbage', {"a": 1}),
        (b'{"a": "\xff\xfe"}', {"a": "\ufffd\ufffd"}),
        (b'{"a": "\x01\n"}', {"a": "\x01\n"}),
        (b'{"a": "\\ud800"}', {"a": "\ud800"}),
        (b'{"a": NaN, "b": -Infinity}', None),
        (b"", None),
        (b"   \n", None),
        (b"[1, 2]", None),
        (b'"text"', None),
        (b"no json at all", None),
        (b'{"a": 1', None),
        (b'{"a": {"b": 1}', None),
        (b"{" * 100_000, None),
        (b'{"a":' * 100_000 + b"}" * 100_000, None),
    ],
)
def test_what_is_no_object_is_none_and_nothing_breaks(given_bytes: bytes, expected: object) -> None:
    found = read([given_bytes])
    assert found == expected or (b"NaN" in given_bytes and str(found) == "{'a': nan, 'b': -inf}")


def test_garbage_is_known_at_its_first_byte() -> None:
    """Nobody waits for the end of what can be no object."""
    assert read([b"x"], close=False) is None


def test_a_value_with_something_behind_it_is_found_though_nothing_more_comes() -> None:
    assert read([b'{"a": 1} x'], close=False) == {"a": 1}


def test_five_megabytes_are_read(wired: WiredHome) -> None:
    assert wired.run(wired.event("Stop", transcript="/t", tool_response="x}" * 2_500_000)).stdout == b""
    assert [record["moment"] for record in wired.records()] == ["turn-end"]


def test_an_input_that_is_never_closed_is_answered_and_the_process_ends(wired: WiredHome) -> None:
    process = subprocess.Popen(wired.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(wired.event("Start", source="startup"))
    process.stdin.flush()
    assert b"hardwon memory" in process.stdout.read()
    assert process.wait(timeout=20) == 0
    process.stdin.close()
    process.stdout.close()


def test_an_input_that_never_brings_anything_is_left_at_the_deadline(wired: WiredHome) -> None:
    wired.write_data(settings=wired.data["settings"] | {"deadline": 0.3})
    process = subprocess.Popen(wired.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"event": "Sta')
    process.stdin.flush()
    assert process.wait(timeout=20) == 0
    assert process.stdout.read() == b""
    process.stdin.close()
    process.stdout.close()


def test_a_closed_input_is_no_event(wired: WiredHome) -> None:
    command = ["/bin/sh", "-c", 'exec "$0" "$@" <&-', *wired.command]
    result = subprocess.run(command, capture_output=True, check=False, timeout=20)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
