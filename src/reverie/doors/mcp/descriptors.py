"""Descriptors: stdin and stdout taken for the protocol, before anything is loaded that might print."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Descriptors:
    """Where messages come in and go out."""

    read: int
    write: int


def taken() -> Descriptors:
    """Take stdin and stdout for the protocol, for the rest of the process. From now on whatever else prints, be it a
    library in C, prints to stderr, and whatever else reads finds nothing.
    """
    sys.stdout.flush()
    wire = Descriptors(read=os.dup(0), write=os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    os.close(nowhere)
    return wire
