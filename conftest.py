"""What holds for every test, those of the plugins among them: none fails because the machine is busy.

Properties are tried on the same cases each time, so that a change is not blamed for a case that chance drew. To look
for new ones is work of its own: `just explore` draws others; what it finds becomes an `@example`.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
