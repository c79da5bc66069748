"""Holds a call's arguments against the tool's own schema, as far as our schemas go."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}
TOLD = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def problem_with(schema: dict[str, Any], value: Any, name: str = "arguments") -> str | None:
    """Return what is wrong with a value, in a sentence that says what to give; None when nothing is."""
    wanted: Any = TYPES[schema["type"]]
    if not isinstance(value, wanted) or isinstance(value, bool) is not (wanted is bool):
        return f"“{name}” has to be {TOLD[schema['type']]}; give one."
    if schema["type"] == "boolean":
        return None
    if schema["type"] == "object":
        return _object_problem(schema, value)
    if "enum" in schema and value not in schema["enum"]:
        return f"“{name}” is one of {', '.join(schema['enum'])}; choose one."
    if schema["type"] == "array":
        return _array_problem(schema, value, name)
    if schema["type"] == "integer":
        return _number_problem(schema, value, name)
    return _text_problem(schema, value, name)


def _object_problem(schema: dict[str, Any], value: dict[str, Any]) -> str | None:
    properties = schema["properties"]
    given = {name: each for name, each in value.items() if each is not None}
    for name in schema["required"]:
        if name not in given:
            return f"“{name}” is missing; give it."
    for name, each in given.items():
        if name not in properties:
            return f"There is no argument “{name[:60]}”; there are {', '.join(properties)}."
        if problem := problem_with(properties[name], each, name):
            return problem
    return None


def _array_problem(schema: dict[str, Any], value: list[Any], name: str) -> str | None:
    least, most = schema.get("minItems", 0), schema["maxItems"]
    if not least <= len(value) <= most:
        return f"“{name}” holds {least} to {most} items, not {len(value)}; give as many."
    return next((problem for each in value if (problem := problem_with(schema["items"], each, name))), None)


def _number_problem(schema: dict[str, Any], value: int, name: str) -> str | None:
    least, most = schema["minimum"], schema["maximum"]
    return None if least <= value <= most else f"“{name}” lies between {least} and {most}; give such a number."


def _text_problem(schema: dict[str, Any], value: str, name: str) -> str | None:
    if schema.get("minLength") and not value.strip():
        return f"“{name}” is empty; give a text."
    longest = schema.get("maxLength")
    if longest and len(value) > longest:
        return f"“{name}” has {len(value)} characters where at most {longest} are taken; say it in fewer words."
    return None
