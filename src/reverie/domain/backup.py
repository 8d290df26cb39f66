"""What a backup and a change of keys give back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class BackedUp:
    """A backup that was read back whole. ``bytes``: the file's size; ``agents``: how many banks lie in it."""

    where: str
    bytes: int
    encrypted: bool
    agents: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Rekeyed:
    """A file that opens with another key now. ``key_source``: where that one lies (never the key)."""

    where: str
    key_source: str
    agents: int
