"""Whether a sentence speaks of a project by its name, or by a part of it that is no word of everybody's."""

from __future__ import annotations

import re

_EVERYBODYS = frozenset(
    re.findall(
        r"\w+",
        """admin agent agents android api apis app apps auth backend backup base benchmark bin bot build cache ci cli
        client clients cloud cmd code common config container core crawler cron dashboard data database db deploy
        desktop dev devops doc docker docs documentation email engine event events example examples frontend gateway
        git github gitlab graph helper helpers home html http image images import index infra infrastructure ios job
        jobs js json kernel lib library libs linux log logger logging logs mail main master message messages metrics
        mobile model models module monitor network node notes package packages parser payment payments pipeline
        platform plugin plugins portal project projects prototype proxy python queue repo report reports repository
        router runner rust scheduler schema script scripts sdk search security server servers service services settings
        site sql src stack storage store stream system task tasks template templates test testing tests tool tooling
        tools typescript url user users util utils web webapp website worker workers workflow workspace www""",
    )
)
"""Words of the trade: as a part of a project's name they name nothing, and a rule may speak of them."""

_FOLDER = re.compile(r"[/~\\]|[a-z]:[/\\]")


def is_named(sentence: str, name: str) -> bool:
    """Tell whether a project's name stands in the sentence, or a part of it that is no word of everybody's."""
    whole, lowered = name.lower(), sentence.lower()
    parts = [part for part in re.split(r"[/:\\]", whole) if len(part) > 2]
    # Of a folder, what lies around it is the machine's and no name of the project.
    own = set(parts[-1:] if _FOLDER.match(whole) else parts) - _EVERYBODYS
    wanted = {whole, *own} if len(whole) > 2 else own
    alone = (rf"(?<![\w-]){re.escape(each)}(?![\w-])" for each in wanted)
    return any(re.search(pattern, lowered, re.ASCII) for pattern in alone)


def is_everybodys(name: str) -> bool:
    """Tell whether a package's name is a word of the trade, such as core or server, and names nothing."""
    return len(name) < 3 or name.lower() in _EVERYBODYS
