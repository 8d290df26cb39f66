"""``python -m reverie``: the command line."""

from __future__ import annotations

from reverie.doors.cli.process import process

if __name__ == "__main__":
    process()
