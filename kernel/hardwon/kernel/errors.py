"""Every error that hardwon raises on purpose.

HardwonError
├── UsageError               the request itself cannot be understood; exit code 2
├── NotFound                 no such memory, proposal, project or file
│   └── Ambiguous            a prefix that fits several
├── InvalidInput             something given cannot be taken: a value, a line, a file
│   └── UnreadableFile       a file of the memory that cannot be parsed; it is left alone
├── Conflict                 the thing changed since it was read, or was decided already
├── StoreError               the truth could not be written or read
│   ├── StoreBusy            another process holds the writers' lock for too long
│   └── NewerFormat          the home was written by a newer hardwon; nothing was touched
├── PluginError              a plugin is missing, broken, or claims a name that is taken
└── Unavailable              an optional part is not installed or cannot run here
    └── ModelFailure         a language model was asked and gave nothing that can be used

Each message is one sentence that says what to do next.
"""


class HardwonError(Exception):
    """The root: whatever a caller may want to catch."""

    exit_code = 1


class UsageError(HardwonError):
    """The request cannot be understood."""

    exit_code = 2


class NotFound(HardwonError):
    """Nothing has this id or name."""


class Ambiguous(NotFound):
    """Several things start with this prefix."""


class InvalidInput(HardwonError):
    """A value, a line or a file cannot be taken as it is."""


class UnreadableFile(InvalidInput):
    """A file of the memory cannot be parsed; its bytes are left alone."""

    def __init__(self, path: str, reason: str, line: int | None = None) -> None:
        where = f"{path}:{line}" if line else path
        super().__init__(f"{where} cannot be read ({reason}); mend the file, it was left as it is.")
        self.path = path
        self.reason = reason
        self.line = line


class Conflict(HardwonError):
    """The thing changed since it was read, or was decided already."""


class StoreError(HardwonError):
    """The truth could not be written or read."""


class StoreBusy(StoreError):
    """Another process holds the writers' lock for too long."""


class NewerFormat(StoreError):
    """The home was written by a newer hardwon."""


class PluginError(HardwonError):
    """A plugin is missing, broken, or claims a name that is taken."""


class Unavailable(HardwonError):
    """An optional part is not installed or cannot run here."""


class ModelFailure(Unavailable):
    """A language model was asked and gave nothing that can be used.

    `outcome` is one word for it: timeout (no answer in time), rate-limited (too many calls for the provider), rejected
    (it takes neither key, model nor request), broken (a fault of its own), unreachable (nothing answers at the
    address), unusable (the answer does not fit the schema), declined (the model does not want to answer).
    """

    def __init__(
        self,
        message: str,
        outcome: str,
        *,
        cost: object = None,
        answer: str = "",
        retry_after: float | None = None,
    ) -> None:
        """Keep what is known of the call.

        `cost` is a hardwon.kernel.ports.Cost, None where nothing came back; `answer` what came back and could not be
        used; `retry_after` the seconds that the provider asks to be left alone for.
        """
        super().__init__(message)
        self.outcome = outcome
        self.cost = cost
        self.answer = answer
        self.retry_after = retry_after
