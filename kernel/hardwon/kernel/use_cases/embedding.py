"""Embeddings of memories, made once a text and kept by its fingerprint, whoever asks for them."""

from __future__ import annotations

import array
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from hardwon.kernel.background import is_held
from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.errors import HardwonError, Unavailable
from hardwon.kernel.ids import fingerprint
from hardwon.kernel.memory import Kind
from hardwon.kernel.query import Filter
from hardwon.kernel.text import by_language
from hardwon.kernel.vector_precision import rounded

if TYPE_CHECKING:
    from hardwon.kernel.home import Home
    from hardwon.kernel.memory import MemoryEntry
    from hardwon.kernel.ports import Embedder, Role

LOCK_FILE = "embedding.lock"
"""Held in the home by the process that embeds in the background."""
BATCH = 32
AT_ONCE = 1000
"""Texts whose vectors are looked up together: 1.5 MB of them."""
LONGEST = 2000
"""Characters of a text that are embedded: beyond some 500 tokens the bundled model sees nothing."""
_TASKS_APART = re.compile(r"[\n;；]")


def embedded_texts(entry: MemoryEntry) -> list[str]:
    """Return what a memory says, as its vectors are made of: its content, then its principle if it has one.

    Of what is said in two languages, each is a text of its own: a vector of both is near to neither.
    """
    return _by_language([entry.content, *filter(None, [entry.lesson.principle])])


def searched_texts(entry: MemoryEntry) -> list[str]:
    """Return the texts that a memory is found by: what it says, and the situation that it is for.

    A rule's situation lists tasks, and each is a text of its own: one of them is asked for, and not their mean.
    """
    situation = entry.lesson.situation
    if not situation:
        return list(dict.fromkeys(embedded_texts(entry)))
    tasks = _TASKS_APART.split(situation) if entry.kind is Kind.RULE else [situation]
    found = (*embedded_texts(entry), *_by_language(filter(None, map(str.strip, tasks))))
    return list(dict.fromkeys(found))


def _by_language(texts: Iterable[str]) -> list[str]:
    return [part[:LONGEST] for text in texts for part in by_language(text)]


def vector_key(text: str) -> str:
    """Return the key that a text's vector is kept under in any space."""
    return fingerprint(text, length=20)


def task_key(task: str) -> str:
    """Return the key of a text's vector as a question: models embed questions and what answers them differently."""
    return vector_key(f"query\0{task}")


def to_bytes(vector: Sequence[float]) -> bytes:
    """Pack a vector as little-endian float32."""
    packed = array.array("f", vector)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def vectors_of(home: Home, texts: Iterable[str], label: str = "Embedding") -> dict[str, bytes] | None:
    """Return vectors by text, making and keeping those that are missing; None where there is no embedder.

    With the first texts of a space, the cohort that search measures nearness against is embedded too.
    Interrupted, it has kept every finished batch of 32 texts.
    """
    embedder = _embedder(home)
    if embedder is None:
        return None
    by_key = {vector_key(text): text for text in texts}
    known = _known(home, embedder, list(by_key))
    # Texts of like length side by side make fuller batches.
    missing = sorted((key for key in by_key if key not in known), key=lambda key: len(by_key[key]))
    if missing:
        with home.console.track(label, len(missing)) as advance:
            for start in range(0, len(missing), BATCH):
                keys = missing[start : start + BATCH]
                fresh = _made(embedder, "passage", {key: by_key[key] for key in keys})
                home.storage.vectors.keep(embedder.name, fresh)
                known.update(fresh)
                advance(len(keys))
        _embed_cohort(home, embedder)
    return {by_key[key]: vector for key, vector in known.items()}


def embed_missing(home: Home) -> int | None:
    """Embed what has no vector yet; return the number of texts that got one, None without an embedder.

    Raises Unavailable when the embedder fails half way: what was embedded until then is kept.
    """
    embedder = _embedder(home)
    if embedder is None:
        return None
    _embed_cohort(home, embedder)
    missing = [text for text, known in _looked_up(home, embedder) if not known]
    return len(vectors_of(home, missing) or {})


def _embed_cohort(home: Home, embedder: Embedder) -> None:
    """Embed the texts and tasks that search measures nearness against, once a space."""
    _embed_as(home, embedder, "passage", {vector_key(text): text for text in SENTENCES})
    _embed_as(home, embedder, "query", {task_key(task): task for task in TASKS})


def _embed_as(home: Home, embedder: Embedder, role: Role, texts: Mapping[str, str]) -> None:
    """Embed those of the texts, by key, that have no vector."""
    known = _known(home, embedder, list(texts))
    missing = {key: text for key, text in texts.items() if key not in known}
    if missing:
        home.storage.vectors.keep(embedder.name, _made(embedder, role, missing))


def _made(embedder: Embedder, role: Role, texts: Mapping[str, str]) -> dict[str, bytes]:
    """Return the vectors of texts, rounded, by key. Raises Unavailable for one that no similarity could be taken of.

    Kept, it would stop every later run, since what is common to all vectors is taken out of each.
    """
    vectors = embedder.embed(list(texts.values()), role)
    if not all(math.isfinite(number) for vector in vectors for number in vector):
        raise Unavailable(
            f"The embedder {embedder.name} gave a vector with numbers that are none; choose another, or run it again."
        )
    return {key: to_bytes(rounded(vector)) for key, vector in zip(texts, vectors, strict=True)}


def _embedder(home: Home) -> Embedder | None:
    """Return the embedder; None where none is wanted or none can run."""
    try:
        return home.embedder
    except Unavailable:
        return None


def _known(home: Home, embedder: Embedder, keys: Sequence[str]) -> dict[str, bytes]:
    """Return the vectors that exist, by key; those of another length are of a model that had the same name."""
    size = 4 * embedder.dimensions
    found = home.storage.vectors.fetch(embedder.name, keys)
    return {key: vector for key, vector in found.items() if len(vector) == size}


def _looked_up(home: Home, embedder: Embedder | None) -> Iterator[tuple[str, bool]]:
    """Walk the distinct texts of all memories, and whether each has a vector."""
    texts = (text for entry in home.storage.memories.scan(Filter()) for text in searched_texts(entry))
    distinct = iter(dict.fromkeys(texts))
    while some := list(islice(distinct, AT_ONCE)):
        known = _known(home, embedder, [vector_key(text) for text in some]) if embedder else {}
        yield from ((text, vector_key(text) in known) for text in some)


def embedding_progress(home: Home) -> dict[str, Any]:
    """Return `embedded` and `total` (texts), `space` and `running`; where there is no space, None and the `reason`.

    `running` says whether a process in the background is at it.
    """
    embedder, reason = None, "the setting `embedder` is none"
    try:
        embedder = home.embedder
    except HardwonError as error:
        reason = str(error)
    space = embedder.name if embedder else None
    states = list(_looked_up(home, embedder))
    progress = {
        "embedded": sum(known for _, known in states),
        "total": len(states),
        "space": space,
        "running": is_held(home.path / LOCK_FILE),
    }
    return progress if space else {**progress, "reason": reason}
