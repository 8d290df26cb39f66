"""What the tests of the SQLite engine share: a key, an opener, and child processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reverie.store.sqlite.engine import SqliteStore

ROOT = Path(__file__).resolve().parents[2]
KEY = bytes(range(32))


def open_store(path: Path, **options: Any) -> SqliteStore:
    """A store with the tests' key unless another (or None) is given."""
    usual: dict[str, Any] = {"key": KEY, "busy_seconds": 10.0}
    return SqliteStore(path, **usual | options)


def child(code: str, *arguments: object, before: Sequence[str] = ()) -> subprocess.Popen[str]:
    """A process of its own that runs `code` with `open_store` and the row makers at hand; arguments are in sys.argv.

    `before`: a command that runs the process, such as one that shields it from the disk.
    """
    head = (
        "import os, sys, apsw\nfrom pathlib import Path\nfrom reverie.domain.query import EVERYTHING\n"
        "from tests.store.sqlite_banks import KEY, open_store\nfrom tests.contract.store_rows import *\n"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return subprocess.Popen(
        [*before, sys.executable, "-c", head + code, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": path}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def own_mounts(script: str) -> Sequence[str]:
    """A command that runs a process with mounts of its own, made by `script`; skips the test where nobody may."""
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "true"], check=False).returncode:
        pytest.skip("this system gives nobody mounts of their own")
    return ["unshare", "-rm", "sh", "-c", f'{script} && exec "$@"', "sh"]


def said(process: subprocess.Popen[str]) -> str:
    """What the child printed, errors included, once it ended."""
    out, err = process.communicate(timeout=300)
    return (out + err).strip()
