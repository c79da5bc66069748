"""Text that a person does not see and a model reads: characters of the tag block, and bidirectional overrides.

Joiners (ZWJ, ZWNJ), marks of direction and right-to-left scripts are how many languages are written; they are not
hidden text. Nor is the flag of a nation's part, an emoji that is spelt with tag characters.
"""

from __future__ import annotations

import re

_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_OVERRIDE = re.compile("[\u202d\u202e]")


def hidden_text(text: str) -> tuple[int, str] | None:
    """Return the line and a sentence on the first hidden text; None for none."""
    if text.isascii():
        return None
    for pattern, what in ((_TAGS, "invisible tag characters"), (_OVERRIDE, "a bidirectional override")):
        found = pattern.search(_FLAG.sub(lambda flag: " " * len(flag[0]), text))
        if found:
            line = text.count("\n", 0, found.start()) + 1
            return line, f"it holds {what}, which a reader does not see; remove them if they are not yours"
    return None
