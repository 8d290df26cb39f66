"""Two suites: the fast one, which runs by default, and the slow one (``--slow``): tests that kill processes and
servers by the hundred, fill large banks, or run whole programs. CI runs both at once (``--all``): modules are imported
once, and neither core waits for the other at the end of the first suite. A run that names files or tests runs what it
names.

In a suite a law of the services runs on one engine, which its name decides, so that each engine serves half of them:
tests/contract proves on both that they serve alike. A test that asks for ``engine`` itself runs on both, and so does
all that is named: ``sh scripts/test tests/services``.

A module is slow that says ``pytestmark = pytest.mark.slow``, and so is all of tests/crash.
"""

from __future__ import annotations

import inspect
import re
from collections import Counter
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import pytest

Suite = Literal["fast", "slow", "all", "named"]

_SUITE = pytest.StashKey[str]()
_TESTS = Path(__file__).resolve().parent
_CRASH = _TESTS / "crash"
_SLOW_MODULE = re.compile(r"^pytestmark = pytest\.mark\.slow$", re.MULTILINE)

# These begin first: what is long and begins last is waited for by one worker alone.
_LONG = """
tests/services/test_malformed.py
tests/crash/test_interruptions.py
tests/bench/test_society_world.py
tests/services/test_hostile_texts.py
tests/architecture/test_linear_patterns.py
tests/doors/test_processes.py
tests/crash/test_kills_in_writes.py
tests/doors/test_mcp_programs.py
tests/test_postgres_server.py
tests/services/test_selfcare_laws.py
tests/services/test_boundary.py
tests/services/test_transfer.py
tests/crash/test_loop.py
tests/services/test_selfcare_killed.py
tests/bench/test_loop.py
tests/bench/test_servers.py
tests/bench/test_commands.py
tests/docs/test_postgres_page.py
tests/services/test_killed.py
tests/services/test_revert_laws.py
tests/crash/test_reembed.py
tests/store/test_postgres_recovery.py
tests/store/test_postgres_roles.py
""".split()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests, and them alone")
    parser.addoption("--all", action="store_true", help="run the fast and the slow tests")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes long; run by --slow")
    told = getattr(config, "workerinput", None)
    config.stash[_SUITE] = told["suite"] if told is not None else suite_of(config)


def suite_of(config: pytest.Config) -> Suite:
    """What this run is to run."""
    if config.getoption("--all"):
        return "all"
    if config.getoption("--slow"):
        return "slow"
    return "named" if config.args_source is pytest.Config.ArgsSource.ARGS else "fast"


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist: a worker doesn't know what the controller was asked for."""
    node.workerinput["suite"] = node.config.stash[_SUITE]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What holds no test of the suite isn't even imported: each of xdist's workers would take seconds for that."""
    suite = config.stash[_SUITE]
    if suite in ("all", "named") or collection_path.is_dir():
        return None
    if _CRASH in collection_path.parents:
        return True if suite == "fast" else None
    ours = _TESTS in collection_path.parents and collection_path.suffix == ".py"
    text = collection_path.read_text("utf-8") if ours else ""
    away = "mark.slow" not in text if suite == "slow" else _SLOW_MODULE.search(text) is not None
    return True if away else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    suite = config.stash[_SUITE]
    if suite == "named":
        return
    kept, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        (kept if suite in ("all", _suite_of(item)) and _is_on_its_engine(item) else left).append(item)
    items[:] = _in_order(kept)
    config.hook.pytest_deselected(items=left)


def _suite_of(item: pytest.Item) -> Suite:
    slow = item.get_closest_marker("slow") is not None or _CRASH in item.path.parents
    return "slow" if slow else "fast"


def _is_on_its_engine(item: pytest.Item) -> bool:
    """Is it no law of the services, or on the engine that its name decides?"""
    if not isinstance(item, pytest.Function) or "engine" in inspect.signature(item.function).parameters:
        return True
    from tests.contract.store_engines import ENGINES  # not at the start: it imports Reverie

    given = item.callspec.params if hasattr(item, "callspec") else {}
    engine = given.get("engine") or given.get("lasting_place")
    if engine not in ENGINES:
        return True
    name = item.nodeid.replace(str(engine), "")
    return engine == sorted(ENGINES)[crc32(name.encode()) % len(ENGINES)]


def _in_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """By modules: the long ones, then those with the most tests. Within a module nothing moves."""
    places = {name: place for place, name in enumerate(_LONG)}
    names = {item: item.path.relative_to(_TESTS.parent).as_posix() for item in items}
    counts = Counter(names.values())
    return sorted(items, key=lambda item: (places.get(names[item], len(places)), -counts[names[item]]))
