"""How long `hardwon --help` takes beside a bare Typer application with the same commands.

`python tests/benchmarks/bench_help.py [ROUNDS]`. Both are measured in one run, turn by turn, in fresh processes with
warm bytecode, and their medians compared. The bare application has a function a command, written out with the
same parameters and texts, and the same plain help. The target is a ratio of at most 1.3.
"""

from __future__ import annotations

import inspect
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, get_args

from hardwon.cli.application import SUMMARY
from hardwon.cli.parameters import command_parameters
from hardwon.kernel.registry import registry

ROUNDS = 41
TARGET = 1.3
OURS = "from hardwon.cli.main import main; main()"
"""What the installed program does, so that both are started alike."""


def bare_application() -> str:
    """Return the source of a Typer application with the same commands as the box."""
    actions = registry().all("actions")
    groups = sorted({name.partition(" ")[0] for name in actions if " " in name})
    lines = [
        "from typing import Annotated",
        "from pathlib import Path, PosixPath",
        "import typer",
        "",
        "root = group = typer.Typer(",
    ]
    lines += [f"    help={SUMMARY!r}, rich_markup_mode=None, no_args_is_help=True, pretty_exceptions_enable=False)"]
    for group in groups:
        lines += [f"{group} = typer.Typer(rich_markup_mode=None, no_args_is_help=True)"]
        lines += [f"root.add_typer({group}, name={group!r}, help='Several.')"]
    for name, action in actions.items():
        group, _, last = name.rpartition(" ")
        help = (inspect.getdoc(action.run) or "").splitlines()[0]
        parameters = ", ".join(map(written, command_parameters(name, action)))
        lines += ["", f"@{group or 'root'}.command({last!r}, help={help!r})", f"def {name.replace(' ', '_')}_command("]
        lines += [f"    *, {parameters}) -> None:", "    pass"]
    return "\n".join([*lines, "", "root()", ""])


def written(parameter: inspect.Parameter) -> str:
    """Return a parameter as a person writes it for Typer."""
    kind, told = get_args(parameter.annotation)
    name = getattr(kind, "__name__", str(kind)) if not get_args(kind) else str(kind).replace("pathlib.", "")
    declarations = "".join(f"{each!r}, " for each in getattr(told, "param_decls", None) or ())
    call = f"typer.{type(told).__name__.removesuffix('Info')}({declarations}help={told.help!r})"
    default = "" if parameter.default is inspect.Parameter.empty else f" = {parameter.default!r}"
    return f"{parameter.name}: Annotated[{name}, {call}]{default}"


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Return the time that one run takes from start to end."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - start


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Return the median and the shortest time of both, in milliseconds, and the ratio of the medians."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bare.py").write_text(bare_application(), encoding="utf-8")
        environment["PYTHONPATH"] = folder
        commands = {
            "hardwon": [sys.executable, "-c", OURS, "--help"],
            "bare": [sys.executable, "-c", "import bare", "--help"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for round in range(rounds + 2):
            for name, command in commands.items():
                taken = seconds(command, environment)
                if round > 1:
                    times[name].append(taken * 1000)
    medians = {name: statistics.median(each) for name, each in times.items()}
    return {
        "median": medians,
        "shortest": {name: min(each) for name, each in times.items()},
        "ratio": medians["hardwon"] / medians["bare"],
    }


def main() -> None:
    """Print the figures; exit with 1 when the target is missed."""
    found = measure(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
    for name in ("hardwon", "bare"):
        print(f"{name:8} median {found['median'][name]:6.1f} ms, shortest {found['shortest'][name]:6.1f} ms")
    print(f"ratio of the medians {found['ratio']:.2f}, target {TARGET}")
    sys.exit(found["ratio"] > TARGET)


if __name__ == "__main__":
    main()
