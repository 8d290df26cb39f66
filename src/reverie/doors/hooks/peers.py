"""Who is at the other end of a Unix socket."""

from __future__ import annotations

import os
import socket
import struct
import sys

_LOCAL_PEERCRED = 1  # macOS and BSD, of level 0


def is_own(line: socket.socket) -> bool:
    """Return whether the same user is at the other end. Raises OSError."""
    if sys.platform == "linux":
        found = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        uid = struct.unpack("3i", found)[1]
    else:
        uid = struct.unpack("=II", line.getsockopt(0, _LOCAL_PEERCRED, 8))[1]
    return bool(uid == os.geteuid())
