"""What no store can hold is cleaned before it is kept, by the one rule of all stores: the kernel's `clean`."""

from __future__ import annotations

import re
from typing import Any

from hardwon.kernel.text import clean

SUSPECT = re.compile("\\\\u00[01][0-9a-f]|\\\\[bf]|[\x7f\ufffe\uffff]")
"""How control characters look in JSON."""


def cleaned_values(value: Any) -> Any:
    """Return plain data with every text in it cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {cleaned_values(key): cleaned_values(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(cleaned_values, value))
    return value
