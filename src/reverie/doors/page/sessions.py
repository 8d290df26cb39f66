"""Sessions: who is logged in. A login link works once and for minutes; all ends with the process."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from reverie.client import Right, Token, Tokens

LINK_SECONDS = 600.0
IDLE_SECONDS = 12 * 3600.0
MOST_SESSIONS = 1_000
_BYTES = 32


@dataclass(kw_only=True, slots=True)
class Session:
    """One browser. ``token``: whose rights it has; None: of who started the server, and may do everything."""

    id: str = field(repr=False)
    csrf: str = field(repr=False)
    token: Token | None
    seen_at: float
    told: list[tuple[str, str]] = field(default_factory=list)
    """What the next page says of what was done: (tone, words)."""

    def allows(self, right: Right, bank: str, agent: str | None) -> bool:
        """Return whether it allows that. ``agent``: None for what concerns the whole bank."""
        return self.token is None or self.token.allows(right, bank, agent)

    def tell(self, tone: str, words: str) -> None:
        """Keep words for the next page."""
        self.told = [*self.told[-4:], (tone, words)]


class Sessions:
    """The sessions and login links of one server. May be used from many threads."""

    def __init__(self, tokens: Tokens, clock: Callable[[], float] = time.monotonic) -> None:
        self.tokens = tokens
        self._clock = clock
        self._lock = threading.Lock()
        self._links: dict[str, float] = {}
        self._open: dict[str, Session] = {}

    def link(self) -> str:
        """Return the code of a new login link."""
        code = secrets.token_urlsafe(_BYTES)
        with self._lock:
            self._links[code] = self._clock() + LINK_SECONDS
        return code

    def enter(self, code: str) -> Session | None:
        """Return the session that a link's code opens, this once; None for one that is used, old or wrong."""
        with self._lock:
            found = next(
                (one for one in self._links if hmac.compare_digest(one.encode(), code.encode())), None
            )
            until = self._links.pop(found) if found is not None else 0.0
        return self._opened(None) if self._clock() < until else None

    def enter_with(self, token: str) -> Session | None:
        """Return the session that a token's text opens, with the token's rights; None for one that isn't known."""
        known = self.tokens.of(token.strip())
        return None if known is None else self._opened(known)

    def of(self, id: str) -> Session | None:
        """Return the open session of a cookie; None where it is idle for too long, or its token was revoked."""
        with self._lock:
            found = self._open.get(id)
            now = self._clock()
            if found is not None and now - found.seen_at > IDLE_SECONDS:
                del self._open[id]
                found = None
            elif found is not None:
                found.seen_at = now
        if found is not None and found.token is not None and not self.tokens.has(found.token.id):
            self.leave(found)
            return None
        return found

    def leave(self, session: Session) -> None:
        """End a session."""
        with self._lock:
            self._open.pop(session.id, None)

    def _opened(self, token: Token | None) -> Session:
        made = Session(
            id=secrets.token_urlsafe(_BYTES),
            csrf=secrets.token_urlsafe(_BYTES),
            token=token,
            seen_at=self._clock(),
        )
        with self._lock:
            while len(self._open) >= MOST_SESSIONS:
                del self._open[min(self._open, key=lambda id: self._open[id].seen_at)]
            self._open[made.id] = made
        return made
