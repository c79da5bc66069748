"""Rows that are dear to compute and hang on one text alone, kept in the home from run to run.

A file says what its rows hang on beside their texts (the program, the catalogue). Where that is another thing now, or
the file is damaged, empty or of another format, every row is computed anew; so it may be deleted at any time, and what
comes of a run is the same with it and without it.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import zipfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from hardwon.kernel.whole_file import write_whole

if TYPE_CHECKING:
    from hardwon.generalizer.arrays import SparseMatrix


FORMAT_VERSION = 1
KEY_LENGTH = 16
"""Bytes of a text's SHA-256 by which its row is found."""
MOST = 1.25
"""Rows that are kept for each that is of use, the most."""
_DAMAGED = (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What numpy and zipfile say of a file that is none of theirs, or no longer whole."""


def kept_rows(
    path: Path, hangs_on: str, texts: Sequence[str], width: int, make: Callable[[Sequence[str]], SparseMatrix]
) -> SparseMatrix:
    """Return a row of `width` numbers for each text: those that are kept, and the others as `make` makes them.

    Where these texts are most of what is kept, and much else is, the others' rows are let go.
    """
    from scipy import sparse

    keys = [_key(text) for text in texts]
    places, rows = _read(path, hangs_on, width)
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in places}
    if missing:
        rows = cast("SparseMatrix", sparse.vstack([rows, make(list(missing.values()))], format="csr"))
        places |= {key: place for place, key in enumerate(missing, start=len(places))}
    wanted = dict.fromkeys(keys)
    crowded = 2 * len(wanted) > len(places) > MOST * len(wanted)
    if missing or crowded:
        kept = wanted if crowded else places
        # Where it cannot be kept, the next run takes longer and comes to the same.
        with contextlib.suppress(OSError):
            _write(path, hangs_on, list(kept), rows[[places[key] for key in kept]])
    return rows[[places[key] for key in keys]]


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:KEY_LENGTH]


def _read(path: Path, hangs_on: str, width: int) -> tuple[dict[bytes, int], SparseMatrix]:
    """Return the place of each key, and the rows; nothing where the file cannot be used."""
    import numpy as np
    from scipy import sparse

    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            if (int(stored["version"]), str(stored["hangs_on"])) == (FORMAT_VERSION, hangs_on):
                keys = stored["keys"].tobytes()
                parts = stored["values"], stored["columns"], stored["starts"]
                rows = sparse.csr_matrix(parts, shape=(len(keys) // KEY_LENGTH, width))
                rows.check_format()
                found = [keys[start : start + KEY_LENGTH] for start in range(0, len(keys), KEY_LENGTH)]
                return {key: place for place, key in enumerate(found)}, rows
    except _DAMAGED:
        pass
    return {}, sparse.csr_matrix((0, width), dtype=np.float32)


def _write(path: Path, hangs_on: str, keys: Sequence[bytes], rows: SparseMatrix) -> None:
    import numpy as np

    file = io.BytesIO()
    np.savez(
        file,
        version=np.array(FORMAT_VERSION),
        hangs_on=np.array(hangs_on),
        keys=np.frombuffer(b"".join(keys), dtype=np.uint8),
        starts=rows.indptr,
        columns=rows.indices,
        values=rows.data,
    )
    write_whole(path, file.getvalue(), durable=False)
