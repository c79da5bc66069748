"""What tests of the command line share."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def load_reference() -> ModuleType:
    """Return the module that writes the reference of commands."""
    path = Path(__file__).with_name("command_reference.py")
    specification = importlib.util.spec_from_file_location("command_reference", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module
