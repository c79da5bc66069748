"""Charts: bars and a reliability curve as text, and the same as PNG where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardwon.kernel.errors import StoreError, Unavailable

if TYPE_CHECKING:
    from hardwon.generalizer.evaluation.reliability import Bin
    from hardwon.generalizer.evaluation.replay import Incident

WIDTH = 30
"""Characters of the longest bar."""
FULL, HALF = "█", "▌"
SIZE = (7.0, 4.5)
"""Inches."""


def bar(share: float, width: int = WIDTH) -> str:
    """Return a bar for a share of 0–1, to half a character."""
    halves = round(2 * width * min(1.0, max(0.0, share)))
    return FULL * (halves // 2) + HALF * (halves % 2)


def reliability_text(bins: Sequence[Bin]) -> str:
    """Return the reliability table with bars: what was said, and how often it was right."""
    lines = ["| confidence | proposals | mean | right | |", "|---|---|---|---|---|"]
    lines += [
        f"| {each.least:.1f}–{each.most:.1f} | {each.count} | {each.confidence:.2f} | {each.right:.2f} "
        f"| {bar(each.right)} |"
        for each in bins
    ]
    return "\n".join(lines)


def warned_by_year(incidents: Sequence[Incident]) -> dict[int, tuple[int, int, int]]:
    """Return by year the incidents of a cause met before, those with a rule in force, and those warned of."""
    found: dict[int, tuple[int, int, int]] = {}
    for each in incidents:
        if each.repeated:
            later, ruled, warned = found.get(each.at.year, (0, 0, 0))
            found[each.at.year] = (later + 1, ruled + each.in_force, warned + each.warned)
    return dict(sorted(found.items()))


def warned_text(by_year: Mapping[int, tuple[int, int, int]]) -> str:
    """Return a bar a year: the share of the incidents of known causes that a rule would have warned of."""
    lines = ["| year | met before | rule in force | warned | |", "|---|---|---|---|---|"]
    lines += [
        f"| {year} | {later} | {ruled} | {warned} | {bar(warned / later)} |"
        for year, (later, ruled, warned) in by_year.items()
    ]
    return "\n".join(lines)


def require_plots() -> None:
    """Raise Unavailable without matplotlib: before the work that would be lost, not after it."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise Unavailable("A plot takes matplotlib; run `pip install 'hardwon[plots]'`, or leave --plot out.")


def save_reliability(bins: Sequence[Bin], path: Path) -> None:
    """Write the reliability curve as PNG. Raises Unavailable without matplotlib, StoreError where it cannot be kept."""
    figure, axes = _figure()
    axes.plot([0, 1], [0, 1], linestyle=":", color="grey", label="calibrated")
    said, right = [each.confidence for each in bins], [each.right for each in bins]
    axes.plot(said, right, marker="o", label="proposals", clip_on=False)  # those at 1 stand on the edge
    for each in bins:
        axes.annotate(str(each.count), (each.confidence, each.right), textcoords="offset points", xytext=(5, -10))
    axes.set(xlabel="confidence", ylabel="share that is right", xlim=(0, 1), ylim=(0, 1), title="Reliability")
    _save(figure, axes, path)


def save_warned(incidents: Sequence[Incident], path: Path) -> None:
    """Write the sums over time as PNG. Raises Unavailable without matplotlib, StoreError where it cannot be kept."""
    figure, axes = _figure()
    later = [each for each in incidents if each.repeated]
    times = [each.at for each in later]
    for label, wanted in (
        ("of a cause met before", [True] * len(later)),
        ("with a rule in force", [each.in_force for each in later]),
        ("warned", [each.warned for each in later]),
    ):
        axes.step(times, [sum(wanted[: place + 1]) for place in range(len(wanted))], where="post", label=label)
    axes.set(xlabel="date of the incident", ylabel="incidents", title="Backtest")
    figure.autofmt_xdate()
    _save(figure, axes, path)


def _figure() -> tuple[Any, Any]:
    require_plots()
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    return figure, figure.subplots()


def _save(figure: Any, axes: Any, path: Path) -> None:
    axes.legend()
    axes.grid(visible=True, alpha=0.3)
    try:
        figure.savefig(path, format="png", dpi=150)
    except OSError as error:
        raise StoreError(f"The plot could not be written to {path} ({error}); name another file.") from None
