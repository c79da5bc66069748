"""The MCP server under the official inspector, end to end: `python tests/end_to_end/mcp_inspector.py`."""

import json
import sys
from pathlib import Path
from typing import Any

from support.network import isolate
from support.programs import NotInstalled, Program, require
from support.report import Report
from support.workplace import Workplace

INSPECTOR = Program("mcp-inspector", "@modelcontextprotocol/inspector", "2.12.0")
LESSON = "The payment API charges twice when a call that timed out is repeated."
WEAK_LESSON = "The nightly report lacks an hour on the day on which the clocks change."
PRINCIPLE = "Send the same idempotency key with every repeat of a request that may have taken effect."
PLAIN = {"anyOf", "oneOf", "allOf", "$ref", "$defs"}


class Inspector:
    """Asks the server that `hardwon mcp` tells of, from a project's folder."""

    def __init__(self, place: Workplace, folder: Path) -> None:
        self._place = place
        self._folder = folder
        told = json.loads(place.run(["hardwon", "mcp", "--json"], folder).output)
        self._server = [told["command"], *told["args"]]

    def ask(self, method: str, *options: str) -> Any:
        """Return the result of one method."""
        command = ["mcp-inspector", "--cli", "--method", method, *options, "--", *self._server]
        done = self._place.run(command, self._folder)
        try:
            return json.loads(done.output)
        except ValueError:
            raise AssertionError(f"{method}: {done.code} {done.said}") from None

    def call(self, tool: str, **arguments: str) -> Any:
        """Return the result of a tool."""
        given = [word for name, value in arguments.items() for word in ("--tool-arg", f"{name}={value}")]
        return self.ask("tools/call", "--tool-name", tool, *given)


def lists(report: Report, inspector: Inspector) -> None:
    """Look at what is offered, as a client reads it."""
    tools = inspector.ask("tools/list")["tools"]
    names = {tool["name"] for tool in tools}
    report.check("it lists its tools", {"memory_search", "memory_save", "memory_feedback"} <= names, sorted(names))
    report.check("deciding is not offered unasked", "memory_review_decide" not in names)
    report.check("their schemas are plain", not any(word in json.dumps(tools) for word in PLAIN))
    uris = [each["uri"] for each in inspector.ask("resources/list")["resources"]]
    report.check("it lists its resources", uris == ["hardwon://rules", "hardwon://review"], uris)
    templates = inspector.ask("resources/templates/list")["resourceTemplates"]
    report.check("it lists its template", [each["uriTemplate"] for each in templates] == ["hardwon://memory/{id}"])
    prompts = [each["name"] for each in inspector.ask("prompts/list")["prompts"]]
    report.check("it lists its prompts", prompts == ["remember", "recall", "review", "draft"], prompts)


def calls(report: Report, inspector: Inspector, other: Inspector) -> None:
    """Save in one project, and find it there and not in another."""
    weak = inspector.call("memory_save", content=WEAK_LESSON, principle="Call retry_payment() with care.")
    told = json.dumps(weak["content"], ensure_ascii=False)
    kept = not weak.get("isError") and "retry_payment" in told
    report.check("a principle with names costs no memory, and the answer says what to mend", kept, weak["content"])
    saved = inspector.call("memory_save", content=LESSON, principle=PRINCIPLE)
    report.check("a lesson is saved", not saved.get("isError"), saved["content"])
    question = "may I repeat a payment after a timeout?"
    found = inspector.call("memory_search", query=question)["structuredContent"]["memories"]
    report.check("its project finds it", [each["content"] for each in found] == [LESSON], found)
    there = other.call("memory_search", query=question)["structuredContent"]
    report.check("another project does not", there["memories"] == [], there["refused"])
    id = saved["structuredContent"]["memory"]["id"]
    read = inspector.ask("resources/read", "--uri", f"hardwon://memory/{id}")["contents"]
    report.check("it is a resource", LESSON in read[0]["text"], read)
    stopped = inspector.call("memory_feedback", id=id, verdict="stop")
    report.check("feedback is taken", not stopped.get("isError"), stopped["content"])
    prompt = inspector.ask("prompts/get", "--prompt-name", "recall", "--prompt-args", f"question={question}")
    report.check("a prompt is filled in", question in json.dumps(prompt), prompt)


def main() -> int:
    """Ask all of it; return the exit code."""
    report = Report("MCP inspector")
    try:
        require([INSPECTOR])
    except NotInstalled as reason:
        return report.skip(str(reason))
    isolate(report)
    with Workplace([INSPECTOR]) as place:
        inspector = Inspector(place, place.make_project("shop"))
        try:
            lists(report, inspector)
            calls(report, inspector, Inspector(place, place.make_project("bank")))
        except AssertionError as error:
            report.check("the inspector gets an answer", False, error)
    return report.end()


if __name__ == "__main__":
    sys.exit(main())
