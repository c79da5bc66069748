"""One name for all the ways to write a git remote: https, ssh, the short form of scp, a path on this machine."""

from __future__ import annotations

import os
import re

_URL = re.compile(
    r"(?:[a-z][a-z0-9+.-]*::)?(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<authority>[^/]*)(?P<path>.*)", re.IGNORECASE
)
_SCP = re.compile(r"(?:[^@/:]+@)?(?P<host>\[[^\]]+\]|[^/:@\\]{2,}):(?P<path>(?!//).+)")
"""`[user@]host:path`; one letter before the colon is a drive of Windows."""
_SLASHES = re.compile(r"/{2,}")


def normalised_remote(url: str, root: str | os.PathLike[str]) -> str | None:
    """Return `host/path`, in which user, password, port, `.git` and the case of the host do not count.

    A remote on this machine becomes its absolute path; a relative one is seen from `root`. None for an empty one,
    and for one with NUL characters: a power cut leaves them in files, and no path has any.
    """
    url = url.strip()
    if "\0" in _unquoted(url):
        return None
    if found := _URL.fullmatch(url):
        if found["scheme"].lower() == "file":
            return _local(_unquoted(found["path"]), root)
        return _joined(_host(found["authority"]), _unquoted(found["path"]))
    if found := _SCP.fullmatch(url):
        return _joined(found["host"].strip("[]").lower(), found["path"])
    return _local(url, root) if url else None


def _unquoted(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote

    return unquote(path)


def _host(authority: str) -> str:
    """Return the host of `user:password@host:port`; brackets hold an IPv6 address."""
    host = authority.rpartition("@")[2].lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _joined(host: str, path: str) -> str | None:
    path = _bare(path).lstrip("/")
    return f"{host}/{path}" if host and path else None


def _local(path: str, root: str | os.PathLike[str]) -> str | None:
    bare = _bare(path)
    return os.path.realpath(os.path.join(root, bare)) if bare else None


def _bare(path: str) -> str:
    path = _SLASHES.sub("/", path.split("?", 1)[0]).rstrip("/")
    for ending in ("/.git", ".git"):
        if path.endswith(ending):
            return path[: -len(ending)]
    return path
