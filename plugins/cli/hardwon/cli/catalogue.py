"""The commands of this part by name, each with an example; words in capitals stand for the user's own."""

from __future__ import annotations

from hardwon.cli.actions import (
    asking,
    drafts,
    history,
    homes,
    looking,
    moving,
    pauses,
    project_names,
    rules,
    sessions,
    transfer,
    wiring,
    writing,
)
from hardwon.cli.demo.action import demo
from hardwon.kernel.actions import Action

ACTIONS = {
    "demo": Action(demo, "demo", reads_only=True, narrates=True),
    "setup": Action(wiring.setup, "setup --dry-run", narrates=True),
    "unset": Action(wiring.unset, "unset"),
    "pause": Action(pauses.pause, "pause --for 2h"),
    "init": Action(homes.init, "init"),
    "status": Action(homes.status, "status", reads_only=True),
    "doctor": Action(homes.doctor, "doctor", reads_only=True),
    "plugins": Action(homes.plugins, "plugins", reads_only=True),
    "stats": Action(homes.stats, "stats", reads_only=True),
    "projects list": Action(project_names.list_projects, "projects list", reads_only=True),
    "projects show": Action(project_names.show_project, "projects show", reads_only=True),
    "projects alias": Action(project_names.alias_project, "projects alias shop github.com/acme/shop"),
    "projects merge": Action(project_names.merge_projects, "projects merge OLD-NAME NAME"),
    "remember": Action(writing.remember, 'remember "Write to a temporary file, then rename it." --topic storage.files'),
    "edit": Action(writing.edit, 'edit ID --content "Measure durations with the monotonic clock."'),
    "forget": Action(writing.forget, "forget ID --yes"),
    "drafts next": Action(drafts.next_, "drafts next", reads_only=True),
    "drafts save": Action(drafts.save, 'drafts save ID --principle "Set a time limit on every network call."'),
    "import": Action(transfer.import_, "import LESSONS.md --dry-run"),
    "export": Action(transfer.export, "export memory.jsonl", reads_only=True),
    "migrate": Action(moving.migrate, "migrate --to sqlite"),
    "log": Action(history.log, "log --limit 5", reads_only=True),
    "revert": Action(history.revert, "revert ID"),
    "recall": Action(asking.recall, 'recall "save the settings file" --explain'),
    "why": Action(sessions.why, "why", reads_only=True),
    "feedback": Action(sessions.feedback, "feedback ID useful"),
    "topics": Action(looking.topics, "topics", reads_only=True),
    "get": Action(looking.get, "get TOPIC", reads_only=True),
    "show": Action(looking.show, "show ID", reads_only=True),
    "links": Action(looking.links, "links ID", reads_only=True),
    "rules": Action(rules.rules, "rules", reads_only=True),
    "link": Action(rules.link, "link RULE LESSON"),
    "unlink": Action(rules.unlink, "unlink RULE LESSON"),
    "audit": Action(looking.audit, "audit", reads_only=True),
}
