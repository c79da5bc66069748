"""What one question's cosines are worth: how near texts and tasks on anything at all lie, by language.

A cosine is judged against what this question has in common with any text of that language, and this text with any
task in the question's language. What is left of it is measured in standard deviations of what is left among unrelated
tasks and texts of the same two languages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardwon.kernel.cohort import SENTENCES, TASKS
from hardwon.kernel.text import language_of
from hardwon.kernel.use_cases.embedding import task_key, vector_key
from hardwon.stores.vectors.languages import LANGUAGES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hardwon.kernel.ports import Vectors

TEXTS = {language: [vector_key(text) for text in SENTENCES if language_of(text) == language] for language in LANGUAGES}
QUESTIONS = {language: [task_key(task) for task in TASKS if language_of(task) == language] for language in LANGUAGES}


@dataclass(frozen=True, slots=True)
class Impostors:
    """The measure of questions in one language; arrays are by language of a text, in the order of LANGUAGES."""

    task: NDArray[np.float32]
    """Mean vector of tasks on anything."""
    texts: NDArray[np.float32]
    """Mean vectors of texts on anything, a row each."""
    means: NDArray[np.float32]
    """Mean cosine of such a task to such a text."""
    deviations: NDArray[np.float32]
    """Standard deviation of what is left of their cosines without what each task and each text has in common."""

    def offsets(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return how much nearer than any task a question lies to any text."""
        offsets: NDArray[np.float32] = self.texts @ question - self.means
        return offsets


def impostors(tasks: NDArray[np.float32], texts: Sequence[NDArray[np.float32]]) -> Impostors:
    """Return the measure from the vectors of tasks in one language and of texts in each, a row a vector."""
    import numpy as np

    means, deviations = [], []
    for rows in texts:
        cosines = tasks @ rows.T
        left = cosines - cosines.mean(axis=0) - cosines.mean(axis=1, keepdims=True) + cosines.mean()
        means.append(cosines.mean())
        deviations.append(max(1e-6, left.std()))
    centres = np.stack([rows.mean(axis=0) for rows in texts])
    return Impostors(tasks.mean(axis=0), centres, np.array(means, np.float32), np.array(deviations, np.float32))


class Cohort:
    """The vectors of unrelated texts and tasks in one space, read once."""

    def __init__(self, space: str, dimensions: int) -> None:
        self.space = space
        self._size = 4 * dimensions
        self._known: dict[str, bytes] = {}
        self._measures: dict[str, Impostors] = {}

    def measure(self, vectors: Vectors, language: str) -> Impostors | None:
        """Return the measure of questions in a language; None while a text or task of it has no vector."""
        if language not in self._measures:
            wanted = [QUESTIONS[language], *TEXTS.values()]
            missing = [key for keys in wanted for key in keys if key not in self._known]
            found = vectors.fetch(self.space, missing) if missing else {}
            self._known.update({key: raw for key, raw in found.items() if len(raw) == self._size})
            if any(key not in self._known for keys in wanted for key in keys):
                return None
            tasks, *texts = [self._rows(keys) for keys in wanted]
            self._measures[language] = impostors(tasks, texts)
        return self._measures[language]

    def tasks(self, language: str) -> NDArray[np.float32]:
        """Return the vectors of the tasks in a language that has been measured."""
        return self._rows(QUESTIONS[language])

    def _rows(self, keys: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        rows = np.frombuffer(b"".join(self._known[key] for key in keys), "<f4").reshape(len(keys), -1)
        return rows.astype(np.float32, copy=False)
