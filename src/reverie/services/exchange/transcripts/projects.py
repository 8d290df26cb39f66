"""Which project a session works on: its git repository, else its folder."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from reverie.domain.text_cache import text_cache

_SPECIAL = re.compile(r"[\[\]{}*?!|\\]")
_UNNAMEABLE = re.compile(r"[^\w.-]+")
_MOST_NAME = 40
_WORKTREES = "/.git/worktrees/"


@dataclass(frozen=True, kw_only=True, slots=True)
class Project:
    """A project by its folder."""

    root: str

    @property
    def key(self) -> str:
        """Its short name: the folder's own, and a digest of the whole path."""
        name = _UNNAMEABLE.sub("-", Path(self.root).name)[:_MOST_NAME].strip("-") or "root"
        return f"{name}-{hashlib.blake2b(self.root.encode('utf-8', 'replace'), digest_size=4).hexdigest()}"

    @property
    def path(self) -> str:
        """The folder as ``context`` takes a path."""
        return self.root.rstrip("/") + "/"

    @property
    def glob(self) -> str:
        """The scope that covers the folder and all in it."""
        return _SPECIAL.sub("?", self.path) + "**"

    def conversation(self, host: str, session: str) -> str:
        """Return the name under which a session's messages are kept."""
        return session_name(host, self.key, session)


def session_name(host: str, key: str, session: str) -> str:
    """Return the name of a session's conversation."""
    return f"{host}/{key}/{session[:120]}"


@text_cache(256)
def project_of(cwd: str) -> Project:
    """Return the project of a working directory. Worktrees of a repository are one project. A folder that isn't there
    (any more, or on this machine) is taken for a project's own.
    """
    folder = Path(cwd)
    try:
        if not folder.is_absolute() or not folder.is_dir():
            return Project(root=str(folder))
    except (OSError, ValueError):
        return Project(root=str(folder))
    for one in (folder, *folder.parents):
        git = one / ".git"
        try:
            if git.is_dir():
                return Project(root=str(one))
            if git.is_file():
                where = git.read_text("utf-8", "replace")[:4_096].removeprefix("gitdir:").strip()
                main, is_worktree, _ = where.partition(_WORKTREES)
                return Project(root=main if is_worktree else str(one))
        except (OSError, ValueError):
            continue
    return Project(root=str(folder))


def key_of(conversation: str) -> str | None:
    """Return the key of the project that a conversation's name tells, or None."""
    parts = conversation.split("/", 2)
    return parts[1] if len(parts) == 3 else None
