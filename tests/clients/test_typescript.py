"""The TypeScript client: what is generated is up to date, and its own tests pass against the real server."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from reverie import __version__

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "clients" / "typescript"
TOOL = ROOT / "tools" / "make_typescript_types.py"
INSTALL_SECONDS, TEST_SECONDS = 120, 300
OLDEST_NODE = 20


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


def test_it_has_the_version_of_the_package() -> None:
    assert json.loads((CLIENT / "package.json").read_text("utf-8"))["version"] == __version__


@pytest.mark.slow
def test_its_own_tests_pass(tmp_path: Path) -> None:
    """In a copy, so that nothing is left in the tree."""
    npm = _npm()
    copy = tmp_path / "typescript"
    shutil.copytree(CLIENT, copy, ignore=shutil.ignore_patterns("node_modules", "dist", "build"))
    if (CLIENT / "node_modules").is_dir():
        (copy / "node_modules").symlink_to(CLIENT / "node_modules")
    else:
        _install(npm, copy, tmp_path / "cache")
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": path}
    with subprocess.Popen(
        [npm, "test"], cwd=copy, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            said, _ = process.communicate(timeout=TEST_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # npm, node and the server
            raise
    assert process.returncode == 0, said[-6000:]
    passed = re.search(r"^\W pass (\d+)$", said, re.MULTILINE)
    assert passed is not None
    assert int(passed[1]) > 0


def _npm() -> str:
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("no npm: the TypeScript client isn't tested")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").partition(".")[0]) < OLDEST_NODE:
        pytest.skip(f"node {version.strip()} is older than {OLDEST_NODE}: the TypeScript client isn't tested")
    return npm


def _install(npm: str, folder: Path, cache: Path) -> None:
    """Install what it is compiled with; skips where the registry can't be reached."""
    command = [npm, "ci", "--no-audit", "--no-fund", "--fetch-retries=0", f"--cache={cache}"]
    try:
        subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=True
        )
    except subprocess.CalledProcessError as error:
        pytest.skip(f"`npm ci` can't install what it needs: {error.stderr[-300:]}")
    except subprocess.TimeoutExpired:
        pytest.skip(f"`npm ci` took longer than {INSTALL_SECONDS} seconds")
