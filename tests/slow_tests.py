"""Two suites: the fast one, which runs by default, and the slow one (``--slow``): tests that kill processes and
servers, fill large banks, or run whole programs. CI runs both at once (``--all``): modules are imported once, and
neither core waits for the other at the end of the first suite. A run that names files or tests runs what it names.

In a suite a test of the services runs on one engine: in the fast suite on SQLite, otherwise on the one that its name
decides, so that each engine serves half of them. tests/contract proves on both that they serve alike. A test that asks
for ``engine`` itself runs on both, and so does all that is named: ``sh scripts/test tests/services``.

In the fast suite a law of Hypothesis that names no number of examples tries 20 instead of 100.

A module is slow that says ``pytestmark = pytest.mark.slow``, and so is all of tests/crash, and each test that took
longer than LONG when ``sh scripts/test --all --record`` last wrote durations.txt. Files that took longest begin first.
"""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import pytest
from hypothesis import settings

Suite = Literal["fast", "slow", "all", "named"]

LONG = 0.3
"""Seconds, set-up included."""
_SUITE = pytest.StashKey[str]()
_TOOK = pytest.StashKey[dict[str, float]]()
_TESTS = Path(__file__).resolve().parent
_CRASH = _TESTS / "crash"
_DURATIONS = _TESTS / "durations.txt"
_SLOW_MODULE = re.compile(r"^pytestmark = pytest\.mark\.slow$", re.MULTILINE)
_ENGINE_FIXTURES = {"engine", "lasting_place"}
"""Fixtures of tests/services/conftest.py that pytest would make once for each engine."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests, and them alone")
    parser.addoption("--all", action="store_true", help="run the fast and the slow tests")
    parser.addoption("--record", action="store_true", help="with --all: write how long tests take")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes long; run by --slow")
    told = getattr(config, "workerinput", None)
    config.stash[_SUITE] = told["suite"] if told is not None else suite_of(config)
    config.stash[_TOOK] = _recorded()
    # The same examples in every run, on every machine; no deadline, since a busy machine is no bug.
    examples = 20 if config.stash[_SUITE] == "fast" else 100
    settings.register_profile(
        "reverie", derandomize=True, deadline=None, database=None, print_blob=True, max_examples=examples
    )
    settings.load_profile("reverie")
    if told is None and config.getoption("--record"):
        config.pluginmanager.register(_Recorder())


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


def _recorded() -> dict[str, float]:
    """Return the seconds of the tests that took long, by their names without parameters."""
    lines = _DURATIONS.read_text("utf-8").splitlines() if _DURATIONS.exists() else []
    return {name: float(seconds) for seconds, name in map(str.split, lines)}


class _Recorder:
    """Writes durations.txt at the end of a run."""

    def __init__(self) -> None:
        self._took: defaultdict[str, float] = defaultdict(float)
        self._slow: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._took[report.nodeid] += report.duration
        if "slow" in report.keywords:
            self._slow.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        longest: defaultdict[str, float] = defaultdict(float)
        others = {_function_of(name) for name in self._took.keys() - self._slow}
        for name, seconds in self._took.items():
            function = _function_of(name)
            if name in self._slow and function in others:
                continue  # a slow parameter leaves the others in their suite
            longest[function] = max(longest[function], seconds)
        lines = [
            f"{seconds:.1f} {name}\n"
            for name, seconds in sorted(longest.items())
            if seconds > LONG
            and name.startswith("tests/")  # the examples of docs and docstrings are all fast
        ]
        _DURATIONS.write_text("".join(lines), "utf-8")


def _function_of(name: str) -> str:
    return name.partition("[")[0]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What holds no test of the suite isn't even imported: each of xdist's workers would take seconds for that."""
    suite = config.stash[_SUITE]
    if suite in ("all", "named") or collection_path.is_dir():
        return None
    if _CRASH in collection_path.parents:
        return True if suite == "fast" else None
    if suite == "fast" and _TESTS in collection_path.parents and collection_path.suffix == ".py":
        return True if _SLOW_MODULE.search(collection_path.read_text("utf-8")) else None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Choose the engine of a services test before pytest makes one test for each engine."""
    suite = metafunc.config.stash[_SUITE]
    if suite == "named" or "engine" in inspect.signature(metafunc.function).parameters:
        return
    for fixture in _ENGINE_FIXTURES.intersection(metafunc.fixturenames):
        name = metafunc.definition.nodeid.encode()
        engine = "sqlite" if suite == "fast" else ("postgres", "sqlite")[crc32(name) % 2]
        metafunc.definition.add_marker(pytest.mark.parametrize(fixture, [engine], indirect=True))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    suite, took = config.stash[_SUITE], config.stash[_TOOK]
    if suite == "named":
        return
    kept, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        (kept if suite in ("all", _suite_of(item, took)) else left).append(item)
    items[:] = _in_order(kept, took)
    config.hook.pytest_deselected(items=left)


def _suite_of(item: pytest.Item, took: dict[str, float]) -> Suite:
    slow = item.get_closest_marker("slow") is not None or _CRASH in item.path.parents
    # The examples of a page build on each other, so one that takes long stays with the others.
    long = isinstance(item, pytest.Function) and _function_of(item.nodeid) in took
    return "slow" if slow or long else "fast"


def _in_order(items: list[pytest.Item], took: dict[str, float]) -> list[pytest.Item]:
    """By modules: those that take longest first, as one worker alone would wait for them. Within one nothing moves."""
    spent: defaultdict[Path, float] = defaultdict(float)
    for item in items:
        usual = LONG / 10 if _suite_of(item, took) == "fast" else 5 * LONG
        spent[item.path] += took.get(_function_of(item.nodeid), usual)
    return sorted(items, key=lambda item: -spent[item.path])
