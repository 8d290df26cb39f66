"""Where hooks and their daemon meet: the socket, the lock, the spool and the log.

Every hook imports this, and pays for what it imports: `os` alone.
"""

from __future__ import annotations

import os

_PRIVATE = 0o700
_DEFAULT = "main"


class Places:
    """The folders and files of one bank and agent, each for its owner alone.

    What must outlive a restart lies in the user's state folder, the socket in the runtime folder where there is one.
    """

    __slots__ = ("environment", "folder", "lock", "log", "runtime", "socket", "spool", "state")

    def __init__(self, bank: str | None = None, agent: str | None = None) -> None:
        """``bank`` and ``agent``: those that the hook's command names. None: those of the environment."""
        self.environment = _environment(bank)
        found = self.environment.get
        name = _name(found("REVERIE_BANK") or None, agent or found("REVERIE_AGENT") or None)
        home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
        self.folder = os.path.join(home, "reverie", "hooks", name)
        runtime = os.environ.get("XDG_RUNTIME_DIR")
        self.runtime = os.path.join(runtime, "reverie", name) if runtime else self.folder
        self.socket = "socket"  # relative to the runtime folder: a socket's path has at most some 100 bytes
        self.lock = os.path.join(self.runtime, "lock")
        self.spool = os.path.join(self.folder, "spool")
        self.state = os.path.join(self.folder, "state.json")
        self.log = os.path.join(self.folder, "log")

    def make(self) -> None:
        """Make the folders. Raises OSError, also where one isn't the user's own."""
        for folder in (self.folder, self.runtime, self.spool):
            os.makedirs(folder, _PRIVATE, exist_ok=True)
            found = os.lstat(folder)
            if found.st_uid != os.geteuid() or found.st_mode & 0o170000 != 0o040000:
                raise PermissionError(f"{folder} is not a folder of your own")
            if found.st_mode & 0o077:
                os.chmod(folder, _PRIVATE)


def _environment(bank: str | None) -> dict[str, str]:
    """Return the daemon's: it works in another folder, so files have their whole paths. The bank is told in it and on
    no command line, which others can read: a URL may hold a password.
    """
    found = dict(os.environ)
    if bank:
        found["REVERIE_BANK"] = bank
    for name in ("REVERIE_BANK", "REVERIE_KEY_FILE", "REVERIE_EMBED_KEY_FILE"):
        if (place := found.get(name)) and "://" not in place:
            found[name] = os.path.abspath(place)
    return found


def _name(bank: str | None, agent: str | None) -> str:
    if bank is None and agent is None:
        return _DEFAULT
    import hashlib  # a hook that names nothing does without

    words = f"{bank}\0{agent}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(words, digest_size=8).hexdigest()
