"""The kernel stands alone: its tests pass where no other part can be imported, shown by running them there."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:3]
{body}
"""
IMPORT = "import hardwon.kernel.home\ntry:\n    import hardwon.{part}\nexcept ImportError:\n    print('absent')"
TESTS = "import pytest\nsys.exit(pytest.main(sys.argv[3:]))"


@pytest.fixture(scope="session")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of everything installed but hardwon, so that an installed wheel does not help out."""
    folder = tmp_path_factory.mktemp("site-packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(("hardwon", "_hardwon")) and path.suffix != ".pth":
            (folder / path.name).symlink_to(path)
    return folder


def run(root: Path, others: Path, body: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with kernel/ and other people's packages on the path, and nothing else: no .pth file is read."""
    program = [sys.executable, "-I", "-S", "-c", PROGRAM.format(body=body), str(root / "kernel"), str(others)]
    command = [*program, *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.mark.parametrize("part", ["stores", "generalizer", "review_queue", "cli"])
def test_no_other_part_can_be_imported_there(root: Path, others: Path, part: str) -> None:
    result = run(root, others, IMPORT.format(part=part))
    assert result.stdout.strip() == "absent", result.stderr


def test_the_tests_of_the_kernel_pass_there(root: Path, others: Path) -> None:
    """The use cases among them, over the fakes that ship with the kernel."""
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib")
    arguments = ("tests/kernel", "tests/conformance/test_fakes.py", *options)
    result = run(root, others, TESTS, *arguments)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
