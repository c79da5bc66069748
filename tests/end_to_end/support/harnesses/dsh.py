"""DSH: its real core packages, composed and asked by the script beside this file, on the Node 22 that npm put there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.fake_models.openai_chat import OpenAIChat
from support.programs import DSH
from support.workplace import Finished, Workplace

SESSION = Path(__file__).with_name("dsh_session.mjs")
PATCH = """# The user's own layer over every profile.
- insert:
    - {id: mine, name: "cordis:group", group: true, config: []}
"""


class Dsh:
    """See Harness."""

    name = "dsh"
    program = DSH
    wire = OpenAIChat()

    def settings(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {".dsh/cordis.patch.yml": PATCH}

    def environment(self, model: str) -> Mapping[str, str]:
        """See Harness."""
        return {"DSH_FAKE_MODEL": model}

    def ask(self, place: Workplace, folder: Path, prompt: str, *, resume: bool = False) -> Finished:
        """See Harness. Sessions are kept by no package that can be had here, so none is resumed."""
        assert not resume
        modules = DSH.folder / "node_modules"
        return place.run(["node", str(SESSION), str(modules), str(folder), prompt], folder)

    def without_own_rows(self, name: str, text: str) -> str:
        """See Harness: it writes nothing into them."""
        return text
