"""A backup as a file: a compressed tar whose last member, `manifest.json`, says what each file has to be.

Anybody can look into it with `tar`. Whatever was cut short or changed is noticed by the manifest, which is missing then
or does not fit.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from hardwon.kernel.errors import InvalidInput, NewerFormat
from hardwon.kernel.whole_file import sync_folder

FORMAT = "hardwon-backup"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
_COMPRESSION = 1
"""Of gzip: most of what there is to gain, at a third of the time."""
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Manifest:
    """What a backup says of itself."""

    store: str
    made: str
    """When, in ISO 8601."""
    kind: str
    """`store`: the store's own files. `archive`: an archive that is to be imported."""
    home_format: int
    files: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By name: bytes and SHA-256."""


def pack(folder: Path, to: Path, manifest: Manifest, advance: Callable[[int], None]) -> Manifest:
    """Write all files of a folder into one file, for its owner alone, whole or not at all. Raises OSError."""
    aside = to.with_name(f".{to.name}.part")
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            with tarfile.open(fileobj=file, mode="w:gz", compresslevel=_COMPRESSION) as tar:
                for path in sorted(each for each in folder.rglob("*") if each.is_file() and not each.is_symlink()):
                    name = path.relative_to(folder).as_posix()
                    manifest.files[name] = _add(tar, path, name)
                    advance(1)
                content = {"format": FORMAT, "version": FORMAT_VERSION, **asdict(manifest)}
                _add_bytes(tar, MANIFEST, json.dumps(content).encode())
            file.flush()
            os.fsync(file.fileno())
        aside.replace(to)
        sync_folder(to.parent)
    finally:
        aside.unlink(missing_ok=True)
    return manifest


def _add(tar: tarfile.TarFile, path: Path, name: str) -> tuple[int, str]:
    information = _member(name, path.stat().st_size)
    with path.open("rb") as file:
        reading = _Hashing(file)
        tar.addfile(information, reading)
    return information.size, reading.digest()


def _add_bytes(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    tar.addfile(_member(name, len(data)), io.BytesIO(data))


def _member(name: str, size: int) -> tarfile.TarInfo:
    information = tarfile.TarInfo(name)
    information.size, information.mode = size, 0o600
    return information


class _Hashing:
    """A file that is hashed as it is read."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._hash.update(data)
        return data

    def digest(self) -> str:
        return self._hash.hexdigest()


def unpack(path: Path, to: Path) -> Manifest:
    """Write the files of a backup into a folder, each for its owner alone, and hold them against the manifest.

    Raises InvalidInput for what is no backup, was cut short or changed, and NewerFormat.
    """
    found: dict[str, tuple[int, str]] = {}
    manifest: Manifest | None = None
    try:
        with tarfile.open(path, mode="r|gz") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is None:
                    raise InvalidInput(f"{path} holds {member.name!r}, which is no file; it is no backup of hardwon.")
                if member.name == MANIFEST:
                    manifest = _read_manifest(content.read(), path)
                else:
                    found[member.name] = _write(content, to / _safe(member.name, path))
    except (tarfile.TarError, EOFError, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise InvalidInput(f"{path} cannot be read to its end ({error}); take another backup.") from None
    if manifest is None:
        raise InvalidInput(f"{path} has no manifest: it is no backup of hardwon, or was cut short; take another one.")
    wrong = sorted(name for name in manifest.files.keys() | found.keys() if manifest.files.get(name) != found.get(name))
    if wrong:
        raise InvalidInput(f"{path} is damaged: {wrong[0]} is not what its manifest says; take another backup.")
    return manifest


def _safe(name: str, path: Path) -> PurePosixPath:
    """Return where a member lies. Raises InvalidInput for a name that leads out of the folder."""
    place = PurePosixPath(name)
    if place.is_absolute() or not place.parts or ".." in place.parts:
        raise InvalidInput(f"{path} holds {name!r}, which leads out of the home; it is no backup of hardwon.")
    return place


def _write(content: IO[bytes], to: Path) -> tuple[int, str]:
    for folder in reversed(to.parents):
        folder.mkdir(mode=0o700, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
        while part := content.read(_CHUNK):
            file.write(part)
            digest.update(part)
            size += len(part)
    return size, digest.hexdigest()


def _read_manifest(data: bytes, path: Path) -> Manifest:
    try:
        content = json.loads(data)
        if content["format"] != FORMAT:
            raise ValueError("it is of another program")
        if content["version"] > FORMAT_VERSION:
            raise NewerFormat(f"{path} is a backup of a newer hardwon; upgrade hardwon, nothing was touched.")
        files = {str(name): (int(size), str(digest)) for name, (size, digest) in content["files"].items()}
        return Manifest(
            str(content["store"]), str(content["made"]), str(content["kind"]), int(content["home_format"]), files
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidInput(f"{path} has no manifest that can be read ({error}); take another backup.") from None
