"""What every test shares: nobody's real memory is in reach, and no plugin of this machine is loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hardwon.kernel.errors import Unavailable
from hardwon.kernel.settings import PostgresSettings

from .forked_program import PATIENCE, ForkedProgram, is_as_good

Install = Callable[[Path, str, Mapping[str, str], Mapping[str, str]], None]
Program = Callable[..., subprocess.CompletedProcess[str]]
LONG = ("tests/end_to_end/", "tests/house/test_kernel_alone.py", "tests/journeys/", "plugins/mcp/", "tests/cli/")
"""Where tests take seconds, the longest first: begun last, they would keep one process at work when others are done."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long before everything else; `--no-loadscope-reorder` keeps it there."""
    items.sort(key=lambda item: next((place for place, at in enumerate(LONG) if item.nodeid.startswith(at)), len(LONG)))


@pytest.fixture(scope="session", autouse=True)
def shielded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Name a home that no test uses by accident, and let in no plugin but those of the box."""
    nowhere = tmp_path_factory.mktemp("nowhere")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("HARDWON_")]:
            patch.delenv(name)
        patch.setenv("HARDWON_HOME", str(nowhere / "home"))
        patch.setenv("XDG_DATA_HOME", str(nowhere / "data"))
        patch.setenv("HARDWON_LOAD_PLUGINS", "")
        patch.setenv("HARDWON_NO_BACKGROUND", "1")
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Yield the connection string of a real PostgreSQL server, which is started once and only where it is asked for."""
    from hardwon.stores.postgres.embedded import EmbeddedServer

    pytest.importorskip("psycopg", reason="psycopg is not installed: there is nothing to reach a server by")
    try:
        server = EmbeddedServer()
    except Unavailable as error:
        pytest.skip(str(error))
    with server:
        yield server.url


_EMPTIED = """
DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'shared' AND tablename NOT IN ('meta', 'search_totals')
  LOOP EXECUTE format('DELETE FROM shared.%I', name); END LOOP;
  IF to_regclass('shared.search_totals') IS NOT NULL THEN
    UPDATE shared.search_totals SET documents = 0, length = 0;
  END IF;
END $$
"""
"""To empty tables takes a hundredth of the time that it takes to make them."""


@pytest.fixture
def postgres(postgres_url: str) -> PostgresSettings:
    """Return settings of a schema on that server in which nothing is kept; the tables may be there already."""
    import psycopg

    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(_EMPTIED)
    return PostgresSettings(url=postgres_url, schema_name="shared", lock_timeout=10)


@pytest.fixture
def new_postgres(postgres: PostgresSettings) -> PostgresSettings:
    """Return settings of a schema of its own on that server, which is not there yet."""
    return postgres.model_copy(update={"schema_name": f"test_{uuid.uuid4().hex[:12]}"})


@pytest.fixture
def install_plugin() -> Install:
    """Return a function that leaves a distribution in a folder as an installer does.

    It takes the folder, the distribution's name, its entry points (name to target) and its modules (name to source).
    """

    def install(folder: Path, distribution: str, points: Mapping[str, str], modules: Mapping[str, str]) -> None:
        metadata = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
        metadata.mkdir(parents=True)
        about = f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
        lines = ["[hardwon]", *(f"{name} = {target}" for name, target in points.items())]
        (metadata / "METADATA").write_text(about, encoding="utf-8")
        (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for name, source in modules.items():
            (folder / f"{name}.py").write_text(source, encoding="utf-8")

    return install


@pytest.fixture(scope="session")
def environment_in() -> Callable[[Path], dict[str, str]]:
    """Return a function that makes a user in a folder, and returns the user's environment: see `environment`."""

    def made(folder: Path) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "HARDWON_LOAD_PLUGINS")}
        (folder / "user").mkdir(exist_ok=True)
        return {
            **kept,
            "HOME": str(folder / "user"),
            "HARDWON_HOME": str(folder / "memory-home"),
            "HARDWON_NO_BACKGROUND": "1",
            "PYTHONUTF8": "1",
        }

    return made


@pytest.fixture
def environment(tmp_path: Path, environment_in: Callable[[Path], dict[str, str]]) -> dict[str, str]:
    """Return the environment of a user who has a bare home directory and lets nothing run in the background."""
    return environment_in(tmp_path)


@pytest.fixture
def started_program(tmp_path: Path, environment: dict[str, str]) -> Program:
    """Return a function that starts the program with arguments and returns what came of it."""
    project = tmp_path / "user" / "shop"
    project.mkdir(exist_ok=True)

    def run(
        *arguments: str | Path, cwd: Path = project, also: Mapping[str, str] | None = None, **given: Any
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "hardwon.cli", *map(str, arguments)]
        return subprocess.run(
            command,
            cwd=cwd,
            env={**environment, **(also or {})},
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
            **given,
        )

    return run


@pytest.fixture(scope="session")
def forked_program() -> Iterator[ForkedProgram]:
    """Yield what forks the program, started only where it is asked for."""
    forked = ForkedProgram()
    yield forked
    forked.close()


@pytest.fixture
def program(started_program: Program, forked_program: ForkedProgram, environment: dict[str, str]) -> Program:
    """Return a function that runs the program, forked wherever that is the same as started."""

    def run(
        *arguments: str | Path, also: Mapping[str, str] | None = None, **given: Any
    ) -> subprocess.CompletedProcess[str]:
        around = {**environment, **(also or {})}
        if not is_as_good(around):
            return started_program(*arguments, also=also, **given)
        cwd = given.pop("cwd", Path(environment["HOME"], "shop"))
        return forked_program.run([*map(str, arguments)], cwd, around, given.pop("input", ""), **given)

    return run


@pytest.fixture
def answer(program: Program) -> Callable[..., Any]:
    """Return a function that runs a command with --json, expects it to be done, and returns its value."""

    def run(*arguments: str | Path, **given: Any) -> Any:
        done = program(*arguments, "--json", **given)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run
