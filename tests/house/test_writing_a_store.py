"""The store of the guide is complete: it passes every suite that the guide tells its author to run."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

GUIDE = Path("docs", "guides", "writing-a-store.md")


def test_the_store_of_the_guide_passes_its_suites(root: Path, tmp_path: Path) -> None:
    module, tests = re.findall(r"```python\n(.*?)```", (root / GUIDE).read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "onefile.py").write_text(module, encoding="utf-8")
    (tmp_path / "test_onefile.py").write_text(tests, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 250
