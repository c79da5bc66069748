"""An action's parameters as Typer's: positional ones become arguments, keyword-only ones options."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import typer

from hardwon.kernel.actions import Action, Report
from hardwon.kernel.errors import PluginError
from hardwon.kernel.home import Home

METAVARS = {str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "PATH"}
"""What stands for a value in the help, by its type; a bool takes none."""
_TAKEN = ("home", "json")
HOME_OPTION = typer.Option(
    "--home", metavar="PATH", help="the memory's folder, if not the usual one", show_default=False
)
"""Taken by every command, and before it."""
_HOME = inspect.Parameter(
    "home",
    inspect.Parameter.KEYWORD_ONLY,
    default=None,
    annotation=Annotated[str | None, HOME_OPTION],
)
_JSON = inspect.Parameter(
    "json",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[bool, typer.Option("--json", help="print one JSON value instead of text")],
)


def command_parameters(name: str, action: Action) -> list[inspect.Parameter]:
    """Return the parameters of an action's command. Raises PluginError for one that cannot be a command."""
    parameters = [_parameter(name, each) for each in _own_parameters(name, action)]
    return [*parameters, _HOME, _JSON]


def gathered(action: Action, given: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the positional and the keyword arguments to call the action with."""
    positional: list[Any] = []
    named: dict[str, Any] = {}
    for each in list(inspect.signature(action.run).parameters.values())[1:]:
        value = _readable(given[each.name])
        if each.kind is inspect.Parameter.KEYWORD_ONLY:
            named[each.name] = value
        else:
            positional.append(value)
    return positional, named


def _readable(value: Any) -> Any:
    """Return a value as an action takes it: several as a tuple, texts without bytes of another encoding."""
    if isinstance(value, list):
        return tuple(map(_readable, value))
    if not isinstance(value, str):
        return value
    from hardwon.kernel.text import clean

    return clean(value)


def _own_parameters(name: str, action: Action) -> list[inspect.Parameter]:
    """Return the parameters after the home, their annotations evaluated."""
    try:
        signature = inspect.signature(action.run, eval_str=True, locals={"Home": Home, "Report": Report})
    except (NameError, TypeError, ValueError) as error:
        raise PluginError(f"the signature of “{name}” cannot be read: {error}") from None
    return list(signature.parameters.values())[1:]


def _parameter(command: str, parameter: inspect.Parameter) -> inspect.Parameter:
    """Return one parameter as Typer reads it; several values travel as a list."""
    annotation, help = _split(parameter.annotation)
    plain, several = _plain(annotation)
    if (plain not in METAVARS and plain is not bool) or parameter.name in _TAKEN:
        raise PluginError(
            f"the parameter {parameter.name} of “{command}” has a type or a name that no command can have"
        )
    taken: Any = list[plain] if several else annotation  # type: ignore[valid-type]
    name = parameter.name.rstrip("_").replace("_", "-")
    default = parameter.default
    unset = default in (inspect.Parameter.empty, None, (), "", False)
    if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
        told: Any = typer.Option(f"--{name}", metavar=METAVARS.get(plain), help=help, show_default=not unset)
    else:
        told = typer.Argument(
            help=help, metavar=name.upper(), show_default=default not in (inspect.Parameter.empty, None)
        )
    return parameter.replace(
        annotation=Annotated[taken, told],
        kind=inspect.Parameter.KEYWORD_ONLY,
        default=list(default) if several and isinstance(default, tuple) else default,
    )


def _split(annotation: Any) -> tuple[Any, str]:
    """Return the bare type and the help text of `Annotated[type, "help"]`."""
    if get_origin(annotation) is not Annotated:
        return annotation, ""
    bare, *notes = get_args(annotation)
    return bare, next((note for note in notes if isinstance(note, str)), "")


def _plain(annotation: Any) -> tuple[Any, bool]:
    """Return the type of one value, and whether several may be given."""
    if get_origin(annotation) in (tuple, list):
        return get_args(annotation)[0], True
    if get_origin(annotation) in (Union, UnionType):
        inner = [each for each in get_args(annotation) if each is not NoneType]
        return (inner[0], False) if len(inner) == 1 else (None, False)
    return annotation, False
