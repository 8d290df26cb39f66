"""Door: what every command gets: whose bank in which file, and where its output goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.doors.cli.output import Output

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_URL = "sqlite:///"


@dataclass(frozen=True, kw_only=True, slots=True)
class Door:
    """The options that all commands share."""

    bank: str | None
    agent: str | None
    unencrypted: bool
    keyring: bool
    out: Output

    @classmethod
    def of(cls, before: Mapping[str, object], after: Mapping[str, object]) -> Door:
        """From what stands before the command and what stands after it; the latter wins."""
        given = {
            name: after.get(name) or before.get(name)
            for name in ("bank", "agent", "unencrypted", "keyring", "as_json")
        }
        bank, agent = given["bank"], given["agent"]
        return cls(
            bank=None if bank is None else str(bank),
            agent=None if agent is None else str(agent),
            unencrypted=bool(given["unencrypted"]),
            keyring=bool(given["keyring"]),
            out=Output(as_json=bool(given["as_json"])),
        )

    @property
    def path(self) -> Path | None:
        """The bank file; None for a URL of another engine."""
        from reverie.client import default_bank

        if self.bank is None:
            return default_bank()
        if self.bank.startswith(_URL):
            return Path(self.bank.removeprefix(_URL))
        return None if "://" in self.bank else Path(self.bank)

    @property
    def agent_id(self) -> str:
        """Whose bank."""
        from reverie.client import default_agent

        return self.agent if self.agent is not None else default_agent()

    @contextmanager
    def opened(self, *, make: bool = False) -> Iterator[Reverie]:
        """The banks. Raises StoreError.

        A file that isn't there is made only where the command writes: a slip in --bank reads nothing.
        """
        from reverie.client import Reverie

        key = "keyring" if self.keyring else None
        plain = self.unencrypted
        with Reverie.open(self.bank, key=key, encrypted=not plain, create=make, actor="cli") as reverie:
            yield reverie

    @contextmanager
    def agent_opened(self, *, make: bool = False) -> Iterator[Agent]:
        """The agent's bank. Raises StoreError, InvalidInput."""
        with self.opened(make=make) as reverie:
            yield reverie.agent(self.agent_id)
