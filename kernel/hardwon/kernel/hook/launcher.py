"""The top of the hook program: it finds the modules below, which are text, and ends with exit code 0 whatever happens.

Python compiles a script at every start, which for all these modules takes longer than the interpreter itself. Therefore
they are text here, and what became of them is kept in a file beside this one: for this interpreter and this very text.
Where that file is missing, stale or damaged, it is made anew; where it cannot be written, the modules are compiled as
they are needed.
"""

import os
import sys
import time
from typing import Any

BEGUN = time.monotonic()
SECONDS = 1.0
"""Until the settings are read, which may say otherwise."""
HASH = 8
"""Bytes of `_imp.source_hash`."""
KEY = 0x68617264776F6E
COMPILING = 3.0
"""Seconds that the first start with this text and interpreter may take: it compiles for all that follow."""
PATIENCE = 2.0
"""Seconds that a start waits for another one that is compiling."""
ABANDONED = 5.0
"""Seconds after which that other one was killed."""
START = "hardwon.kernel.hook.program"
PATTERNS = "hardwon.kernel.hook.patterns"


def arm(seconds: float) -> None:
    """End this process in so many seconds; `signal` itself imports enum, its C half does not."""
    import _signal  # type: ignore[import-not-found]

    _signal.signal(_signal.SIGALRM, lambda *_: os._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


class Modules:
    """Finds the program's modules for the import system, and compiles those that nobody compiled before."""

    def __init__(self, path: str, sources: dict[str, str]) -> None:
        """Take the modules' texts, by name; `path` is that of this file."""
        self._sources = sources
        self._codes: dict[str, bytes] = {}
        self._path = path
        self._spec_type = type(sys.__spec__)
        for name in sources:
            while name := name.rpartition(".")[0]:
                package = sys.modules.setdefault(name, type(sys)(name))
                package.__path__ = []
        sys.meta_path.insert(0, self)

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """Tell the import system which modules are here."""
        return self._spec_type(name, self) if name in self._sources else None  # type: ignore[arg-type]

    def create_module(self, spec: object) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: Any) -> None:
        """Run a module's code."""
        import marshal

        known = self._codes.get(module.__name__)
        code = marshal.loads(known) if known else self._compiled(module.__name__)  # noqa: S302 - `read` checked its hash
        exec(code, module.__dict__)  # noqa: S102 - to run modules is what this class is for

    def _compiled(self, name: str) -> Any:
        return compile(self._sources[name], f"{self._path}:{name}", "exec", dont_inherit=True, optimize=2)

    def read(self, cache: str, stamp: bytes) -> bool:
        """Take what was compiled before; tell whether that was possible."""
        import _imp
        import marshal

        try:
            with open(cache, "rb") as file:
                kept = file.read()
        except OSError:
            return False
        whole = kept[:HASH] == _imp.source_hash(KEY, stamp + kept[HASH:])
        if whole:
            self._codes = marshal.loads(kept[HASH:])  # noqa: S302 - our own file, as its hash says
        return whole

    def compiled(self, stamp: bytes) -> bytes:
        """Compile everything; return what `read` takes."""
        import _imp
        import marshal

        made = {name: marshal.dumps(self._compiled(name)) for name in self._sources}
        self._codes = made
        patterns = __import__(PATTERNS, fromlist=["table"])
        made[""] = marshal.dumps(patterns.table(self._sources))
        kept = marshal.dumps(made)
        return bytes(_imp.source_hash(KEY, stamp + kept) + kept)

    def patterns(self) -> dict[Any, Any]:
        """Return the regular expressions that were compiled before."""
        import marshal

        known = self._codes.get("")
        return marshal.loads(known) if known else {}  # noqa: S302 - `read` checked its hash


def load(modules: Modules, path: str) -> None:
    """Let the modules have what was compiled before, or compile it for the next start; one start does so for all."""
    cache = f"{path}.{sys.implementation.cache_tag}"
    text = os.stat(path)
    stamp = f"{sys.version}|{text.st_size}|{text.st_mtime_ns}|".encode()
    if modules.read(cache, stamp):
        return
    arm(COMPILING)
    making = f"{cache}.making"
    try:
        descriptor = os.open(making, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        await_other(modules, cache, stamp, making)
        return
    except OSError:  # a home that cannot be written to
        return
    try:
        with open(descriptor, "wb") as file:
            file.write(modules.compiled(stamp))
        os.rename(making, cache)
    except OSError:  # a full disk
        os.unlink(making)


def await_other(modules: Modules, cache: str, stamp: bytes, making: str) -> None:
    """Wait a little for what another start is making, unless that start was killed."""
    try:
        if time.time() - os.stat(making).st_mtime > ABANDONED:
            os.unlink(making)
            return
    except OSError:
        return
    while time.monotonic() - BEGUN < PATIENCE and not modules.read(cache, stamp):
        time.sleep(0.01)  # a file that another process is making tells nobody when it is done


def run(sources: dict[str, str]) -> None:
    """Serve one event and end."""
    try:
        arm(SECONDS)
        path = os.path.abspath(sys.argv[0])
        modules = Modules(path, sources)
        load(modules, path)
        arm(SECONDS)
        __import__(START, fromlist=["main"]).main(os.path.dirname(os.path.dirname(path)), sys.argv[1:])
    finally:
        os._exit(0)
