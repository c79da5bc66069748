"""People edit proposals as files: their words count, their doubts never decide, and nothing of theirs is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardwon.kernel.home import Home
from hardwon.kernel.proposal import Part, Proposal, ProposalKind, ProposalState
from hardwon.kernel.scope import AppliesWhen, Scope
from hardwon.review_queue.document import parse, render
from hardwon.review_queue.queue import MarkdownQueue
from hardwon.testing.examples import complete_proposal
from hardwon.testing.fakes.home import open_fake_home

RULE = "Set a time limit on every network call."
MINE = "Never wait without a limit. 永远不要无限等待。"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return open_fake_home(tmp_path)


@pytest.fixture
def queue(home: Home) -> MarkdownQueue:
    return MarkdownQueue(home)


@pytest.fixture
def proposal(queue: MarkdownQueue) -> Proposal:
    proposal = complete_proposal(rule=RULE)
    queue.add([proposal])
    return proposal


def edit(home: Home, proposal: Proposal, change: Callable[[str], str]) -> str:
    name = f"review-queue/{proposal.id}.md"
    text = home.storage.documents.read(name)
    assert text is not None
    home.storage.documents.write(name, change(text))
    return name


def test_the_reviewer_sees_what_the_rule_is_for(home: Home, queue: MarkdownQueue, proposal: Proposal) -> None:
    """A line a language; text that imitates a heading stays text."""
    queue.settle(proposal.model_copy(update={"situation": "fetch a page; # call a service\n# 调用外部接口"}))
    text = home.storage.documents.read(f"review-queue/{proposal.id}.md")
    assert text is not None
    section = text.partition("## When it applies")[2].partition("## ")[0]
    assert section.split("\n")[2:4] == ["- fetch a page; # call a service", "- \\# 调用外部接口"]
    assert queue.find(proposal.id).situation == "fetch a page; # call a service\n# 调用外部接口"


@given(rule=st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), max_size=60))
@settings(max_examples=150, deadline=None)
def test_what_nobody_edited_is_not_taken_for_an_edit(rule: str) -> None:
    """A question quotes a memory of any form: spaces at its end, empty lines, Markdown of its own."""
    given_ = complete_proposal(rule=rule)
    assert not parse(render(given_, {}), "x.md", given_.id).proposal.edited


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(f"> {RULE}", f"> {MINE}"),
        lambda text: text.replace(f"> {RULE}", MINE),
        lambda text: text.replace(f"> {RULE}", f">{MINE}"),
        lambda text: "\ufeff" + text.replace(f"> {RULE}", f"> {MINE}").replace("\n", "\r\n"),
    ],
    ids=["in the quotation", "without marks", "marks without a space", "saved with CRLF and BOM"],
)
def test_an_edited_rule_is_the_proposals_rule(
    home: Home, queue: MarkdownQueue, proposal: Proposal, change: Callable[[str], str]
) -> None:
    edit(home, proposal, change)

    (pending,) = queue.pending()

    assert pending.rule == MINE
    assert pending.metadata["proposed_rule"] == RULE


def test_the_nightly_run_keeps_the_persons_words_and_notes(
    home: Home, queue: MarkdownQueue, proposal: Proposal
) -> None:
    edit(
        home,
        proposal,
        lambda text: text.replace(f"> {RULE}", "> Mine.").replace("## Notes", "## Notes\n\nAsk Ada first."),
    )

    queue.add([proposal.model_copy(update={"confidence": 0.91, "rule": "Another wording of the machine."})])

    (pending,) = queue.pending()
    assert (pending.rule, pending.confidence) == ("Mine.", 0.91)
    assert pending.metadata["proposed_rule"] == "Another wording of the machine."
    assert "Ask Ada first." in (home.storage.documents.read(f"review-queue/{proposal.id}.md") or "")


def test_the_machines_own_words_put_back_are_no_edit(home: Home, queue: MarkdownQueue, proposal: Proposal) -> None:
    edit(home, proposal, lambda text: text.replace(f"> {RULE}", "> Mine."))
    edit(home, proposal, lambda text: text.replace("Mine.", RULE))

    assert queue.pending() == [proposal]


def test_a_second_line_without_the_mark_belongs_to_the_quotation(
    home: Home, queue: MarkdownQueue, proposal: Proposal
) -> None:
    """As in Markdown, where a quotation goes on until a blank line: no word of a person's is dropped."""
    edit(home, proposal, lambda text: text.replace(f"> {RULE}", "> Never wait\nwithout a limit."))

    (pending,) = queue.pending()

    assert pending.rule == "Never wait\nwithout a limit."


