"""soul.md files on disk."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from reverie.errors import InvalidInput, StoreError
from reverie.wiring.private import why

_AGENT = "{agent}"
_UNSAFE = re.compile(r"[^\w.@+-]+")
_MOST_BYTES = 1 << 20


class SoulFiles:
    """Implements ``ports.soulfile.SoulFile``: one file, or where ``{agent}`` stands in the path one an agent.

    An agent's name enters the path without what could lead elsewhere.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def where(self, agent_id: str) -> str:
        """See ``ports.soulfile``."""
        name = _UNSAFE.sub("_", agent_id).strip(".") or "agent"
        return str(Path(self._path.replace(_AGENT, name)).expanduser())

    def read(self, agent_id: str) -> str | None:
        """See ``ports.soulfile``."""
        path = Path(self.where(agent_id))
        try:
            with path.open("rb") as file:
                raw = file.read(_MOST_BYTES + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _failed(path, error) from None
        try:
            if len(raw) > _MOST_BYTES:
                raise InvalidInput("Settings.soul.file", f"{path} has over a megabyte", "name a soul.md file")
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise InvalidInput(
                "Settings.soul.file", f"{path} holds no text in UTF-8", "name another file, or mend it"
            ) from None

    def write(self, agent_id: str, text: str, *, instead_of: str | None) -> bool:
        """See ``ports.soulfile``. A link is followed: the file that it names is replaced."""
        path = Path(self.where(agent_id))
        with suppress(OSError):
            path = path.resolve()
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if self.read(agent_id) != instead_of:
                return False
            draft.replace(path)
        except OSError as error:
            raise _failed(path, error) from None
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        return True


def _failed(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"{path} can't be read or written ({why(error)}); name another Settings.soul.file, or mend it"
    )
