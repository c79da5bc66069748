"""What a client may show beside its tools, as it lists it."""

from __future__ import annotations

SCHEME = "hardwon://"
RULES = f"{SCHEME}rules"
REVIEW = f"{SCHEME}review"
MEMORY = f"{SCHEME}memory/"
MARKDOWN = "text/markdown"

LISTED = [
    {
        "uri": RULES,
        "name": "rules",
        "title": "Rules",
        "description": "The rules that the user accepted and that hold in this project.",
        "mimeType": MARKDOWN,
    },
    {
        "uri": REVIEW,
        "name": "review",
        "title": "Awaiting review",
        "description": "The proposed rules that wait for the user's decision.",
        "mimeType": MARKDOWN,
    },
]
TEMPLATES = [
    {
        "uriTemplate": f"{MEMORY}{{id}}",
        "name": "memory",
        "title": "A memory",
        "description": "One memory whole, by its id.",
        "mimeType": MARKDOWN,
    }
]
