"""Memories and questions for the benchmarks of stores and of search, the same ones for whatever is measured.

Two kinds: `plain_notes` are made of a few dozen phrases, so that every word of them is common, which is the worst case
of a search by words and how small benchmarks of memories are often made; `natural_notes` have a vocabulary by Zipf's
law, English and, one in four, Chinese, with identifiers, versions and dates as real notes have.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import TYPE_CHECKING

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.ids import new_id
from hardwon.kernel.memory import MemoryEntry, Source, Times
from hardwon.kernel.scope import Scope
from hardwon.kernel.use_cases.embedding import searched_texts, task_key, to_bytes, vector_key
from hardwon.kernel.vector_precision import rounded

if TYPE_CHECKING:
    from hardwon.kernel.ports import Vectors

SEED = 20_261_130
PROJECTS = 40
START = datetime(2016, 1, 1, tzinfo=UTC)
STEP = timedelta(minutes=5)
"""Between one memory and the next: a million of them are ten years."""

_THINGS = (
    "the payment service", "our staging database", "the dashboard", "the nightly job", "the auth gateway",
    "the mobile client", "the build pipeline", "the search index", "the billing cron", "the flag store",
    "the websocket hub", "the image resizer", "the audit log", "the mail queue", "the config loader",
    "the rate limiter",
)  # fmt: skip
_TROUBLES = (
    "fails when", "must be restarted after", "silently drops rows if", "needs a retry because", "runs twice whenever",
    "times out once", "returns stale data while", "leaks memory after", "should never be deployed before",
    "was migrated since", "prefers UTC since",
)  # fmt: skip
_CAUSES = (
    "the connection pool is exhausted", "a migration is pending", "the clock drifts by minutes",
    "two workers share a lock", "the cache is cold", "the token expires in flight", "a schema column is renamed",
    "the vendor changes its limits", "unicode names reach the parser", "disk usage passes ninety percent",
)  # fmt: skip
_FIXES = (
    "pin the driver version", "raise the timeout to thirty seconds", "run the backfill script first",
    "add an idempotency key", "ask the platform team", "write a regression test", "use a read replica",
    "disable the flag and retry", "rotate the credentials", "batch writes by one hundred",
)  # fmt: skip
_GLUE = (
    "the", "a", "of", "to", "and", "in", "is", "that", "it", "was", "for", "on", "with", "as", "by", "at", "this",
    "be", "from", "are", "not", "but", "when", "which", "were",
)  # fmt: skip
_CHINESE_GLUE = "的了在是和不也就都要被把对从"


def plain_notes(count: int) -> Iterator[str]:
    """Walk notes of some 200 characters whose words are all common."""
    chance = random.Random(SEED)
    for number in range(count):
        what = f"{chance.choice(_THINGS)} {chance.choice(_TROUBLES)} {chance.choice(_CAUSES)}"
        yield (
            f"Lesson {number}: {what}; next time {chance.choice(_FIXES)} and {chance.choice(_FIXES)}. "
            f"Seen in project {chance.choice(('alpha', 'beta', 'gamma', 'delta'))}, "
            f"ticket QA-{chance.randint(1000, 9999)}, sprint {chance.randint(1, 40)}."
        )


def plain_questions(count: int) -> list[str]:
    """Return questions that many plain notes answer alike."""
    chance = random.Random(SEED + 1)
    return [f"{chance.choice(_THINGS)[4:]} {chance.choice(_CAUSES)}" for _ in range(count)]


class Vocabulary:
    """Invented English words and Chinese ones, each as common as Zipf's law has it."""

    def __init__(self, words: int = 60_000, chinese: int = 20_000) -> None:
        chance = random.Random(SEED + 2)
        syllables = [first + vowel + last for first in "bdfgklmnprstv" for vowel in "aeiou" for last in ("", "n", "r")]
        invented = dict.fromkeys("".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(words))
        self.words = [*_GLUE, *invented]
        characters = [chr(0x4E00 + code) for code in chance.sample(range(0x4000), 3000)]
        pairs = dict.fromkeys("".join(chance.choices(characters, _zipf(3000), k=2)) for _ in range(chinese))
        self.chinese = [*_CHINESE_GLUE, *pairs]
        self._shares = [*accumulate(_zipf(len(self.words)))]
        self._chinese_shares = [*accumulate(_zipf(len(self.chinese)))]

    def sentence(self, chance: random.Random, length: int) -> str:
        """Return so many English words."""
        return " ".join(chance.choices(self.words, cum_weights=self._shares, k=length))

    def chinese_sentence(self, chance: random.Random, length: int) -> str:
        """Return so many Chinese words, written without spaces."""
        return "".join(chance.choices(self.chinese, cum_weights=self._chinese_shares, k=length))


