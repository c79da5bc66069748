"""What is found and what it costs: `python tests/stores/redactors/measure_redaction.py [FILES OR FOLDERS…]`.

First the planted secrets that each part of the detector finds, of 67 kinds, ten of each. Then what is taken out of the
files: hand it texts without secrets, and each place is a mistake, or a secret that you did not know of. Last the time
for a megabyte of them, and for a memory.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from hardwon.kernel.redacting.values import redacted
from hardwon.kernel.secrets import Secret, find_known, masked, settled
from hardwon.stores.redactors.plugins import detected
from hardwon.stores.redactors.random_texts import random_texts
from hardwon.stores.redactors.redactor import DetectSecretsRedactor
from hardwon.testing.examples import memory
from hardwon.testing.planted_secrets import in_place, planted_secrets, spoken_of

SEEDS = range(10)
LARGEST = 20_000_000
Find = Callable[[str], Iterable[Secret]]


def everything(text: str) -> list[Secret]:
    return [*find_known(text), *detected(text), *random_texts(text)]


PARTS: tuple[tuple[str, Find], ...] = (
    ("known formats and what is said", find_known),
    ("plugins of detect-secrets", detected),
    ("random texts", random_texts),
    ("all of it", everything),
)


def planted() -> list[tuple[str, list[str]]]:
    """Return texts, each with the lines that must not be left of it."""
    alone = [
        (f"see {in_place(kind, secret)} now", [line for line in secret.split("\n") if "-----" not in line])
        for seed in SEEDS
        for kind, secret in planted_secrets(seed).items()
    ]
    return alone + [(text, [secret]) for seed in SEEDS for text, secret in spoken_of(seed).values()]


def texts(paths: Iterable[Path]) -> Iterator[tuple[Path, str]]:
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.stat().st_size <= LARGEST:
                try:
                    yield file, file.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue


def main() -> None:
    cases = planted()
    for name, find in PARTS:
        clean = [(masked(text, settled(text, list(find(text)))), lines) for text, lines in cases]
        found = sum(not any(line in text for line in lines) for text, lines in clean)
        print(f"{found:5} of {len(cases)} planted: {name}")
    size, seconds, places = 0, 0.0, set()
    redactor = DetectSecretsRedactor()
    for path, text in texts(map(Path, sys.argv[1:])):
        start = time.process_time()
        redactor.redact(text)
        seconds += time.process_time() - start
        size += len(text)
        places |= {(path, sort, text[start:end][:60]) for start, end, sort in settled(text, everything(text))}
    for path, sort, secret in sorted(places):
        print(f"{path}: {sort}: {secret!r}")
    if size:
        print(f"{len(places)} different places in {size / 1e6:.1f} MB; {seconds / size * 1e9:.0f} ms a megabyte")
    entries = [
        memory("The settings file was cut in half when the power failed while it was saved.") for _ in range(2000)
    ]
    start = time.process_time()
    for entry in entries:
        redacted(redactor, entry)
    print(f"{(time.process_time() - start) / len(entries) * 1e6:.0f} µs a memory")


if __name__ == "__main__":
    main()
