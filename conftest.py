"""What holds for every test, those of the plugins among them: none fails because the machine is busy."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("as long as it takes", deadline=None)
settings.load_profile("as long as it takes")
