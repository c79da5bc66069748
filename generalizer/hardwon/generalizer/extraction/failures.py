"""Finds a command that failed and the other form of it that worked: nobody needs to say a word for that to be a lesson.

Only where the command itself was changed. A command that works after the code was changed taught something about the
code, and the code says it now; one that works unchanged was waited for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from hardwon.generalizer.extraction.candidates import Candidate
from hardwon.generalizer.extraction.cues import reported_as, typed_as
from hardwon.generalizer.extraction.passages import passages
from hardwon.generalizer.extraction.phrasing import is_chinese, one_line
from hardwon.kernel.memory import Kind, Lesson
from hardwon.kernel.session import Message, Speaker, Turn

CONFIDENCE = 0.6
ALIKE = 0.6
"""Share of the failed command's words that the working one must hold."""
TRIES = 8
"""Calls after the failure among which the working form is looked for."""

_SHELLS = re.compile(r"bash|shell|exec|terminal|run_command|command", re.IGNORECASE)
_EDITS = re.compile(r"(?:multi|notebook)?edit|write(?:_file)?|apply_?patch|str_replace\w*|replace", re.IGNORECASE)
_WORDS = re.compile(r"[^\s|&;<>()\"'=]+")
_PIPED = re.compile(r"\s*(?:2>&1\s*)?\|(?!\|).*|\s*2>&1\s*$", re.DOTALL)
_NO_ERRORS = re.compile(r"\b(?:0|no|without) errors?\b", re.IGNORECASE)
_CODE = re.compile(r"(?:exit code|exited with(?: code)?|status)[: ]*\d+", re.IGNORECASE)
_LOOKING = re.compile(
    r"^(?:cd \S+ && )?(?:ls|cat|head|tail|grep|rg|find|sed|awk|wc|echo|pwd|which|tree|stat|test|jq)\b"
)


def failures(turns: Sequence[Turn], turn: int) -> list[Candidate]:
    """Return the first command of a turn that failed and worked in another form, if there is one."""
    calls = [each for each in turns[turn].messages if each.by is Speaker.TOOL]
    for number, failed in enumerate(calls):
        if failed.failed and is_command(failed) and not reported_as("no_fault_of_the_command", failed.text):
            rest = takewhile(lambda call: not is_edit(call), calls[number + 1 : number + 1 + TRIES])
            worked = next((call for call in rest if _mends(failed, call)), None)
            told = _cause_told(turns[turn], failed)
            if worked is not None and (
                told or reported_as("tells_what_is_wrong", failed.text) or _adds(failed, worked)
            ):
                return [_candidate(turns[turn], turn, failed, worked, told)]
    return []


def is_command(call: Message) -> bool:
    """Tell whether a call runs a command that does more than look at files."""
    return _SHELLS.search(call.tool) is not None and bool(call.request) and not _LOOKING.match(call.request)


def is_edit(call: Message) -> bool:
    """Tell whether a call changes a file."""
    return _EDITS.fullmatch(call.tool) is not None


def _mends(failed: Message, later: Message) -> bool:
    """Tell whether a later call is another form of the failed one, and went well."""
    if later.failed or not is_command(later) or reported_as("error", _NO_ERRORS.sub("", later.text)[:40]):
        return False
    before, after = _words(failed), _words(later)
    same = set(before) & set(after)
    changed = set(after) - same
    return bool(changed) and len(same) >= ALIKE * len(set(before)) and _holds(after, _program(before))


def _adds(failed: Message, worked: Message) -> bool:
    """Tell whether a command is the failed one as it was, with something added that it needs: no error need say so."""
    return _holds(_words(worked), _words(failed))


def _words(call: Message) -> Sequence[str]:
    """Return a command's words, without what only looks at its output."""
    return _WORDS.findall(_PIPED.sub("", call.request))


def _program(words: Sequence[str]) -> Sequence[str]:
    """Return a command's program and what it is told to do (`gh pr checks`): its first words, without the last one."""
    named = list(takewhile(lambda word: not word.startswith(("-", "/", ".", "$")), words))
    return named[: min(3, max(1, len(words) - 1))]


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    """Tell whether the part's words stand among the words, in their order."""
    rest = iter(words)
    return all(word in rest for word in part)


def _candidate(turn: Turn, number: int, failed: Message, worked: Message, cause: str) -> Candidate:
    error = error_line(failed.text)
    chinese = any(is_chinese(each.text) for each in turn.messages if each.by is not Speaker.TOOL)
    command, fix = one_line(failed.request, 200), one_line(worked.request, 300)
    if chinese:
        content = f"`{command}` 失败（{error}）；改用 `{fix}` 成功。" + (f"原因：{cause}" if cause else "")
    else:
        content = f"`{command}` fails ({error}); `{fix}` works." + (f" {cause}" if cause else "")
    return Candidate(
        turn=number,
        message=failed,
        kind=Kind.LESSON,
        content=content,
        evidence=error,
        confidence=CONFIDENCE,
        lesson=Lesson(situation=f"{command}: {error}", cause=cause or None, fix=fix),
    )


def error_line(text: str) -> str:
    """Return the first line that names an error, as it stands; failing that, the first that says anything."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _CODE.fullmatch(line.strip())]
    return next((line for line in lines if reported_as("error", line)), lines[0] if lines else "")[:200]


def _cause_told(turn: Turn, failed: Message) -> str:
    """Return what the agent said about the cause after the failure."""
    for message in turn.messages[turn.messages.index(failed) + 1 :]:
        if message.by is Speaker.AGENT:
            for passage in passages(message.text):
                if typed_as("cause", passage.text) or typed_as("obligation", passage.text):
                    return one_line(passage.text, 200)
    return ""
