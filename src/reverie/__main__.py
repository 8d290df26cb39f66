"""``python -m reverie``: the command line."""

from __future__ import annotations

import sys

from reverie.doors.cli import main

if __name__ == "__main__":
    sys.exit(main())
