"""Banks: those that are open, by name, and who may do what with them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping

from fastapi import Request
from starlette.exceptions import HTTPException

from reverie.client import Agent, Reverie, Right


class Banks:
    """The open banks by name, and a lock for each agent whose writes ask for a version (If-Match)."""

    def __init__(self, banks: Mapping[str, Reverie]) -> None:
        self._banks = banks
        self._locks = [threading.Lock() for _ in range(64)]

    def names(self) -> Iterator[str]:
        """Return the banks' names."""
        return iter(self._banks)

    def bank(self, name: str) -> Reverie:
        """Return a bank. Raises HTTPException."""
        if name not in self._banks:
            raise HTTPException(404, "there is no such bank; /v1/banks lists them")
        return self._banks[name]

    def agent(self, bank: str, agent: str) -> Agent:
        """Return an agent's memory. Raises HTTPException, InvalidInput."""
        return self.bank(bank).agent(agent)

    def lock(self, *names: str) -> threading.Lock:
        """Return the lock of a memory."""
        return self._locks[hash(names) % len(self._locks)]


def check_right(request: Request, right: Right, bank: str, agent: str | None) -> None:
    """Raise HTTPException where the request's token doesn't allow it."""
    if not request.state.token.allows(right, bank, agent):
        raise HTTPException(403, f"the token doesn't give the right to {right} here")
