"""scoped: what is relevant for a file."""

from __future__ import annotations

import pytest

from reverie import Agent
from tests.services.bench import Clock, kept, state_of

pytestmark = pytest.mark.slow

CLIENT = "src/reverie/client.py"


def _ids(agent: Agent, path: str = CLIENT, **given: int) -> list[str]:
    return [memory.id for memory in agent.scoped(path, **given)]


def _rule(agent: Agent, essence: str, *scope: str, **fields: object) -> str:
    return kept(agent, essence, scope=scope, **fields).id


def test_what_is_written_most_closely_comes_first(mama: Agent) -> None:
    anywhere = _rule(mama, "Sort imports", "*.py")
    folder = _rule(mama, "Docstrings give units", "src/**")
    exact = _rule(mama, "Nothing is decided here", CLIENT)
    deeper = _rule(mama, "Keep it thin", "src/reverie/*")
    everything = _rule(mama, "Read before you write", "!docs/**")
    _rule(mama, "Sentences are short", "docs/**")
    for path in (CLIENT, "./src/reverie/client.py", "docs/..//src\\reverie/./client.py"):
        assert _ids(mama, path) == [exact, deeper, folder, anywhere, everything]


def test_of_equals_priority_counts_then_activation(mama: Agent, clock: Clock) -> None:
    normal = _rule(mama, "Lines are short here", "src/**")
    clock.wait(days=30)
    fresh = _rule(mama, "Names are long there", "src/**")
    critical = _rule(mama, "Never print a key", "src/**", kind="policy")
    assert _ids(mama) == [critical, fresh, normal]


def test_an_unscoped_memory_counts_only_if_it_names_the_file(mama: Agent) -> None:
    kept(mama, "Anna likes tea")
    named = kept(mama, "The tests of client.py are slow").id
    tagged = kept(mama, "Ask Ben before a change", tags=["client.py"]).id
    taught = kept(mama, "A bug came back", lesson="Run the tests of src/reverie/client.py").id
    scope = _rule(mama, "Keep it thin", "src/reverie/*")
    for path in (CLIENT, "./src/x/../reverie/client.py"):
        assert _ids(mama, path) == [scope, named, tagged, taught]


@pytest.mark.parametrize(
    ("essence", "path", "found"),
    [
        ("client.py is thin", CLIENT, True),
        ("See CLIENT.PY.", CLIENT, True),
        ("(src/reverie/client.py)", CLIENT, True),
        (r"src\reverie\client.py:17 is odd", CLIENT, True),
        ("reverie/client.py is thin", CLIENT, True),
        ("tests/client.py is thin", CLIENT, False),
        ("everie/client.py is thin", CLIENT, False),
        ("client.pyc is made anew", CLIENT, False),
        ("client.py.bak is old", CLIENT, False),
        ("my-client.py is thin", CLIENT, False),
        ("The client and py are words", CLIENT, False),
        ("The Makefile has tabs", "lib/Makefile", True),
        ("One makefile has tabs", "lib/Makefile", False),
        ("All tests are fast", "src/tests", False),
        ("test_2 is slow", "src/test_2", True),
        ("All of it is fast", "src/…", False),
    ],
)
def test_a_file_is_named_by_name_and_told_folders(mama: Agent, essence: str, path: str, found: bool) -> None:
    kept(mama, essence)
    assert len(_ids(mama, path)) == found


def test_what_is_scoped_elsewhere_does_not_concern_the_file(mama: Agent) -> None:
    _rule(mama, "Unlike client.py, these are long", "docs/**")
    assert _ids(mama) == []


@pytest.mark.parametrize(
    "path", ["../src/reverie/client.py", "/src/reverie/client.py", "C:/src/reverie/client.py"]
)
def test_a_file_elsewhere_is_not_taken_for_one_of_the_project(mama: Agent, path: str) -> None:
    _rule(mama, "Keep it thin", "src/reverie/client.py")
    assert _ids(mama, path) == []


def test_only_active_memories_come(mama: Agent) -> None:
    old = _rule(mama, "Keep it thin", CLIENT)
    new = kept(mama, "It may grow now", scope=[CLIENT], supersedes=[old]).id
    assert _ids(mama) == [new]


def test_at_most_as_many_come_as_are_asked_for(mama: Agent) -> None:
    ids = [_rule(mama, f"Rule {number} is about {'abc'[number] * 5}", CLIENT) for number in range(3)]
    assert _ids(mama, limit=2) == ids[:2]


def test_looking_touches_nothing(mama: Agent) -> None:
    _rule(mama, "Keep it thin", CLIENT)
    before = state_of(mama)
    _ids(mama)
    assert (state_of(mama), mama.stats().pending_touches) == (before, 0)


@pytest.mark.parametrize(
    "path", ["'; DROP TABLE memories; --", "%", "*", "[", "{a,b}", "!x.py", "~", "a\nb.py", "\u202e"]
)
def test_any_text_is_a_path(mama: Agent, path: str) -> None:
    everywhere = _rule(mama, "Read before you write", "**")
    assert _ids(mama, path) == [everywhere]
