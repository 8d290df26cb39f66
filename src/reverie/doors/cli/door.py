"""Door: what every command gets: whose bank in which file, and where its output goes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.doors.cli.output import Output
from reverie.errors import InvalidInput

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
        flags = {name: after.get(name) or before.get(name) for name in ("unencrypted", "keyring", "as_json")}
        names = {
            name: before.get(name) if after.get(name) is None else after[name] for name in ("bank", "agent")
        }
        given = {**flags, **names}
        bank, agent = given["bank"], given["agent"]
        return cls(
            bank=None if bank is None else str(bank),
            agent=None if agent is None else str(agent),
            unencrypted=bool(given["unencrypted"]),
            keyring=bool(given["keyring"]),
            out=Output(as_json=bool(given["as_json"])),
        )

    @property
    def options(self) -> Mapping[str, object]:
        """As ``of`` takes them."""
        return {
            "bank": self.bank, "agent": self.agent, "unencrypted": self.unencrypted, "keyring": self.keyring,
            "as_json": self.out.as_json,
        }  # fmt: skip

    def check(self) -> None:
        """Raises InvalidInput for an option that was given empty: as from a variable that isn't set, in a script that
        must not go on with the default bank of somebody else.
        """
        for option, value in (("--bank", self.bank), ("--agent", self.agent)):
            if value is not None and not value.strip():
                raise InvalidInput(option, "it is empty", "name one, or leave the option out for the default")

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
    def opened(self, *, make: bool = False, actor: str = "cli") -> Iterator[Reverie]:
        """The banks. ``actor`` signs the audit log. Raises StoreError.

        A file that isn't there is made only where the command writes: a slip in --bank reads nothing.
        """
        from reverie.client import Reverie

        key = "keyring" if self.keyring else None
        plain = self.unencrypted
        with Reverie.open(self.bank, key=key, encrypted=not plain, create=make, actor=actor) as reverie:
            yield reverie
            self.out.flush()  # what closing may yet bring must not take the result along

    @contextmanager
    def agent_opened(self, *, make: bool = False) -> Iterator[Agent]:
        """The agent's bank. Raises StoreError, InvalidInput."""
        with self.opened(make=make) as reverie:
            yield reverie.agent(self.agent_id)
