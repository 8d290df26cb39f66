"""Diary, relationships, and rooms that several agents share."""

from __future__ import annotations

from reverie.services.society import diary, relate, rooms

__all__ = ["diary", "relate", "rooms"]
