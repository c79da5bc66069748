"""What a sentence holds that only one project has: paths, hosts, identifiers, versions, ids, people, days, code.

In ASCII a name ends where Chinese begins: there is no space between 为 and redis.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardwon.kernel.principle.faults import Fault

_TRADE = frozenset(
    re.findall(
        r"\S+",
        """ASP.NET BigQuery ClickHouse CloudFormation CloudFront CoffeeScript D3.js DevOps ElasticSearch Express.js
        GitHub GitLab GitOps JavaScript kHz kWh LangChain LinkedIn macOS mTLS Next.js Node.js NumPy Nuxt.js OAuth
        OpenTelemetry PowerShell PyTorch SciPy SolidJS TensorFlow Three.js TypeScript Vue.js WebAssembly WebSocket
        WebSockets YouTube eBPF gRPC iOS iPadOS iPhone x86_64""",
    )
)
"""What everybody calls so: it looks like an identifier or a file and names nothing of a project."""
_STANDARDS = "AES|ARM|AVX|CRC|ECMA|HTTP|ISO|MD|PEP|RFC|RSA|SHA|SSE|TLS|USB|UTC|UTF"
_VERSIONED = (
    "Angular|Debian|Django|Go|Java|MySQL|Node|PHP|Postgres|PostgreSQL|Python|React|Redis|Ruby|Rust|Spring|Ubuntu|"
    "Vue|Windows|[Vv]ersion|[Rr]elease"
)
_TOP_LEVEL = "ai|app|cloud|cn|co|com|de|dev|edu|eu|example|gov|internal|io|jp|lan|local|net|org|test|uk"
_ADDRESS = (
    r"\b[a-z][a-z0-9+]*://\S+",
    r"\bwww\.[\w.-]+",
    r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b",
    r"\blocalhost:\d+",
    rf"\b(?:[A-Za-z0-9-]+\.)+(?:{_TOP_LEVEL})\b(?::\d+)?",
)
_PATH = (
    r"(?:\b[A-Za-z]:\\|~/|(?<![\w.])\.{1,2}/)[\w.\\/-]+",
    r"(?<![\w/])/[\w.-]+(?:/[\w.-]+)+",
    r"(?<![\w/])/(?:bin|boot|dev|etc|home|lib|mnt|opt|proc|root|run|srv|sys|tmp|usr|var)\b",
    r"\b(?:cmd|docs|node_modules|pkg|src|tests)/[\w./-]+",
    r"\b[\w-]+\.[a-z]{1,4}\b(?<!\be\.g)(?<!\bi\.e)",
)
_IDENTIFIER = (r"\b\w+_\w+\b", r"\b(?:[A-Z][a-z0-9]+){2,}\b", r"\b[a-z]+[A-Z]\w+\b", r"`[^`]*`?")
_NUMBER = (
    r"#\d+",
    rf"\b(?:{_VERSIONED})\s+v?\d+\b",
    r"\b(?:bug|issue|PR|pull request|ticket)\s+#?\d+",
    r"\bv\d+\b",
    r"\bv?\d+\.\d+[\w.]*(?!\s*(?:%|percent\b|ms\b|seconds?\b|times\b))",
    r"\b\d{4}-\d\d-\d\d\b",
    rf"\b(?!(?:{_STANDARDS})-)[A-Z]{{2,}}-\d[\w-]*",
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
    r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b",
    r"\b\d{6,}\b",
)
_CALL = (r"\b\w+(?:::|\.)\w+\(", r"\b\w+::\w+", r"\w+\(\)")
_CODE = (
    r"[\"“][^\"”]*[={}<>|$][^\"”]*[\"”]",
    r"(?<![A-Za-z0-9])['‘][^'’]*[={}<>|$][^'’]*['’](?![A-Za-z0-9])",
    r"(?<!\S)\$ ?[a-z][\w-]*",
)
_PERSON = (
    r"(?<![\w.])@[A-Za-z][\w-]+",
    r"\b[\w.+-]+@[\w-]+\.\w+",
    r"\b(?:[Aa]sk|[Tt]ell|[Pp]ing|[Cc]ontact|[Cc]onsult|[Nn]otify|[Mm]r\.?|[Mm]rs\.?|[Mm]s\.?|[Dd]r\.?)"
    r"\s+(?!I\b)[A-Z][a-z]+\b(?!\s+(?:API|team|support|server|service|CLI)\b)",
    r"(?<=\s)(?!Nobody|Everybody|Everyone|Someone)[A-Z][a-z]+\s+(?:said|says|told|asked|wants|wanted|prefers|insists)\b",
    r"(?:找|联系|告诉|通知|请教|询问)[老小]?[王李张刘陈杨赵吴徐孙郭][\u4e00-\u9fff]{1,2}(?=[，。、：；！？\s]|确认|审批|批准|同意|$)",
)
_DAY = (
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b",
    r"\b(?:yesterday|tomorrow|(?<!the )last (?:week|month|year|night))\b",
    r"昨天|前天|明天|上周|下周|上个月|去年|星期[一二三四五六日天]|周[一二三四五六日](?!期)",
)
_HERE = (
    r"\b(?:our|we|(?-i:us)|my)\b",
    r"\bthis (?:app|application|codebase|company|module|package|product|project|repo|repository|service|team)\b",
    r"我们|咱们|我方|(?:本|这个|该)(?:项目|仓库|代码库|团队|公司|产品|模块|应用)",
)
_MEANT_IN_ANY_CASE = ("here", "day")


def _pattern(kind: str, parts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.ASCII | (re.IGNORECASE if kind in _MEANT_IN_ANY_CASE else 0))


_LEAKS = {
    kind: _pattern(kind, parts)
    for kind, parts in {
        "code": _CODE,
        "person": _PERSON,
        "address": _ADDRESS,
        "path": _PATH,
        "call": _CALL,
        "identifier": _IDENTIFIER,
        "number": _NUMBER,
        "day": _DAY,
        "here": _HERE,
    }.items()
}


def leaks(sentence: str) -> Iterator[Fault]:
    """Walk what a sentence holds of one project, each stretch of it told once, of each kind the first."""
    told: list[tuple[int, int]] = []
    for kind, pattern in _LEAKS.items():
        for found in pattern.finditer(sentence):
            if found[0] in _TRADE or any(found.start() < end and start < found.end() for start, end in told):
                continue
            told.append(found.span())
            yield Fault(kind, found[0].strip())
            break
