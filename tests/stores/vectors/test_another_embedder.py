"""Another embedder loses nothing: no write, no search by words, no vector of the one before."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.home import Home
from hardwon.kernel.ports import Arranged, Embedder, Role
from hardwon.kernel.query import Query
from hardwon.kernel.settings import Settings
from hardwon.kernel.use_cases import embedding_process
from hardwon.kernel.use_cases.doctor import VECTORS, examine
from hardwon.kernel.use_cases.embedding import embed_missing, embedding_progress
from hardwon.kernel.use_cases.embedding_process import WANTED_FILE, embed_in_background
from hardwon.testing.examples import memory
from hardwon.testing.fakes import FakeEmbedder, RecordingConsole

TEXTS = ["The payment was booked twice.", "Clocks of two hosts differed.", "数据库连接全部超时。"]


class Homes:
    """Opens one home again and again, by other embedders."""

    def __init__(self, path: Path, store: str) -> None:
        self._path = path
        self._store = store
        self._opened: list[Home] = []
        self.said = RecordingConsole()

    def open(self, embedder: Embedder | None, **settings: Any) -> Home:
        """Open the home as a new process would."""
        self.close()
        home = Home(self._path, settings=Settings(store=self._store, **settings), console=self.said)
        home.create()
        home.__dict__["embedder"] = embedder
        self._opened.append(home)
        return home

    def close(self) -> None:
        while self._opened:
            self._opened.pop().close()


@pytest.fixture(params=["files", "sqlite"])
def homes(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Homes]:
    """Return a home over each store that the layer serves."""
    made = Homes(tmp_path / "home", request.param)
    yield made
    made.close()


def put(home: Home, *texts: str) -> None:
    home.storage.memories.put([memory(text) for text in texts])


def notes(home: Home, text: str = "payment") -> list[str]:
    return list(home.storage.memories.search(Query(text=text)).notes)


def nearest(home: Home, text: str) -> float:
    """Return the cosine of the nearest memory."""
    found = home.storage.memories.search(Query(text=text)).candidates
    return max((each.cosine or 0.0 for each in found), default=0.0)


def test_after_a_switch_no_write_is_lost_and_words_are_searched(homes: Homes) -> None:
    """The case of embedding-01: from 64 numbers to 96. It is told what is not embedded yet, and by what it was."""
    home = homes.open(FakeEmbedder("old", 64))
    put(home, *TEXTS)
    embed_missing(home)
    assert notes(home) == []
    home = homes.open(FakeEmbedder("new", 96))
    put(home, "A fourth memory, of the switch.")
    found = home.storage.memories.search(Query(text="switch"))
    assert len(found.candidates) == 1
    assert "Searched by words alone until embedded: 4 of 4 memories." in found.notes
    assert "The embedder is new now; what old made is kept, and going back costs nothing." in found.notes
    assert embed_missing(home) == 4
    assert notes(home) == []
    assert nearest(home, TEXTS[0]) == pytest.approx(1.0, abs=0.01)


def test_going_back_embeds_nothing_anew(homes: Homes) -> None:
    """The case of embedding-03: started once with a wrong model by mistake."""
    old, wrong = FakeEmbedder("old", 64), FakeEmbedder("wrong", 32)
    home = homes.open(old)
    put(home, *TEXTS)
    embed_missing(home)
    embed_missing(homes.open(wrong))
    old.embedded.clear()
    home = homes.open(old)
    assert embed_missing(home) == 0
    assert old.embedded == []
    assert nearest(home, TEXTS[1]) == pytest.approx(1.0, abs=0.01)


def test_a_model_that_changed_under_one_name_is_embedded_anew(homes: Homes) -> None:
    """Its vectors have another length: they are of no use, and are no reason to embed nothing."""
    home = homes.open(FakeEmbedder("same", 64))
    put(home, *TEXTS)
    embed_missing(home)
    home = homes.open(FakeEmbedder("same", 96))
    progress = embedding_progress(home)
    assert (progress["embedded"], progress["total"]) == (0, 3)
    assert embed_missing(home) == 3
    assert nearest(home, TEXTS[0]) == pytest.approx(1.0, abs=0.01)


def test_what_has_no_vector_is_embedded_after_a_question(homes: Homes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a minute at most, in the background, where one is allowed."""
    started: list[Path] = []
    monkeypatch.delenv("HARDWON_NO_BACKGROUND")
    monkeypatch.setattr(embedding_process.background, "start", lambda _, path: started.append(path))
    home = homes.open(FakeEmbedder("new", 96))
    put(home, *TEXTS)
    for _ in range(3):
        notes(home)
    assert started == [home.path]
    assert (home.path / WANTED_FILE).exists()


