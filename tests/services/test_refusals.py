"""What a verb can't use is refused in words that name it, and nothing is written: one row for each wrong call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from reverie import Agent, Draft, InvalidInput, NotFound, Reverie, ReverieError
from reverie.domain.memory import MAX_ESSENCE_BYTES
from reverie.domain.procedure import MAX_STEP_BYTES, MAX_STEPS
from reverie.domain.relationship import MAX_RATIONALE_BYTES
from reverie.domain.soul import MAX_SOUL_BYTES
from reverie.services.prompt.scoped import MAX_FOLDERS, MAX_PATH_BYTES
from tests.services.bench import NOON, kept, state_of

Ids = dict[str, str]
Call = Callable[[Any, Ids], object]

STEPS = ["run the tests", "push the tag"]


@pytest.fixture(scope="module")
def ids(lasting: Reverie) -> Ids:
    """The ids of what mama has, and of what papa has (``their``): refused calls leave it alone."""
    made: Ids = {}
    for agent, whose in ((lasting.agent("mama"), ""), (lasting.agent("papa"), "their ")):
        made[f"{whose}message"] = agent.observe(f"{agent.id} says hello").episode_ids[0]
        made[f"{whose}fact"] = kept(agent, f"{agent.id} lives in Porto").id
        made[f"{whose}goal"] = agent.goals.add(f"{agent.id} learns to swim").id
        made[f"{whose}belief"] = agent.soul.add(f"{agent.id} keeps her word").id
        made[f"{whose}flow"] = agent.procedures.record(f"release by {agent.id}", STEPS).id
        agent.relationships.assign("Kade", "ally", notes="Owes me a map")
        agent.diary.write(f"{agent.id} was calm", date="2026-11-20")
    return made


def _texts(verb: Callable[[Any, Any], object], field: str, *wrong: object) -> list[tuple[Call, str]]:
    """A row for each of these values."""
    return [(lambda a, _, value=value: verb(a, value), f"^{field}") for value in wrong]  # type: ignore[misc]


def _fields(verb: Callable[..., object], *wrong: tuple[str, dict[str, object]]) -> list[tuple[Call, str]]:
    """A row for each of these arguments, and the field that the refusal begins with."""
    return [(lambda a, _, given=given: verb(a, **given), rf"^{field}: ") for field, given in wrong]  # type: ignore[misc]


def _record(a: Agent, name: str = "tidy up", **given: Any) -> object:
    return a.procedures.record(name, **given)


def _assign(a: Agent, other: Any = "Kade", **given: Any) -> object:
    return a.relationships.assign(other, **given)


REFUSED: dict[str, list[tuple[Call, str]]] = {
    "adopt": [
        (lambda a, of: a.adopt(of["message"]), "episode"),
        (lambda a, of: a.adopt(of["fact"], reason=""), "^reason"),
    ],
    "approve": [
        (lambda a, of: a.approve(of["message"]), "episode"),
        (lambda a, of: a.approve(of["fact"], reason=""), "^reason"),
    ],
    "context": _fields(
        lambda a, **given: a.context(**given),
        ("task", {"task": ""}), ("task", {"task": 7}), ("max_tokens", {"max_tokens": -1}),
        ("max_tokens", {"max_tokens": 1.5}), ("path", {"path": ""}), ("path", {"path": "x" * 5000}),
        ("conversation", {"conversation": ""}), ("tokens", {"tokens": 4}), ("tokens", {"tokens": lambda _: -1}),
        ("with_", {"with_": 5}), ("with_", {"with_": [7]}), ("with_", {"with_": [""]}),
        ("with_", {"with_": ["x"] * 101}),
    ),
    "forget": [
        *_fields(
            lambda a, **given: a.forget(**given),
            ("forget", {}), ("forget", {"id": "x", "everything": True}), ("forget", {"everything": False}),
            ("forget", {"conversation": "x", "since": "2026-01-01"}), ("everything", {"everything": "no"}),
            ("everything", {"everything": 1}), ("since", {"since": "soon"}), ("id", {"id": ""}),
            ("until", {"since": "2026-02-01", "until": "2026-02-01"}), ("conversation", {"conversation": 5}),
        ),
    ],
    "goals": [
        (lambda a, of: a.goals.complete(of["fact"]), "fact"),
        (lambda a, of: a.goals.reopen(of["fact"]), "fact"),
        (lambda a, of: a.goals.complete(of["goal"], note=" "), "^note"),
    ],
    "link": [
        (lambda a, _: a.link.request("mama"), "itself"),
        (lambda a, _: a.link.request("papa", message="x" * 3000), "^message"),
        (lambda a, _: a.link.block("mama"), "itself"),
    ],
    "look": [
        *[
            (lambda a, _, verb=verb, given=given: verb(a)(**given), "")
            for verb, *wrong in (
                (lambda a: a.memories, {"limit": 0}, {"limit": -1}, {"limit": "5"}, {"after": 5}, {"match": 5}),
                (lambda a: a.memories, {"match": " "}),
                (lambda a: a.episodes, {"limit": 1001}, {"after": "\ud800"}, {"since": "soon"}),
                (lambda a: a.audit, {"target": 5}, {"limit": True}),
                (lambda a: a.conversations, {"limit": None}), (lambda a: a.jobs.sleeps, {"limit": 0}, {"before": 5}),
                (lambda a: a.get, {"id": 5}, {"id": "\ud800"}), (lambda a: a.portrait, {"id": ""}),
                (lambda a: a.set_profile, {"principals": "Anna"}, {"time_zone": "Mars"}, {"home": " x"}),
            )
            for given in wrong
        ],
        (lambda a, of: a.summaries.expand(of["fact"]), "is no summary"),
        (lambda a, _: a.summaries.list(limit=0), "^limit"),
    ],
    "observe": [
        (lambda a, _: a.observe("x", conversation=""), "conversation"),
        (lambda a, _: a.observe("x", channel=""), "channel"),
        (lambda a, _: a.observe("a b c", override="no"), "^override"),
    ],
    "procedures": [
        *_fields(
            _record,
            ("steps", {"steps": []}), ("steps", {"steps": "run"}), ("steps", {"steps": 7}),
            ("steps", {"steps": ["go"] * (MAX_STEPS + 1)}), (r"steps\[1\]", {"steps": ["go", "  "]}),
            (r"steps\[1\]", {"steps": ["go", None]}), (r"steps\[0\]", {"steps": ["x" * (MAX_STEP_BYTES + 1)]}),
            ("steps", {"steps": ["x" * MAX_STEP_BYTES] * (MAX_ESSENCE_BYTES // MAX_STEP_BYTES)}),
            ("outcome", {"steps": STEPS, "outcome": "fine"}), ("outcome", {"steps": STEPS, "outcome": 1}),
            ("note", {"steps": STEPS, "note": "fine"}), ("note", {"steps": STEPS, "outcome": "success", "note": " "}),
            ("lesson", {"steps": STEPS, "lesson": ""}), ("scope", {"steps": STEPS, "scope": ["a/**/b/**/c/**/d/**"]}),
            ("name", {"name": "two\nlines", "steps": STEPS}), ("name", {"name": "", "steps": STEPS}),
        ),
        (lambda a, of: a.revise(of["flow"], essence="release: just push"), "release"),
        (lambda a, of: a.revise(of["flow"], kind="fact"), "release"),
    ],
    "relationships": [
        *_fields(
            _assign,
            ("trust", {"trust": 1.01}), ("trust", {"trust": -1.01}), ("trust", {"trust": float("nan")}),
            ("trust", {"trust": True}), ("trust", {"trust": "0.5"}), ("type", {"type": ""}),
            ("type", {"type": "x" * 201}), ("type", {"type": 7}), ("tone", {"tone": " "}),
            ("tone", {"tone": "x" * 201}), ("rationale", {"rationale": ""}), ("notes", {"notes": 5}),
            ("notes", {"notes": "x" * (MAX_RATIONALE_BYTES + 1)}),
            ("override", {"override": 1}),
        ),
        *_texts(_assign, "other", "", " Kade", "a\nb", "mama", "MAMA", None),
        (lambda a, _: _assign(a, "\u202eedaK"), r"^other: it holds an invisible character \(U\+202E\)"),
    ],
    "remember": [
        (lambda a, _: a.remember("x", importance=2), "^importance: "),
        (lambda a, _: a.remember("a b c", override="no"), "^override"),
        (lambda a, _: a.remember("Anna has gone to Lisbon", supersedes=[7]), "supersedes"),
        *_texts(lambda a, some: a.remember_many(some), "memories", "text", 5, None, {"essence": "x"}),
    ],
    "revise": [
        *[
            (lambda a, of, given=given: a.revise(of["fact"], **given), "")
            for given in ({}, {"kind": "facts"}, {"essence": ""}, {"scope": ["{1..999}"]})
        ],
    ],
    "scoped": [
        *_texts(
            lambda a, path: a.scoped(path), "path",
            "", " ", None, 7, "a" * (MAX_PATH_BYTES + 1), "a/" * (MAX_FOLDERS + 1),
        ),
        *_texts(lambda a, limit: a.scoped("a.py", limit=limit), "limit", 0, -1, 1001, True, "5"),
    ],
    "society": [
        (lambda a, _: a.society.history(limit=0), "^limit"), (lambda a, _: a.society.rooms(limit=0), "^limit"),
        (lambda a, _: a.society.history(with_=""), "^with_: "), (lambda a, _: a.society.history(with_=5), "^with_: "),
        (lambda a, _: a.society.history(since=NOON, until=NOON), "^until: it is not later than since"),
    ],
    "soul": _texts(
        lambda a, text: a.soul.add(text), "text", "", " \n", "x" * (MAX_SOUL_BYTES + 1), "é" * MAX_SOUL_BYTES, None, 7
    ),
}  # fmt: skip
UNKNOWN: list[tuple[Call, str]] = [
    *[
        (lambda a, of, verb=verb, id=id: verb(a, of.get(id, id)), told or "nowhere" * (id == "nowhere"))
        for verb, told, *some in (
            (lambda a, id: a.adopt(id), "", "nowhere", "their fact"),
            (lambda a, id: a.approve(id), "", "nowhere", "their fact"),
            (lambda a, id: a.get(id), "", "nowhere", "their fact", "their message"),
            (lambda a, id: a.portrait(id), "", "nowhere", "their fact"),
            (lambda a, id: a.revise(id, essence="x"), "no memory", "nowhere", "their fact"),
            (lambda a, id: a.forget(id), "", "nowhere", "their fact", "their message"),
            (lambda a, id: a.goals.complete(id), "", "nowhere", "their goal"),
            (lambda a, id: a.goals.reopen(id), "", "nowhere", "their goal"),
            (lambda a, id: a.soul.remove(id), "soul entry", "nowhere", "fact", "their belief"),
            (lambda a, id: a.remember("It rains", supersedes=[id]), "", "nowhere", "their fact"),
            (lambda a, id: a.remember_many(["It rains", Draft(essence="Ben", source_episodes=(id,))]), "no episode",
             "nowhere", "their message"),
            (lambda a, id: a.memories(after=id), "", "nowhere"), (lambda a, id: a.episodes(after=id), "", "nowhere"),
            (lambda a, id: a.audit(after=id), "", "nowhere"), (lambda a, id: a.jobs.diff(id), "", "nowhere"),
            (lambda a, id: a.jobs.sleeps(before=id), "no sleep 'nowhere' in this agent's bank; `reverie sleeps list`",
             "nowhere"),
            (lambda a, id: a.revert(id), "", "nowhere"), (lambda a, id: a.summaries.expand(id), "", "nowhere"),
            (lambda a, id: a.link.request(id), "", "nowhere"), (lambda a, id: a.link.accept(id), "", "nowhere"),
            (lambda a, id: a.link.revoke(id), "", "nowhere"), (lambda a, id: a.link.items(id), "", "nowhere"),
            (lambda a, id: a.procedures.get(id), "", "nowhere", "release by papa"),
            (lambda a, id: a.procedures.record(id, outcome="success"), "", "nowhere", "release by papa"),
            (lambda a, id: a.procedures.record(id, tags=["ops"]), "", "nowhere"),
            (lambda a, id: a.relationships.remove(id), "", "nowhere"),
            (lambda a, id: a.relationships.get(id), "", "nowhere"),
        )
        for id in some
    ],
]  # fmt: skip


def _refused(reverie: Reverie, ids: Ids, calls: list[tuple[Call, str]], error: type[ReverieError]) -> None:
    """Each is refused by the agent that has all of this, and in the end neither bank has changed."""
    both = [reverie.agent(name) for name in ("mama", "papa")]
    before = [state_of(one) for one in both]
    for call, told in calls:
        with pytest.raises(error, match=told or None):
            call(both[0], ids)
    assert [state_of(one) for one in both] == before
    assert reverie.agents() == ["mama", "papa"]


@pytest.mark.parametrize("verb", REFUSED)
def test_what_cant_be_used_is_refused_and_changes_nothing(lasting: Reverie, ids: Ids, verb: str) -> None:
    _refused(lasting, ids, REFUSED[verb], InvalidInput)


def test_what_is_not_the_agents_own_is_not_found(lasting: Reverie, ids: Ids) -> None:
    _refused(lasting, ids, UNKNOWN, NotFound)


def test_what_is_not_found_brings_no_agent_into_being(lasting: Reverie, ids: Ids) -> None:
    for call, _ in UNKNOWN:
        with pytest.raises(ReverieError):
            call(lasting.agent("nobody"), dict.fromkeys(ids, "nowhere"))
    assert lasting.agents() == ["mama", "papa"]


def test_an_agents_lists_show_nothing_of_anothers(lasting: Reverie, ids: Ids) -> None:
    mama = lasting.agent("mama")
    listed = [
        *mama.memories(deep=True), *mama.episodes(), *mama.goals.list(), *mama.soul.list(), *mama.procedures.list(),
        *mama.diary.pages(), *mama.diary.search("calm"), *mama.relationships.history(), *mama.scoped("a.py"),
        *mama.recall("Porto", deep=True, limit=99).hits, *mama.audit(), *mama.conversations(),
    ]  # fmt: skip
    assert len(listed) > 12
    assert "papa" not in repr(listed)
