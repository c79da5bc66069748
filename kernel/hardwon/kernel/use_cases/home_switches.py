"""What is on in a folder by the settings of an open home; the hook program asks the same of its data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import InvalidInput
from hardwon.kernel.hook.repository import repository_settings
from hardwon.kernel.hook.switches import Switches, switches

if TYPE_CHECKING:
    from hardwon.kernel.home import Home


def home_switches(
    home: Home,
    harness: str,
    repository: Mapping[str, Any],
    names: Collection[str],
    paused: Sequence[Mapping[str, Any]] = (),
) -> Switches:
    """Return what is on in a project of these names; `repository` is what its .hardwon.toml files say."""
    settings = home.settings
    own = settings.harnesses.get(harness)
    data = {
        "harnesses": {harness: own.model_dump() if own else {}},
        "paused": paused,
        "projects": {name: each.model_dump() for name, each in settings.projects.items()},
    }
    return switches(data, harness, False, repository, lambda: names)


def repository_here(folder: str) -> Mapping[str, Any]:
    """Return what the .hardwon.toml files at and above a folder say. Raises InvalidInput for one that is broken."""
    try:
        return repository_settings(folder)
    except ValueError as error:
        raise InvalidInput(f"A .hardwon.toml at or above {folder} cannot be read ({error}); mend it.") from None
