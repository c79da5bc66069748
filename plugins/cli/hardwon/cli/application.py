"""Turns actions into a Typer application: a name with spaces becomes a command in groups.

Help is plain text: Typer's rich help would import rich for every `--help` (docs/benchmarks.md).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from hardwon.cli.parameters import HOME_OPTION, command_parameters, gathered
from hardwon.cli.running import run_action
from hardwon.kernel.actions import Action
from hardwon.kernel.errors import PluginError
from hardwon.kernel.registry import Broken, Registry

SUMMARY = "What one project learned the hard way becomes, after your yes, a rule for all your projects."

_CONTEXT = inspect.Parameter("typer_context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
"""What Typer hands to a command that asks for it: there, what stood before the command is found."""


def build_application(registry: Registry, asked: Sequence[str] | None = None) -> tuple[typer.Typer, list[Broken]]:
    """Return the application of all registered actions, and the actions that cannot be offered.

    `asked` are the words of the command line: a command whose first word is not among them is listed, and not built.
    None builds all.
    """
    root = _group(None)
    root.callback(help=SUMMARY, epilog="Start with: hardwon demo")(_root)
    groups: dict[str, typer.Typer] = {"": root}
    unusable: list[Broken] = []
    actions = registry.all("actions")
    for name in sorted(actions, key=lambda each: each.split()):
        parent, _, last = name.rpartition(" ")
        if asked is not None and name.split()[0] not in asked:
            command = _listed_only
        else:
            try:
                command = _command(name, actions[name])
            except PluginError as error:
                owner = registry.owner("actions", name)
                unusable.append(Broken(f"{owner} (command “{name}”)", _distribution(registry, owner), str(error)))
                continue
        _parent(parent, groups, list(actions)).command(last, **_texts(actions[name]))(command)
    return root, unusable


def _texts(action: Action) -> dict[str, Any]:
    """Return what Typer is told of a command beside its function."""
    help = inspect.getdoc(action.run) or "No description."
    return {"help": help, "short_help": help.splitlines()[0], "epilog": f"Example: hardwon {action.example}"}


def _listed_only() -> None:
    """Stand for a command that was not asked for."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"hardwon {version('hardwon')}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
    home: Annotated[str | None, HOME_OPTION] = None,
) -> None:
    """Take what stands before a command."""


def _group(help: str | None) -> typer.Typer:
    return typer.Typer(
        help=help, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=True
    )


def _parent(name: str, groups: dict[str, typer.Typer], actions: list[str]) -> typer.Typer:
    """Return the group that a command lies in, made on first use."""
    if name not in groups:
        inside = ", ".join(sorted(each[len(name) + 1 :] for each in actions if each.startswith(f"{name} ")))
        group = _group(f"{name.capitalize()}: {inside}.")
        outer, _, last = name.rpartition(" ")
        _parent(outer, groups, actions).add_typer(group, name=last)
        groups[name] = group
    return groups[name]


def _command(name: str, action: Action) -> Callable[..., None]:
    """Return a function with the signature that Typer reads. Raises PluginError for what a command line cannot ask."""
    parameters = [_CONTEXT, *command_parameters(name, action)]

    def command(typer_context: typer.Context, home: str | None, json: bool, **given: Any) -> None:
        before = typer_context.find_root().params.get("home")
        raise typer.Exit(run_action(action, gathered(action, given), home=home or before, as_json=json))

    command.__name__ = name.replace(" ", "_")
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in parameters}
    return command


def _distribution(registry: Registry, owner: str) -> str:
    return next((point.distribution for point in registry.loaded if point.name == owner), "?")