def test_the_note_that_there_is_no_wording_yet_is_no_wording(home: Home, queue: MarkdownQueue) -> None:
    wordless = complete_proposal(rule="")
    queue.add([wordless])
    edit(home, wordless, lambda text: text.replace("(no wording yet: write the rule here)", "Mine."))
    edit(home, wordless, lambda text: text.replace("> Mine.", "> (no wording yet: write the rule here)"))

    assert queue.pending() == [wordless]


def test_an_underlined_heading_among_the_notes_is_no_conflict(
    home: Home, queue: MarkdownQueue, proposal: Proposal
) -> None:
    edit(home, proposal, lambda text: text.replace("## Notes", "## Notes\n\nReasons\n=======\n\nAsk Ada."))

    assert queue.pending() == [proposal]
    assert queue.problems() == []


DOUBTS = {
    "emptied": lambda _text: "",
    "half saved": lambda text: text[: len(text) // 2],
    "record doubled": lambda text: text + text,
    "another id": lambda text: text.replace('{"id":"', '{"id":"x'),
    "in conflict": lambda text: text.replace(f"> {RULE}", f"<<<<<<< HEAD\n> {RULE}\n=======\n> x\n>>>>>>> other"),
    "text beside the quotation": lambda text: text.replace(f"> {RULE}", f"> {RULE}\n\nOr: never wait."),
    "heading gone": lambda text: text.replace("# Proposed rule", "# My rule"),
    "record damaged": lambda text: text.replace('"kind":', '"kind"'),
    "of a newer format": lambda text: text.replace("hardwon:proposal 1", "hardwon:proposal 2"),
}


@pytest.mark.parametrize("doubt", DOUBTS)
def test_a_document_in_doubt_is_reported_left_alone_and_decides_nothing(
    home: Home, queue: MarkdownQueue, proposal: Proposal, doubt: str
) -> None:
    other = complete_proposal(id="01abcdefghjkmnpqrs", rule="Another rule that can be read.")
    queue.add([other])
    name = edit(home, proposal, DOUBTS[doubt])
    before = home.storage.documents.read(name)

    queue.add([proposal, other])

    assert [each.id for each in queue.pending()] == [other.id]
    assert [problem.where for problem in queue.problems()] == [name]
    assert home.storage.documents.read(name) == before


def test_an_emptied_quotation_is_no_yes(home: Home, queue: MarkdownQueue, proposal: Proposal) -> None:
    edit(home, proposal, lambda text: text.replace(f"> {RULE}", ">"))

    (pending,) = queue.pending()

    assert pending.rule == ""
    assert pending.state is ProposalState.PENDING


def test_text_that_imitates_the_documents_syntax_stays_text(home: Home, queue: MarkdownQueue) -> None:
    evil = "x --> y\n## Notes\n<!-- hardwon:proposal 1\n{}\n-->\n# Proposed rule\n| a | b |"
    proposal = complete_proposal(rule=evil, rationale=evil)
    queue.add([proposal])

    assert queue.pending() == [proposal]
    assert queue.problems() == []


def marked(proposal: Proposal, place: int) -> str:
    return f"^{proposal.instances[place].id}\n"


def without_line(text: str, end: str) -> str:
    return "".join(each for each in text.splitlines(keepends=True) if not each.endswith(end))


def test_a_lesson_whose_line_is_removed_is_left_out(home: Home, queue: MarkdownQueue, proposal: Proposal) -> None:
    """And stays out when the machine brings the proposal up to date; the document is written without it."""
    gone, *rest = (each.id for each in proposal.instances)
    edit(home, proposal, lambda text: without_line(text, marked(proposal, 0)))

    (found,) = queue.pending()
    assert ([each.id for each in found.instances], found.left_out) == (rest, (gone,))
    queue.add([proposal.model_copy(update={"confidence": 0.9})])

    (found,) = queue.pending()
    assert ([each.id for each in found.instances], found.left_out) == (rest, (gone,))
    assert found.confidence == 0.9


def test_a_document_of_an_older_form_leaves_out_nothing(home: Home, queue: MarkdownQueue, proposal: Proposal) -> None:
    """It has no marks by which its lines are known."""
    edit(home, proposal, lambda text: "\n".join(line.partition(" ^")[0] for line in text.split("\n")))

    assert queue.pending() == [proposal]


@pytest.mark.parametrize(
    ("lines", "scope"),
    [
        ("- scope: global\n- languages: python", Scope(applies_when=AppliesWhen(languages=("python",)))),
        ("- scope: project:github.com/acme/shop", Scope(project="github.com/acme/shop")),
        (
            "- scope: global\n- tags: customer:acme, 客户:甲",
            Scope(applies_when=AppliesWhen(tags=("customer:acme", "客户:甲"))),
        ),
        ("- scope: global", Scope()),
        ("", Scope()),
    ],
    ids=["languages", "project", "tags", "everywhere", "nothing"],
)
def test_where_it_is_to_hold_is_the_persons_to_write(
    home: Home, queue: MarkdownQueue, proposal: Proposal, lines: str, scope: Scope
) -> None:
    edit(
        home,
        proposal,
        lambda text: re.sub(r"(## Where it holds\n\n).*?\n\n##", rf"\g<1>{lines}\n\n##", text, flags=re.S),
    )

    (found,) = queue.pending()
    assert found.scope == scope
    queue.add([proposal.model_copy(update={"confidence": 0.9})])
    (found,) = queue.pending()
    assert (found.scope, found.generalized.scope, found.confidence) == (scope, proposal.scope, 0.9)


@pytest.mark.parametrize("line", ["- scope: somewhere", "- colour: blue", "python only"])
def test_a_place_that_says_nothing_is_in_doubt(home: Home, queue: MarkdownQueue, proposal: Proposal, line: str) -> None:
    edit(home, proposal, lambda text: text.replace("- scope: global", line))

    assert queue.pending() == []
    assert len(queue.problems()) == 1


def split_in_two(proposal: Proposal) -> Proposal:
    first, *rest = (each.id for each in proposal.instances)
    parts = (Part(rule="First rule.", instances=(first,)), Part(rule="Second rule.", instances=tuple(rest)))
    return proposal.model_copy(
        update={"kind": ProposalKind.SPLIT, "parts": parts, "targets": proposal.instances[:1], "id": "splitting"}
    )


def test_the_parts_of_a_split_are_the_persons_to_word_and_to_fill(
    home: Home, queue: MarkdownQueue, proposal: Proposal
) -> None:
    """A lesson's line that is moved below another part moves the lesson."""
    proposal = split_in_two(proposal)
    queue.add([proposal])
    end = f"^{proposal.parts[1].instances[0]}\n"

    def move(text: str) -> str:
        (line,) = (each for each in text.splitlines(keepends=True) if each.endswith(end))
        text = text.replace(line, "").replace("> First rule.", "> My own words.")
        return text.replace("\n## Part 2", f"{line}\n## Part 2")

    edit(home, proposal, move)

    found = queue.find("splitting")
    assert [part.rule for part in found.parts] == ["My own words.", "Second rule."]
    assert found.parts[0].instances == (*proposal.parts[0].instances, proposal.parts[1].instances[0])
    assert found.left_out == ()
    queue.add([proposal.model_copy(update={"confidence": 0.9})])
    assert queue.find("splitting").parts == found.parts
    assert queue.find("splitting").generalized.parts == proposal.parts


@pytest.mark.parametrize("kind", [kind for kind in ProposalKind if kind is not ProposalKind.NEW_RULE])
def test_a_document_of_any_kind_shows_what_it_would_change_and_is_read_back_whole(
    home: Home, queue: MarkdownQueue, proposal: Proposal, kind: ProposalKind
) -> None:
    proposal = split_in_two(proposal).model_copy(update={"kind": kind, "id": "another"})
    if kind is not ProposalKind.SPLIT:
        proposal = proposal.model_copy(update={"parts": ()})
    queue.add([proposal])

    assert queue.find("another") == proposal
    text = home.storage.documents.read("review-queue/another.md")
    assert text is not None
    assert proposal.targets[0].evidence in text.partition("## What changes")[2].partition("\n## ")[0]