class Unreachable(FakeEmbedder):
    """An embedder whose model hub does not answer."""

    def __init__(self) -> None:
        super().__init__("far", 64)
        self.tries = 0

    def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        self.tries += 1
        raise Unavailable("The model cannot be downloaded; set a mirror.")


def test_an_unreachable_model_is_tried_a_bounded_number_of_times(homes: Homes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The case of embedding-04: ten writes and ten questions; nothing piles up, and what was written is found."""
    started: list[Path] = []
    monkeypatch.setattr(embedding_process.background, "start", lambda _, path: started.append(path))
    far = Unreachable()
    home = homes.open(far)
    for number in range(10):
        put(home, f"Memory number {number} of the payment.")
        assert home.storage.memories.search(Query(text="payment")).candidates
    assert (far.tries, started) == (1, [])
    (home.path / WANTED_FILE).touch()
    embed_in_background(home)
    assert far.tries == 2
    assert not (home.path / WANTED_FILE).exists()
    home = homes.open(FakeEmbedder("far", 64))
    assert embed_missing(home) == 10
    assert notes(home) == []


def test_the_background_leaves_everything_in_place(homes: Homes, tmp_path: Path) -> None:
    """What it embedded lies in the folder, and nothing of it is asked for at the next question."""
    home = homes.open(FakeEmbedder("old", 64))
    put(home, *TEXTS)
    (home.path / WANTED_FILE).touch()
    embed_in_background(home)
    assert list((home.path / "vectors").rglob("*.rows"))
    home = homes.open(FakeEmbedder("old", 64))
    assert nearest(home, TEXTS[0]) == pytest.approx(1.0, abs=0.01)
    shutil.rmtree(home.path / "vectors")
    assert nearest(home, TEXTS[0]) == pytest.approx(1.0, abs=0.01)


def told(home: Home) -> tuple[str, list[str]]:
    """Return what doctor tells of the vectors, and what is wrong with them."""
    [check] = [each for each in examine(home) if each.name == VECTORS]
    return " ".join(check.told), [each.what for each in check.problems]


def test_doctor_tells_the_recall_of_the_users_own_vectors(homes: Homes) -> None:
    """Of memories that say the same, any ten are the nearest."""
    home = homes.open(FakeEmbedder("old", 64))
    assert told(home) == ("No memory has a vector yet.", [])
    put(home, *TEXTS * 10)
    embed_missing(home)
    sentence, problems = told(home)
    assert sentence.startswith("30 memories with ")
    assert "1.000 of the 10 nearest are found" in sentence
    assert problems == []


def test_doctor_notices_vectors_that_are_not_the_stores(homes: Homes) -> None:
    home = homes.open(FakeEmbedder("old", 64))
    put(home, *TEXTS)
    embed_missing(home)
    assert isinstance(home.storage, Arranged)
    home.storage.arrange_vectors()
    for path in (home.path / "vectors").rglob("*.rows"):
        raw = bytearray(path.read_bytes())
        raw[-100:] = bytes(each ^ 0x55 for each in raw[-100:])
        path.write_bytes(raw)
    _, problems = told(homes.open(FakeEmbedder("old", 64)))
    assert any("remove the folder `vectors`" in each for each in problems)
    home = homes.open(FakeEmbedder("old", 64))
    shutil.rmtree(home.path / "vectors")
    assert told(home)[1] == []


def test_doctor_skips_what_it_cannot_measure(homes: Homes) -> None:
    home = homes.open(None)
    put(home, *TEXTS)
    assert told(home) == ("The setting `embedder` is none: search is by words alone.", [])


def test_damaged_vectors_make_no_command_fail(homes: Homes) -> None:
    """They are begun anew within the command, which says so; the files store keeps them in a file of their own."""
    home = homes.open(FakeEmbedder("old", 64))
    put(home, *TEXTS)
    embed_missing(home)
    file = home.path / "vectors.sqlite"
    homes.close()
    if not file.exists():
        pytest.skip("this store keeps its vectors with everything else")
    file.write_bytes(b"this is no database" * 500)
    home = homes.open(FakeEmbedder("old", 64))
    assert home.storage.memories.search(Query(text="payment")).candidates
    assert any("damaged" in line for line in homes.said.said)
    assert embed_missing(home) == 3
    assert notes(home) == []
