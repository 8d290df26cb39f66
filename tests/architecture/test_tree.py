"""What is committed: no machine's paths or registries, pins that hold together, and durations of tests that exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Pieced together, so that this file doesn't name what it looks for.
REGISTRIES = re.compile("pypi" + r"\.org|python" + "hosted", re.IGNORECASE)
MACHINE_PATHS = re.compile(r"""(?:^|[\s"'`=(:,\[])/(?:work|root|tmp|opt)(?:/|\b)""", re.MULTILINE)

PIN = re.compile(r"^(?P<name>[a-z0-9][a-z0-9.-]*)==(?P<rest>[^\\\n]+?) \\$", re.MULTILINE)

LINE = re.compile(r"\s*#|    --hash=sha256:[0-9a-f]{64}|[a-z0-9.-]+==")


def _tracked() -> list[Path]:
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git clone: there is no list of committed files to look at")
    listing = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    files = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    return [path for path in files if path.is_file()]


@cache
def _texts() -> dict[str, str]:
    texts = {}
    for path in _tracked():
        raw = path.read_bytes()
        if b"\0" not in raw[:8192]:
            texts[path.relative_to(ROOT).as_posix()] = raw.decode("utf-8")
    return texts


@pytest.mark.parametrize("forbidden", [REGISTRIES, MACHINE_PATHS], ids=["registries", "machine paths"])
def test_no_committed_file_names_a_registry_or_a_path_of_one_machine(forbidden: re.Pattern[str]) -> None:
    found = [
        f"{name}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()!r}"
        for name, text in _texts().items()
        for match in forbidden.finditer(text)
    ]
    assert found == []


def _pins(name: str) -> set[tuple[str, str]]:
    text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
    return {(match["name"], match["rest"]) for match in PIN.finditer(text)}


def test_pins_are_nothing_but_hashed_versions() -> None:
    for name in ("run.txt", "dev.txt", "docs.txt"):
        lines = (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if not LINE.match(line)] == []


def test_an_environment_for_tests_is_one_for_running() -> None:
    # What dev pins without a marker holds everywhere.
    everywhere = {(name, rest.partition(" ;")[0]) for name, rest in _pins("dev.txt")} & _pins("dev.txt")
    left = _pins("run.txt") - _pins("dev.txt")
    assert {(name, rest.partition(" ;")[0]) for name, rest in left} <= everywhere


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = {re.split(r"[<>=;\s]", text)[0] for text in project["project"]["dependencies"]}
    assert wanted <= {name for name, _ in _pins("run.txt")}


def test_every_test_that_took_long_still_exists() -> None:
    names = [line.split()[1] for line in (ROOT / "tests/durations.txt").read_text("utf-8").splitlines()]
    texts = {path: (ROOT / path).read_text("utf-8") for path in {name.split("::")[0] for name in names}}
    gone = [name for name in names if not all(_is_in(texts[name.split("::")[0]], name.split("::")[1:]))]
    assert names
    assert gone == [], "take them out of tests/durations.txt, or give them their new names"


def _is_in(text: str, parts: list[str]) -> Iterator[bool]:
    """Whether a class or function of each name is defined or, as a machine of Hypothesis with its runTest, assigned."""
    for part in parts:
        if part != "runTest":
            yield bool(re.search(rf"^ *(?:def {part}\(|class {part}\b|{part} = )", text, re.MULTILINE))
