"""A command that failed, and the form of it that worked, teach without a word; in every harness."""

from __future__ import annotations

import pytest
from saying import agent, call, extracts, failure, learned, passed, turn, user

from hardwon.kernel.memory import Kind

FAILED, ERROR = "python load.py --month 3", "Traceback\nUnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9"
WORKED = "python load.py --month 3 --encoding latin-1"


@pytest.mark.parametrize(
    ("harness", "tool"),
    [
        ("claude-code", "Bash"),
        ("codex", "shell"),
        ("codex", "exec_command"),
        ("gemini", "run_shell_command"),
        ("qwen", "run_shell_command"),
        ("opencode", "bash"),
        ("dsh", "terminal"),
    ],
)
def test_the_form_that_worked_is_learned_in_every_harness(harness: str, tool: str) -> None:
    """Said by the tool, the error line as evidence, the command as the fix."""
    said = [user("load March"), failure(tool, FAILED, ERROR), call(tool, WORKED, "loaded 31 files"), agent("Loaded.")]

    [extract] = passed(extracts([turn(*said, harness=harness)]))

    assert extract.kind is Kind.LESSON
    assert extract.said_by == "tool"
    assert extract.evidence == "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9"
    assert extract.lesson.fix == WORKED
    assert FAILED in extract.content
    assert WORKED in extract.content


def test_what_the_agent_says_of_the_cause_is_told_too() -> None:
    """It looked into the file in between."""
    [extract] = learned(
        user("load March"),
        failure("Bash", FAILED, ERROR),
        agent("The files must be read as Latin-1: that is how the supplier exports them."),
        call("Bash", WORKED, "loaded 31 files"),
    )

    assert "supplier" in (extract.lesson.cause or "")


@pytest.mark.parametrize(
    "said",
    [
        [
            failure("Bash", "go test ./...", "error: 3 failed"),
            call("Edit", "a.go", "ok"),
            call("Bash", "go test ./...", "ok"),
        ],
        [failure("Bash", FAILED, ERROR), call("Edit", "load.py", "updated"), call("Bash", WORKED, "loaded")],
        [failure("Bash", "curl localhost/health", "connection refused"), call("Bash", "curl localhost/health", "ok")],
        [failure("Bash", "gh pr checks 142", "error: none"), call("Bash", "gh pr diff 142", "+ line")],
        [failure("Bash", "cat notes.md", "error: no such file"), call("Bash", "cat docs/notes.md", "text")],
        [failure("Grep", "handle", "error: path not found"), call("Grep", "handle src", "4 files")],
        [failure("Bash", FAILED, "The user doesn't want to proceed with this tool use."), call("Bash", WORKED, "ok")],
        [failure("Bash", FAILED, ERROR), failure("Bash", WORKED, ERROR)],
        [failure("Bash", FAILED, ERROR)],
    ],
    ids=[
        "code mended",
        "code and command",
        "waited for",
        "another command",
        "looking",
        "no command",
        "refused",
        "failed again",
        "never worked",
    ],
)
def test_other_failures_teach_nothing_by_themselves(said: list[tuple[str, ...]]) -> None:
    """What was mended in the code, the code says; what was waited for is over."""
    assert learned(user("go on"), *said, agent("All right.")) == []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("failed", "error", "worked", "result"),
    [
        (
            "mvn verify",
            "Fatal error compiling: release version 21 not supported",
            "JAVA_HOME=/opt/jdk-21 mvn verify",
            "ok",
        ),
        ("fuzz build", "the option Z is only accepted on the nightly compiler", "fuzz +nightly build", "Finished"),
        (
            "valgrind ./printd",
            "No such file or directory",
            "LIB=/usr/libexec valgrind ./printd",
            "0 errors from 0 contexts",
        ),
    ],
)
def test_what_a_command_needed_in_addition_is_a_lesson_without_a_word(
    failed: str, error: str, worked: str, result: str
) -> None:
    """The same command with something added, and it went well."""
    [extract] = learned(user("run it"), failure("Bash", failed, error), call("Bash", worked, result), agent("Done."))

    assert worked in extract.content


def test_to_cut_the_output_of_a_command_mends_nothing() -> None:
    """Behind a pipe, a failure goes unseen."""
    assert not learned(
        user("run it"),
        failure("Bash", "npm run build", "exploded"),
        call("Bash", "npm run build | tail -5", "exploded"),
    )
