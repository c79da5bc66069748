"""FakeRedactor: known formats, and one word that a test can use for what has none."""

from __future__ import annotations

from hardwon.kernel.ports import Redacted
from hardwon.kernel.secrets import find_known, masked, settled

SECRET = "opensesame"  # noqa: S105 - the word that this fake takes for a secret


class FakeRedactor:
    """Takes known formats and the word `opensesame` out of texts."""

    @property
    def name(self) -> str:
        """Return the name by which settings would call it."""
        return "fake"

    def redact(self, text: str) -> Redacted:
        """Return the text without them."""
        sorts: list[str] = []
        while secrets := settled(text, [*find_known(text), *self._words(text)]):
            text = masked(text, secrets)
            sorts += [sort for _, _, sort in secrets]
        return Redacted(text, tuple(sorts))

    def _words(self, text: str) -> list[tuple[int, int, str]]:
        place = text.find(SECRET)
        return [(place, place + len(SECRET), "word")] if place >= 0 else []
