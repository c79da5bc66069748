"""Lets these tests share modules: fit_weights.py is a script as well, and imports the reader of the labelled set."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
