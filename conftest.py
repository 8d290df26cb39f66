"""For every test, wherever it lies: no user's file is touched, and the examples of the docs run."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

pytest_plugins = ["tests.postgres_fixtures", "tests.slow_tests", "tests.thrift"]

_HOMES = pytest.StashKey[Path]()
# What a person says to the tests themselves.
_OURS = ("REVERIE_TEST_DATA", "REVERIE_TEST_POSTGRES")


def _move_home(patch: pytest.MonkeyPatch, home: Path) -> None:
    """Every place where a program looks for a user's files, keys and settings now lies under `home`."""
    home.mkdir(parents=True, exist_ok=True)
    places = {
        "HOME": "",
        "USERPROFILE": "",
        "APPDATA": "roaming",
        "LOCALAPPDATA": "local",
        "XDG_CACHE_HOME": ".cache",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
    }
    for name, place in places.items():
        patch.setenv(name, str(home / place))
    # A test that wants a keyring brings its own; the user's real one is out of reach.
    patch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    # Nor do the user's settings, ours or those of PostgreSQL's clients, change what a test sees.
    for name in [*os.environ]:
        if name.startswith(("REVERIE_", "PG")) and name not in _OURS:
            patch.delenv(name)


def pytest_configure(config: pytest.Config) -> None:
    # Before any test: fixtures of wider scope than a test must not see the user's files either.
    patch = pytest.MonkeyPatch()
    homes = Path(tempfile.mkdtemp(prefix="reverie-tests-"))
    config.stash[_HOMES] = homes
    config.add_cleanup(lambda: shutil.rmtree(homes, ignore_errors=True))
    config.add_cleanup(patch.undo)
    _move_home(patch, homes / "home")


@pytest.fixture(autouse=True)
def _own_home(request: pytest.FixtureRequest) -> Iterator[None]:
    """Leave the home empty after each test; for a docstring's example, it is also the working folder."""
    home = request.config.stash[_HOMES] / "home"
    with pytest.MonkeyPatch.context() as patch:
        if isinstance(request.node, pytest.DoctestItem):
            patch.chdir(home)
        yield
    if any(home.iterdir()):
        shutil.rmtree(home)
        home.mkdir()


@pytest.fixture(scope="module")
def home_of_page(request: pytest.FixtureRequest) -> Iterator[Path]:
    """One home and working folder for all examples of a page: they build on each other, as a reader's do."""
    with pytest.MonkeyPatch.context() as patch:
        home = Path(tempfile.mkdtemp(dir=request.config.stash[_HOMES]))
        _move_home(patch, home)
        patch.chdir(home)
        yield home
    shutil.rmtree(home, ignore_errors=True)


def _knows_packages(namespace: dict[str, object]) -> None:
    """Let a page's examples be skipped where the package that they are about isn't installed."""

    def has(package: str) -> bool:
        try:
            return importlib.util.find_spec(package) is not None
        except ModuleNotFoundError:  # of what it is a part of
            return False

    namespace["has"] = has


def _close_banks(namespace: dict[str, object]) -> None:
    """Close what a page leaves open: a bank would try to write what it noted after its file is gone."""
    from reverie import Reverie

    for value in namespace.values():
        if isinstance(value, Reverie):
            value.close()


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
    fixtures=["home_of_page"],
    setup=_knows_packages,
    teardown=_close_banks,
).pytest()
