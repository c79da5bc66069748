"""What keeps the package litellm to itself: set in the environment before anybody imports it.

By default it fetches its lists of prices and headers from the network when it is imported or first asked, and reads a
`.env` file that it happens upon. Both the embedder and the language model go through it, so its switches stand here.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import os
from urllib.parse import urlsplit

SWITCHES = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",
    "LITELLM_LOCAL_BLOG_POSTS": "True",
    "LITELLM_OFFLINE_MODE": "true",
    "LITELLM_MODE": "PRODUCTION",
}
"""The first one for old versions, the fourth for new ones; the last one keeps it from reading a `.env`."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_NAMES_OF_PROXIES = ("ALL_PROXY", "all_proxy")


def keep_litellm_to_itself() -> None:
    """Set its switches; what the user set stays."""
    for name, value in SWITCHES.items():
        os.environ.setdefault(name, value)


def is_loopback(address: str) -> bool:
    """Tell whether a URL is one of this machine."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    return host in LOOPBACK or _is_loopback_number(host)


def _is_loopback_number(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name; one that begins like a number may be anybody's
        return False


def never_proxy_loopback(address: str) -> None:
    """Keep calls of this machine out of the user's proxy; calls of others still go through it.

    A SOCKS proxy that the HTTP library cannot speak would break even those that do not use it.
    """
    if not is_loopback(address):
        return
    host = urlsplit(address).hostname or ""
    named = os.environ.get("no_proxy") or os.environ.get("NO_PROXY") or ""
    hosts = dict.fromkeys([*filter(None, (each.strip() for each in named.split(","))), *LOOPBACK, host])
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = ",".join(hosts)
    if importlib.util.find_spec("socksio") is None:
        for name in _NAMES_OF_PROXIES:
            if os.environ.get(name, "").startswith("socks"):
                del os.environ[name]
