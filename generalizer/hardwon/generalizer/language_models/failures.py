"""What became of a call, from whatever litellm raised: by the HTTP status that its errors carry, and by their names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from hardwon.kernel.errors import HardwonError, ModelFailure

LONGEST_REASON = 200
"""Characters of what a provider said; its texts may repeat what it was sent."""
_NO_CONNECTION = ("ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror")
_OF_STATUS = {408: "timeout", 429: "rate-limited"}
_ADVICE = {
    "timeout": "raise language_model.timeout or ask a faster model",
    "rate-limited": "it is asked again later",
    "rejected": "check language_model.model, its key and its address",
    "broken": "it is asked again later",
    "unreachable": "check language_model.api_base and the network",
    "declined": "nothing is to be done",
}


def failure_of(model: str, error: Exception) -> ModelFailure:
    """Return the failure in the kernel's terms."""
    if isinstance(error, ModelFailure):
        return error
    outcome = "broken" if isinstance(error, HardwonError) else _outcome(error)
    said = next(iter(str(error).strip().splitlines()), "no reason given")
    message = f"{model} gave no answer ({type(error).__name__}: {_shortened(said)}); {_ADVICE[outcome]}."
    return ModelFailure(message, outcome, retry_after=_retry_after(error))


def _shortened(said: str) -> str:
    """Return whole words: of half a key nobody could tell any more that it is a secret."""
    return said if len(said) <= LONGEST_REASON else f"{said[:LONGEST_REASON].rpartition(' ')[0]} …"


def _outcome(error: Exception) -> str:
    names = {each.__name__ for each in type(error).__mro__}
    if names & {"Timeout", "APITimeoutError", "TimeoutError"}:
        return "timeout"
    if "ContentPolicyViolationError" in names:
        return "declined"
    status = _status(error)
    if status in _OF_STATUS:
        return _OF_STATUS[status]
    if status is None and any(type(each).__name__ in _NO_CONNECTION for each in _causes(error)):
        return "unreachable"
    return "rejected" if status is not None and status < 500 else "broken"


def _status(error: Exception) -> int | None:
    """Return the HTTP status that came back: of the innermost error, since litellm makes up another for some."""
    answers = [getattr(each, "response", None) for each in _causes(error)]
    statuses = [getattr(each, "status_code", None) for each in answers if each is not None]
    known = [each for each in statuses if isinstance(each, int) and each >= 300]
    no_answer = any(type(each).__name__ in _NO_CONNECTION for each in _causes(error))
    return known[-1] if known and not no_answer else None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Walk an error and what it came from, the innermost last."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _retry_after(error: Exception) -> float | None:
    """Return the seconds of a Retry-After header: a number of them, or a date."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or getattr(
        error, "litellm_response_headers", None
    )
    given = headers.get("retry-after") if headers is not None else None
    if not given:
        return None
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
