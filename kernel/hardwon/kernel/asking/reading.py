"""What a model wrote, as a value of a schema: of a list, a bad item costs itself alone."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError

from hardwon.kernel.asking.json_text import NotJson, read_json

MOST_TOLD = 5
"""Faults that are told of an answer."""
Schema = TypeVar("Schema", bound=BaseModel)

__all__ = ["ModelAnswer", "NotJson", "read_answer"]


class ModelAnswer(BaseModel):
    """A schema that knows what of an answer was left out. Names that it does not have are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    _left_out: tuple[str, ...] = PrivateAttr(default=())

    @property
    def left_out(self) -> tuple[str, ...]:
        """Return why items of the answer's lists were not taken, a sentence each."""
        return self._left_out


def read_answer(text: str, schema: type[Schema]) -> Schema:
    """Return the value that a text holds. Raises NotJson with what is wrong, as it can be told to the model."""
    data = _named(read_json(text), schema)
    if not isinstance(data, dict):
        raise NotJson("the JSON is no object")
    left_out = _shorten(data, schema)
    try:
        value = schema.model_validate(data)
    except ValidationError as error:
        left_out += _drop(data, error)
        value = _validated(data, schema)
    if isinstance(value, ModelAnswer):
        value._left_out = tuple(left_out)
    return value


def _named(data: Any, schema: type[BaseModel]) -> Any:
    """Return a bare list under the name of the one list that the schema has."""
    lists = [name for name, field in schema.model_fields.items() if _is_list(field.annotation)]
    return {lists[0]: data} if isinstance(data, list) and len(lists) == 1 else data


def _is_list(annotation: Any) -> bool:
    return getattr(annotation, "__origin__", annotation) in (list, tuple)


def _shorten(data: dict[str, Any], schema: type[BaseModel]) -> list[str]:
    """Cut lists to the length that the schema allows; return what that left out."""
    left_out = []
    for name, field in schema.model_fields.items():
        most = next((each.max_length for each in field.metadata if hasattr(each, "max_length")), None)
        given = data.get(name)
        if isinstance(given, list) and most is not None and len(given) > most:
            data[name] = given[:most]
            left_out.append(f"{name}: {len(given) - most} items more than {most}.")
    return left_out


def _drop(data: dict[str, Any], error: ValidationError) -> list[str]:
    """Take out the items that are wrong; return why. Raises NotJson where something else is wrong."""
    wrong: dict[tuple[str, int], str] = {}
    for each in error.errors():
        place = each["loc"]
        if len(place) < 2 or not isinstance(place[0], str) or not isinstance(place[1], int):
            raise NotJson(_told(error)) from None
        if isinstance(data.get(place[0]), list):
            wrong.setdefault((place[0], place[1]), f"{_place(place)}: {each['msg']}.")
    for name, number in sorted(wrong, reverse=True):
        del data[name][number]
    return list(wrong.values())


def _validated(data: dict[str, Any], schema: type[Schema]) -> Schema:
    try:
        return schema.model_validate(data)
    except ValidationError as error:
        raise NotJson(_told(error)) from None


def _told(error: ValidationError) -> str:
    """Return what is wrong, without what was given: that is known to the one who gave it."""
    return "; ".join(f"{_place(each['loc'])}: {each['msg']}" for each in error.errors()[:MOST_TOLD])


def _place(place: tuple[int | str, ...]) -> str:
    return ".".join(map(str, place)) or "the answer"
