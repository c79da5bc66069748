"""The commands that measure: `evaluate` on a labelled set, `backtest` on the user's own lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.counting import counted
from hardwon.kernel.errors import UsageError
from hardwon.kernel.home import Home

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hardwon.generalizer.evaluation.evaluate import Evaluation
    from hardwon.generalizer.evaluation.replay import Replay
    from hardwon.kernel.sameness.verdict import Sameness

Plot = Annotated[str, "write a plot as PNG to this file"]
MOST_RULES = 20
"""Rules that the text of a backtest lists; the JSON has all."""


def evaluate(
    home: Home,
    labelled: Annotated[str, "a file of lessons with their causes, or of pairs to calibrate with"] = "",
    *,
    calibrate: Annotated[bool, "fit from which nearness on two texts speak of one subject, and keep it"] = False,
    plot: Plot = "",
) -> Report:
    """Score clusters, rules and recall on a labelled set, with your settings; your memory is not touched."""
    from pathlib import Path

    if calibrate:
        return _calibrate(home, Path(labelled) if labelled else None)
    if not labelled:
        raise UsageError("There is nothing to score; name a labelled set (docs/reference/formats.md), or --calibrate.")
    from hardwon.generalizer.evaluation.charts import require_plots, save_reliability
    from hardwon.generalizer.evaluation.evaluate import evaluate as run
    from hardwon.generalizer.evaluation.labelled import read_labelled

    if plot:
        require_plots()
    result = run(home, read_labelled(Path(labelled)))
    if plot:
        save_reliability(result.reliability, Path(plot))
    return Report(_evaluation_data(result), _evaluation_text(result))


def _calibrate(home: Home, pairs: Path | None) -> Report:
    from dataclasses import asdict

    from hardwon.generalizer.evaluation.calibration import calibrate

    home.require()
    result = calibrate(home, pairs)
    found = [
        {"is": true.value, "taken_for": taken.value, "pairs": count} for (true, taken), count in result.found.items()
    ]
    lines = [
        f"{counted(result.pairs, 'pair')}, embedder `{result.embedder}`.",
        "| language | threshold before | now |\n|---|---|---|\n"
        + "\n".join(f"| {code} | {result.before.get(code, 0):.3f} | {now:.3f} |" for code, now in result.after.items()),
        _confusion(result.found),
    ]
    return Report({**asdict(result), "found": found}, "\n\n".join(lines))


def _confusion(found: Mapping[tuple[Sameness, Sameness], int]) -> str:
    from hardwon.kernel.sameness.verdict import Sameness

    head = " | ".join(Sameness)
    rows = [
        f"| {true} | " + " | ".join(str(found.get((true, taken), 0)) for taken in Sameness) + " |" for true in Sameness
    ]
    return "\n".join([f"| is, taken for | {head} |", "|---" * (len(Sameness) + 1) + "|", *rows])


def _evaluation_data(result: Evaluation) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(result)


def _evaluation_text(result: Evaluation) -> str:
    from hardwon.generalizer.evaluation.charts import reliability_text

    lines = [f"{counted(result.lessons, 'lesson')} of {counted(result.causes, 'cause')}."]
    for title, measures in (("Proposals", result.clusters), ("Rules", result.rules), ("Recall", result.retrieval)):
        if measures:
            lines += ["", f"## {title}", "", *_measures(measures, result.intervals)]
    lines += ["", "## Confidence against being right", "", reliability_text(result.reliability), ""]
    area = "unknown" if result.area_under_curve is None else f"{result.area_under_curve:.2f}"
    lines.append(f"Calibration error {result.calibration_error:.2f}, area under the curve {area}.")
    lines += [f"\n{each}" for each in result.problems]
    return "\n".join(lines)


def _measures(measures: Mapping[str, float], intervals: Mapping[str, tuple[float, float]]) -> list[str]:
    lines = ["| measure | value | 95 % interval |", "|---|---|---|"]
    for name, value in measures.items():
        spread = "{:.2f}–{:.2f}".format(*intervals[name]) if name in intervals else ""
        lines.append(f"| {name} | {value:g} | {spread} |" if value > 1 else f"| {name} | {value:.2f} | {spread} |")
    return lines


def backtest(
    home: Home,
    labelled: Annotated[str, "a labelled set with dates to replay instead of your lessons"] = "",
    *,
    days: Annotated[int, "days between two runs of `consolidate` in the replay"] = 7,
    plot: Plot = "",
) -> Report:
    """Replay your dated lessons, to see how many later incidents a rule would have warned of."""
    from datetime import timedelta
    from pathlib import Path

    from hardwon.generalizer.evaluation.charts import require_plots, save_warned
    from hardwon.generalizer.evaluation.labelled import read_labelled
    from hardwon.generalizer.evaluation.replay import replay, replay_labelled
    from hardwon.kernel.errors import InvalidInput
    from hardwon.kernel.use_cases.consolidating.material import read_material

    if days < 1:
        raise InvalidInput("A replay goes forward by a day at least; give --days 1 or more.")
    if days > timedelta.max.days:
        raise InvalidInput(f"No calendar has so many days; give --days {timedelta.max.days} or fewer.")
    if plot:
        require_plots()
    every = timedelta(days=days)
    if labelled:
        result = replay_labelled(home, read_labelled(Path(labelled)), every)
    else:
        result = replay(home, read_material(home).lessons, every)
    if plot:
        save_warned(result.incidents, Path(plot))
    return Report(_replay_data(result), _replay_text(result))


def _replay_data(result: Replay) -> dict[str, Any]:
    from dataclasses import asdict

    from hardwon.generalizer.evaluation.replay import verdicts

    return {"verdicts": dict(verdicts(result.incidents)), **asdict(result)}


def _replay_text(result: Replay) -> str:
    from hardwon.generalizer.evaluation.charts import warned_by_year, warned_text
    from hardwon.generalizer.evaluation.replay import verdicts

    counts = verdicts(result.incidents)
    later = counts["of a cause met before"]
    lines = [
        f"Replayed {counted(result.lessons, 'dated lesson')}; {result.undated} without a date took no part. "
        f"Decided by {result.decided_by}.",
        f"{later} of them came of a cause that had been met before. Of these, {counts['with a rule in force']} had a "
        f"rule in force, and **{counts['warned']} would have been warned of**.",
        f"Rules shown: {counts['rules shown']}, of which {counts['beside the point']} were beside the point.",
        warned_text(warned_by_year(result.incidents)),
    ]
    if result.rules:
        lines.append("\n".join(_rule_lines(result)))
    else:
        lines.append("No rule came of it.")
    return "\n\n".join(lines)


def _rule_lines(result: Replay) -> list[str]:
    lines = ["| rule | came | after incidents | later incidents | warned |", "|---|---|---|---|---|"]
    for rule in result.rules[:MOST_RULES]:
        later = [each for each in result.incidents if each.cause and each.cause == rule.cause and each.at > rule.at]
        warned = sum(each.warned for each in later)
        lines.append(f"| {rule.rule} | {rule.at:%Y-%m-%d} | {rule.after} | {len(later)} | {warned} |")
    if len(result.rules) > MOST_RULES:
        lines.append(f"\nAnd {counted(len(result.rules) - MOST_RULES, 'more rule')}; --json has them all.")
    return lines


EVALUATE = Action(evaluate, "evaluate lessons.jsonl", reads_only=True)
BACKTEST = Action(backtest, "backtest", reads_only=True)
