"""Two suites: the fast one, which runs by default, and the slow one (``--slow``): tests that kill processes and
servers by the hundred, fill large banks, or run whole programs. CI runs both. A run that names files or tests
runs what it names.

A module is slow that says ``pytestmark = pytest.mark.slow``, and so is all of tests/crash.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

Suite = Literal["fast", "slow", "named"]

_SUITE = pytest.StashKey[str]()
_CRASH = Path(__file__).resolve().parent / "crash"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests, and them alone")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes long; run by --slow")
    told = getattr(config, "workerinput", None)
    config.stash[_SUITE] = told["suite"] if told is not None else suite_of(config)


def suite_of(config: pytest.Config) -> Suite:
    """What this run is to run."""
    if config.getoption("--slow"):
        return "slow"
    return "named" if config.args_source is pytest.Config.ArgsSource.ARGS else "fast"


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist: a worker doesn't know what the controller was asked for."""
    node.workerinput["suite"] = node.config.stash[_SUITE]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    suite = config.stash[_SUITE]
    if suite == "named":
        return
    kept = [item for item in items if _is_slow(item) == (suite == "slow")]
    left = [item for item in items if _is_slow(item) != (suite == "slow")]
    items[:] = kept
    config.hook.pytest_deselected(items=left)


def _is_slow(item: pytest.Item) -> bool:
    return item.get_closest_marker("slow") is not None or _CRASH in item.path.parents
