"""What every script teaches and asks, and the projects in which it does."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from support.workplace import Workplace

LESSON = (
    "Remember: in this project the deploy script needs FOO=1, "
    "because the staging proxy drops the X-Trace header otherwise."
)
TAUGHT = ("FOO=1", "staging proxy")
"""Words of the lesson that stand in no question."""
QUESTION = "How do I run the deploy script for staging?"
CHINESE_LESSON = "记住：这个项目的数据库迁移要先在副本上跑一遍，因为大表加索引会锁住订单服务。"
CHINESE_TAUGHT = "大表加索引"
CHINESE_QUESTION = "我要给订单表写一个数据库迁移，应该怎么跑？"
UNRELATED = "Rename the variable total to amount in invoice.py."


@dataclass(frozen=True)
class Ground:
    """The folders that sessions are held in."""

    project: Path
    worktree: Path
    """Another worktree of the project."""
    other: Path
    """A project that has nothing to do with it."""


def lay_out(place: Workplace) -> Ground:
    """Make the projects."""
    project = place.make_project("shop")
    return Ground(project, place.add_worktree(project, "hotfix"), place.make_project("blog"))
