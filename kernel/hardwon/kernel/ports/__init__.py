"""The ports: what an adapter implements. Structure, not ancestry: any class with these methods is one.

Ports are synchronous. A hook process lives for one event, SQLite blocks anyway, and asynchronous twins would double the
code; an asynchronous caller wraps in one place. Every implementation is safe to call from several threads.
Each port has a conformance suite and a fake in `hardwon.testing`.
"""

from hardwon.kernel.cost import Cost
from hardwon.kernel.ports.access import Clock, Console, HarnessAdapter, LessonReader, Timer
from hardwon.kernel.ports.capture import Extractor, Redacted, Redactor
from hardwon.kernel.ports.memories import Capability, MemoryStore
from hardwon.kernel.ports.mounts import MountedNotes
from hardwon.kernel.ports.offers import (
    Arranged,
    Backed,
    Filed,
    KeepsCopies,
    KeepsProposals,
    Replicated,
    Shared,
    Snapshots,
    Stamped,
    Tended,
    Verified,
)
from hardwon.kernel.ports.storage import Documents, Journal, Ledger, Proposals, Storage, Vectors
from hardwon.kernel.ports.thinking import (
    LONGEST_ANSWER,
    Bearing,
    Drafter,
    Embedder,
    Founded,
    Generalizer,
    LanguageModel,
    Noted,
    OwnsDocuments,
    Priced,
    Prompt,
    ReviewQueue,
    Role,
)

__all__ = [
    "LONGEST_ANSWER",
    "Arranged",
    "Backed",
    "Bearing",
    "Capability",
    "Clock",
    "Console",
    "Cost",
    "Documents",
    "Drafter",
    "Embedder",
    "Extractor",
    "Filed",
    "Founded",
    "Generalizer",
    "HarnessAdapter",
    "Journal",
    "KeepsCopies",
    "KeepsProposals",
    "LanguageModel",
    "Ledger",
    "LessonReader",
    "MemoryStore",
    "MountedNotes",
    "Noted",
    "OwnsDocuments",
    "Priced",
    "Prompt",
    "Proposals",
    "Redacted",
    "Redactor",
    "Replicated",
    "ReviewQueue",
    "Role",
    "Shared",
    "Snapshots",
    "Stamped",
    "Storage",
    "Tended",
    "Timer",
    "Vectors",
    "Verified",
]
