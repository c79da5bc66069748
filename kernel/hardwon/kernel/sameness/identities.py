"""What things go by beside their kind, so that two of them are two: a number, a letter, a key of a tracker."""

from __future__ import annotations

_NUMBERED = (
    "PR|MR|CVE|RFC|pull request|issue|bug|ticket|step|phase|task|part|chapter|lesson|note|fact|memory|item|case|"
    "example|worker|node|shard|job|run|attempt|build|option|question|record|row|rule|number|no\\."
)
"""What is told apart by a number that follows it."""
_LETTERED = (
    "service|server|host|cluster|node|team|group|plan|option|variant|tier|class|type|queue|table|zone|region|tenant|"
    "customer|client|service account|step|phase|part|case|stage|environment"
)
"""What is told apart by a letter that follows it; “a” is one where no noun can follow."""
_LETTER = (
    r"(?:[B-HJ-Zb-hj-z]\b|A\b|a\b(?=\s+(?:is|are|was|were|has|had|must|should|may|can|will|needs?|costs?|uses?|runs?|"
    r"takes?|gets?|does|do|and|or|in|on|at|from|to|by|with)\b|\s*(?:[.,;:!?)]|$)))"
)
IDENTITY = (
    r"(?<!\w)#\d+|\b[A-Z]{2,8}-\d+\b"
    rf"|\b(?i:{_NUMBERED})\s?#?\d+(?:-\d+)*"
    rf"|\b(?i:{_LETTERED})\s{_LETTER}(?![\w'’-])"
    r"|(?:服务器?|方案|计划|团队|小组|环境|区域|节点|集群|类型|队列|表|客户|租户|阶段|版本)\s?[A-Za-z](?![A-Za-z0-9_])"
    r"|第\s?[\d一二三四五六七八九十]+[步章节期条]"
)
"""As a pattern, without groups."""