def natural_notes(count: int, vocabulary: Vocabulary) -> Iterator[str]:
    """Walk notes of some 200 characters, of 60 in Chinese, with a vocabulary like that of real ones."""
    chance = random.Random(SEED + 3)
    for _ in range(count):
        name = f"{chance.choice(vocabulary.words[500:5000])}{chance.choice(vocabulary.words[500:5000]).title()}"
        version = f"{chance.randint(0, 20)}.{chance.randint(0, 40)}"
        if chance.random() < 0.25:
            words = vocabulary.chinese_sentence
            yield f"{words(chance, 10)}，{name} {version} {words(chance, 12)}。{words(chance, 8)}。"
        else:
            sentence = vocabulary.sentence
            yield f"{sentence(chance, 14).capitalize()} {name} {version}; {sentence(chance, 12)}."


def natural_questions(count: int, vocabulary: Vocabulary, notes: list[str]) -> list[str]:
    """Return questions in some of the words of a note each, with others between."""
    chance = random.Random(SEED + 4)
    questions = []
    for note in chance.choices(notes, k=count):
        words = note.replace("，", " ").replace("。", " ").split()
        kept = [word if word.isascii() else word[2:8] for word in chance.sample(words, min(5, len(words)))]
        questions.append(f"{' '.join(kept)} {vocabulary.sentence(chance, 3)}")
    return questions


def memories(contents: Iterator[str]) -> Iterator[MemoryEntry]:
    """Walk memories of these contents, as an agent keeps them: one every five minutes, some projects larger by far."""
    chance = random.Random(SEED + 5)
    shares = [*accumulate(_zipf(PROJECTS))]
    projects = [None, *(f"example.org/team/project-{number}" for number in range(1, PROJECTS))]
    for number, content in enumerate(contents):
        moment = START + number * STEP
        [project] = chance.choices(projects, cum_weights=shares)
        yield MemoryEntry(
            id=new_id(moment),
            content=content,
            scope=Scope(project=project),
            source=Source(said_by="agent"),
            times=Times(asserted_at=moment),
        )


class DrawnEmbedder:
    """Draws a vector near one of some thousand centres, the same for the same text."""

    name = "drawn"
    dimensions = 384

    def __init__(self) -> None:
        import numpy as np

        self._centres = np.random.default_rng(7).standard_normal((2000, self.dimensions)).astype(np.float32)

    def embed(self, texts: Sequence[str], role: str) -> list[list[float]]:
        """Return one unit vector a text."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        import numpy as np

        chance = np.random.default_rng(zlib.crc32(text.encode()))
        vector = self._centres[chance.integers(len(self._centres))] + 0.8 * chance.standard_normal(self.dimensions)
        drawn: list[float] = (vector / np.linalg.norm(vector)).tolist()
        return drawn


def keep_vectors(vectors: Vectors, embedder: DrawnEmbedder, entries: Sequence[MemoryEntry]) -> None:
    """Keep the vectors of memories, rounded as they are, and of everyday texts, which tell what nearness is worth."""
    texts = {vector_key(text): text for entry in entries for text in searched_texts(entry)}
    everyday = {vector_key(text): text for text in SENTENCES} | {task_key(task): task for task in TASKS}
    missing = [key for key in everyday if key not in vectors.fetch(embedder.name, list(everyday))]
    texts |= {key: everyday[key] for key in missing}
    drawn = embedder.embed(list(texts.values()), "passage")
    vectors.keep(embedder.name, {key: to_bytes(rounded(each)) for key, each in zip(texts, drawn, strict=True)})


def _zipf(ranks: int) -> list[float]:
    return [1 / (rank + 3) for rank in range(ranks)]
