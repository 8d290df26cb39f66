"""Access: who may ask `reverie serve` for what. The file holds a hash of each, never the token."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from reverie.domain.ids import checked_name
from reverie.errors import InvalidInput, NotFound
from reverie.wiring.private import alone, open_to_others, put, why

PREFIX = "reverie"
_SECRET_BYTES = 32
_ID_BYTES = 6
_SHAPE = re.compile(rf"{PREFIX}_([0-9a-f]{{{2 * _ID_BYTES}}})_([A-Za-z0-9_-]{{43}})")


class Right(StrEnum):
    """What a token may do. Each includes those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, other: Right) -> bool:
        """Return whether who has this right may do what takes the other."""
        order = list(Right)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, kw_only=True, slots=True)
class Token:
    """A token without its secret. ``banks``, ``agents``: those it is for; empty: all."""

    id: str
    name: str
    right: Right
    banks: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    created_at: str
    hash: str = field(repr=False)

    def allows(self, right: Right, bank: str, agent: str | None) -> bool:
        """Return whether it allows that. ``agent``: None for what concerns the whole bank."""
        of_bank = not self.banks or bank in self.banks
        of_agent = not self.agents or agent in self.agents
        return self.right.includes(right) and of_bank and of_agent


class Tokens:
    """The tokens of a file. Read anew when the file has changed, so that what is revoked ends at once.

    May be used from many threads and processes.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._known: dict[str, Token] = {}

    def list(self) -> Sequence[Token]:
        """Return all, oldest first. Raises InvalidInput for a file that isn't one of ours."""
        with self._held():
            return list(self._read().values())

    def create(
        self, name: str, right: Right, *, banks: Sequence[str] = (), agents: Sequence[str] = ()
    ) -> tuple[Token, str]:
        """Make one, and return it with its text, which nothing can show again. Raises InvalidInput."""
        for names, what in (((name,), "name"), (banks, "banks"), (agents, "agents")):
            for one in names:
                checked_name(one, what)
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        made = Token(
            id=secrets.token_hex(_ID_BYTES), name=name, right=right, banks=tuple(banks), agents=tuple(agents),
            created_at=datetime.now(UTC).isoformat(timespec="seconds"), hash=_hash(secret),
        )  # fmt: skip
        with self._held(), alone(self.path):
            self._write({**self._read(), made.id: made})
        return made, f"{PREFIX}_{made.id}_{secret}"

    def revoke(self, id: str) -> Token:
        """Take one away. Raises NotFound, InvalidInput."""
        with self._held(), alone(self.path):
            known = dict(self._read())
            gone = known.pop(id, None)
            if gone is None:
                raise NotFound("token", id)
            self._write(known)
        return gone

    def has(self, id: str) -> bool:
        """Return whether there is a token of that id. Raises InvalidInput."""
        with self._held():
            return id in self._read()

    def of(self, text: str) -> Token | None:
        """Return the token of this text, or None. Takes the same time whether the secret is nearly right or not. Raises
        InvalidInput for a file that can't be read.
        """
        shape = _SHAPE.fullmatch(text)
        if shape is None:
            return None
        with self._held():
            found = self._read().get(shape[1])
        expected = found.hash if found is not None else _hash("")
        right = hmac.compare_digest(_hash(shape[2]), expected)
        return found if right else None

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Let no other thread in, and say what is wrong with the file."""
        try:
            with self._lock:
                yield
        except InvalidInput:
            raise
        except (OSError, ValueError) as error:
            problem = f"{str(self.path)!r:.80} can't be read or written ({why(error)})"
            raise InvalidInput("tokens", problem, "name a file of yours: --tokens FILE") from None

    def _read(self) -> dict[str, Token]:
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return {}
        seen = (found.st_mtime_ns, found.st_size, found.st_ino)
        if seen != self._seen:
            if open_to_others(self.path):
                raise InvalidInput(
                    "tokens", f"{self.path} can be read by others", f"run: chmod 600 {self.path}"
                )
            try:
                given = json.loads(self.path.read_text())["tokens"]
                self._known = {one["id"]: _token(one) for one in given}
            except (OSError, ValueError, KeyError, TypeError):
                problem = f"{self.path} holds no tokens of `reverie token`"
                raise InvalidInput("tokens", problem, "name another file, or move it away") from None
            self._seen = seen
        return self._known

    def _write(self, tokens: dict[str, Token]) -> None:
        text = json.dumps({"tokens": [asdict(one) for one in tokens.values()]}, indent=2)
        put(self.path, text + "\n")
        self._seen = None


def _token(stored: dict[str, object]) -> Token:
    made = Token(**stored)  # type: ignore[arg-type]
    return replace(made, right=Right(made.right), banks=tuple(made.banks), agents=tuple(made.agents))


def _hash(secret: str) -> str:
    """A secret of 32 random bytes can't be guessed, so a fast hash does."""
    return hashlib.sha256(secret.encode()).hexdigest()
