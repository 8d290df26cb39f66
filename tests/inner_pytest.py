"""Pytest on a small project of its own with our PostgreSQL fixtures and no other plugin: what tests those fixtures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def start(folder: Path, *options: str, named: str = "", **files: str) -> subprocess.Popen[str]:
    """Start it in `folder`, whose test files are `files` (name without .py: text); `named`: the server to use."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    ours = ("PYTEST_", "REVERIE_")
    outer = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    paths = os.pathsep.join([str(ROOT), str(ROOT / "src"), *sys.path])
    own = {"PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-c", "pytest.ini", "-p", "tests.postgres_fixtures", *options],
        env={**outer, **own, **({"REVERIE_TEST_POSTGRES": named} if named else {})},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(run: subprocess.Popen[str]) -> str:
    """Wait for its end; what it printed."""
    with run:
        return run.communicate(timeout=600)[0]
