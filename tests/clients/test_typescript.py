"""The TypeScript client: what is generated is up to date, and its own tests pass against the real server."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients" / "typescript"
TOOL = ROOT / "tools" / "make_typescript_types.py"
INSTALL_SECONDS, TEST_SECONDS = 120, 300


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_typescript_types", TOOL)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = made  # its dataclass looks there
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def described(tool: ModuleType) -> Any:
    return tool.description()


def test_the_calls_are_what_the_tool_writes(tool: ModuleType, described: Any) -> None:
    assert tool.CALLS.read_text("utf-8") == tool.written_calls(described)


def test_the_types_were_made_from_the_description(tool: ModuleType, described: Any) -> None:
    """The remedy: `npm ci` in clients/typescript, then tools/make_typescript_types.py."""
    hash_of = tool.hash_of(tool.structure(described))
    assert tool.TYPES.read_text("utf-8").startswith(f"// openapi-sha256: {hash_of}\n")


def test_prose_alone_makes_no_new_types(tool: ModuleType, described: Any) -> None:
    before = tool.hash_of(tool.structure(described))
    memories = described["paths"]["/v1/banks/{bank}/agents/{agent}/memories"]
    retold = {**memories, "get": {**memories["get"], "description": "Something else.", "summary": "Else"}}
    paths = {**described["paths"], "/v1/banks/{bank}/agents/{agent}/memories": retold}
    assert tool.hash_of(tool.structure({**described, "paths": paths})) == before
    fewer = {**memories, "get": {**memories["get"], "parameters": memories["get"]["parameters"][:-1]}}
    paths = {**described["paths"], "/v1/banks/{bank}/agents/{agent}/memories": fewer}
    assert tool.hash_of(tool.structure({**described, "paths": paths})) != before


def test_the_readme_shows_the_example_that_is_tested() -> None:
    (block,) = re.findall(
        r"^```ts\n(.*?)^```", (CLIENT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert block == (CLIENT / "test" / "example.ts").read_text("utf-8")


def test_the_lock_names_no_registry() -> None:
    assert '"resolved"' not in (CLIENT / "package-lock.json").read_text("utf-8")


@pytest.mark.slow
def test_its_own_tests_pass(tmp_path: Path) -> None:
    """In a copy, so that nothing is left in the tree."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("no npm")
    copy = tmp_path / "typescript"
    shutil.copytree(CLIENT, copy, ignore=shutil.ignore_patterns("node_modules", "dist", "build"))
    installed = CLIENT / "node_modules"
    if installed.is_dir():
        (copy / "node_modules").symlink_to(installed)
    else:
        # The cache and the registry are the user's, whose home the tests hide.
        options = ["--no-audit", "--no-fund", "--fetch-retries=0", f"--cache={tmp_path / 'npm'}"]
        got = subprocess.run(
            [npm, "ci", *options], cwd=copy, capture_output=True, text=True, timeout=INSTALL_SECONDS
        )
        if got.returncode:
            pytest.skip(f"`npm ci` can't install what it needs: {got.stderr[-300:]}")
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": path}
    done = subprocess.run(
        [npm, "test"], cwd=copy, env=environment, capture_output=True, text=True, timeout=TEST_SECONDS
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    passed = re.search(r"^\W pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 0
