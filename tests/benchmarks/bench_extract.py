"""What the offline extractor finds in transcripts: `python tests/benchmarks/bench_extract.py FOLDER [HARNESS]`.

FOLDER holds a session a file, HARNESS is whose they are (claude-code). They are read by the harness's own adapter, each
session as one that ended. Printed is a line for each extract that passes the write gate, in the form that scorers of
labelled sessions take: {"session": the file's name, "turn_uuid", "quote", "kind", "content", "said_by", "confidence"};
to standard error, how many turns and extracts there were, why others were refused, and the seconds it took.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path

from hardwon.generalizer.extraction.offline import OfflineExtractor
from hardwon.kernel.extraction import Extract
from hardwon.kernel.registry import registry
from hardwon.kernel.session import Turn


def row(session: str, extract: Extract) -> dict[str, object]:
    """Return an extract as a scorer's row."""
    return {
        "session": session,
        "turn_uuid": extract.turn,
        "quote": extract.evidence,
        "kind": extract.kind.value,
        "content": extract.content,
        "said_by": extract.said_by,
        "confidence": extract.confidence,
    }


def main() -> None:
    """Read every session of the folder."""
    folder, harness = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "claude-code"
    adapter, extractor = registry().get("harnesses", harness), OfflineExtractor()
    turns, kept, seconds = 0, 0, 0.0
    refused: Counter[str] = Counter()
    for path in sorted(folder.glob("*.jsonl")):
        session = [each for each in adapter.read(path) if isinstance(each, Turn)]
        start = time.perf_counter()
        found = extractor.extract(session, ended=True)
        seconds += time.perf_counter() - start
        turns += len(session)
        for extract in found:
            if extract.refused:
                refused[extract.refused] += 1
            else:
                kept += 1
                sys.stdout.write(json.dumps(row(path.stem, extract), ensure_ascii=False) + "\n")
    sys.stderr.write(f"{turns} turns, {kept} extracts, {refused.total()} refused, {seconds:.2f} s\n")
    for reason, count in refused.most_common():
        sys.stderr.write(f"  {count:3} {reason}\n")


if __name__ == "__main__":
    main()
