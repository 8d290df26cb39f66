"""Whatever stands at any place of any verb is taken, or refused in our own words; what is refused changes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import Path

import apsw
import pytest

from reverie import Agent, RememberSettings, Reverie, ReverieError, Settings, StoreSettings
from tests.contract.store_engines import ENGINES
from tests.services.bench import Clock, opened
from tests.verbs import Ground, Place, Tried, places

pytestmark = pytest.mark.slow

_QUIET = Settings(store=StoreSettings(touch_flush_every=3600), remember=RememberSettings(emotions=False))
_LONGEST_MESSAGE = 2_000
_ELSEWHERE = frozenset({"Reverie.open", "Reverie.close", "Reverie.check"})


class _Mute:
    """Says nothing of itself."""

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class _Unhashable:
    __hash__ = None  # type: ignore[assignment]


def _deep() -> object:
    nested: list[object] = []
    for _ in range(10_000):
        nested = [nested]
    return nested


Make = Callable[[], object]
EVERYWHERE: Mapping[str, Make] = {
    "half a character": lambda: "a\ud800b",
    "NUL": lambda: "a\x00b",
    "a mute object": _Mute,
}
MANY: Mapping[str, Make] = {
    **EVERYWHERE,
    "a list in a list": lambda: [[]], "a huge number": lambda: 10**30,
    "the last moment": lambda: datetime.max.replace(tzinfo=UTC),
    "None": lambda: None, "[]": list, "{}": dict, "[None]": lambda: [None], "[{}]": lambda: [{}],
    "{1: 2}": lambda: {1: 2}, "NaN": lambda: math.nan, "infinity": lambda: -math.inf, "True": lambda: True,
    "False": lambda: False, "0": lambda: 0, "-1": lambda: -1, "2**63": lambda: 2**63, "10**5000": lambda: 10**5000,
    "bytes": lambda: b"\xff\x00", "half a character in a list": lambda: ["\udfff"],
    "half a character in an object": lambda: {"\ud800": "\ud800"}, "nothing": lambda: "", "a blank": lambda: " ",
    "a MiB": lambda: "é " * (1 << 19), "a MiB in a list": lambda: ["x" * (1 << 20)],
    "the first moment": lambda: datetime.min.replace(tzinfo=UTC), "the first day": lambda: date.min,
    "the last in another zone": lambda: "9999-12-31T23:59:59-23:59", "a generator": lambda: (one for one in (1, 2)),
    "mute objects": lambda: {_Mute(): [_Mute()]}, "unhashable": _Unhashable,
    "unhashable in a list": lambda: [_Unhashable()],
    "a set": lambda: {1, "a"}, "without end": lambda: range(10**12), "complex": lambda: 1j, "deep": _deep,
}  # fmt: skip


_OTHERS = [name for name in MANY if name not in EVERYWHERE]


def _many(number: int) -> Mapping[str, Make]:
    """What the place of that number gets: EVERYWHERE, and every fifth of the others, other ones than its neighbours."""
    return {name: MANY[name] for name in (*EVERYWHERE, *_OTHERS[number % 5 :: 5])}


def _one(number: int) -> Mapping[str, Make]:
    """One of EVERYWHERE, where the same checks are reached by another way."""
    name = [*EVERYWHERE][number % 3]
    return {name: EVERYWHERE[name]}


@pytest.fixture(autouse=True)
def _away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of these become the names of files."""
    (tmp_path / "away").mkdir()
    monkeypatch.chdir(tmp_path / "away")


State = Callable[[Ground], object]
"""What a refused write must leave alone."""


def _agents(ground: Ground) -> tuple[Agent, Agent]:
    return ground.agent, ground.reverie.agent(ground.ids["other"])


def _figures(ground: Ground) -> object:
    """Return the figures of both agents; a profile is part of them."""
    return tuple(ground.reverie.agents()), *(one.stats() for one in _agents(ground))


@contextmanager
def _state_of(engine: str, place: str) -> Iterator[State]:
    """The bank's state: on SQLite, what others committed and what waits to be written; it takes no time to read."""
    if engine == "postgres":  # its counters are those of all databases
        yield _figures
        return
    watch = apsw.Connection(place)
    try:
        yield lambda ground: (
            watch.pragma("data_version"),
            *(one._desk.touches.pending(one.id) for one in _agents(ground)),
        )
    finally:
        watch.close()


def _wrong(
    ground: Ground, place: Place, make: Make, before: object, state: State, *, twin: bool
) -> tuple[str | None, object]:
    """What is wrong with how the verb takes that value, if anything is; and the state afterwards."""
    with Tried() as tried:
        ground.call(place.verb, twin=twin, **place.arguments(make()))
    after = state(ground)
    if tried.error is None or tried.wrong is not None:
        return tried.wrong, after
    if len(str(tried.error).encode()) > _LONGEST_MESSAGE:
        return "a long message", after
    return None if after == before else "half written", after


def _tried(
    reverie: Reverie, values: Callable[[int], Mapping[str, Make]], state: State, *, twin: bool = False
) -> Iterator[str]:
    """What is wrong with any verb. One that changed nothing leaves its agents to the next."""
    ground, fresh, now = None, None, None
    for verb, of_verb in groupby(enumerate(places()), lambda numbered: numbered[1].verb):
        if verb in _ELSEWHERE:
            continue
        if ground is None or now != fresh:
            ground = Ground.of(reverie, verb)
            fresh = now = state(ground)
        for number, place in of_verb:
            for name, make in values(number).items():
                wrong, now = _wrong(ground, place, make, now, state, twin=twin)
                if wrong is not None:
                    yield f"{verb}({place.name} = {name}): {wrong}"
                if verb == "Agent.forget" and not ground.agent.stats().memories:
                    ground = Ground.of(reverie, f"{verb}-{place.name}-{name}")
                    now = state(ground)
        _figures(ground)  # whatever was taken can be counted


@pytest.mark.parametrize(
    ("engine", "values", "twin"),
    [("sqlite", _many, False), ("sqlite", _one, True), ("postgres", _one, False)],
    ids=["sqlite", "sqlite, async", "postgres"],
)
def test_every_verb_takes_a_value_or_refuses_it_in_our_words(
    engine: str, values: Callable[[int], Mapping[str, Make]], twin: bool, request: pytest.FixtureRequest
) -> None:
    place = ENGINES[engine].place(request)
    plain = {"key": None, "encrypted": False} if engine == "sqlite" else {}
    with (
        opened(place, clock=Clock(), settings=_QUIET, **plain) as reverie,
        _state_of(engine, place) as state,
    ):
        assert list(_tried(reverie, values, state, twin=twin)) == []


def _opened(where: Path, place: Place, make: Make) -> str | None:
    with Tried() as tried:
        Reverie.open(**{"where": where, "encrypted": False, **place.arguments(make())}).close()
    return tried.wrong and f"{place.name}: {tried.wrong}"


def test_a_bank_is_opened_or_refused_in_our_words(tmp_path: Path) -> None:
    opening = [place for place in places() if place.verb == "Reverie.open"]
    each = (_opened(tmp_path / "a.bank", place, make) for place in opening for make in MANY.values())
    assert [wrong for wrong in each if wrong is not None] == []


@pytest.mark.parametrize(
    "now",
    [
        datetime.min.replace(tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC),
        datetime.fromisoformat("2026-11-20"),  # no zone
        None,
        "2026-11-20",
    ],
    ids=str,
)
def test_a_clock_that_tells_no_time_of_ours_is_refused(tmp_path: Path, now: object) -> None:
    with opened(tmp_path / "a.bank", clock=Clock(), settings=_QUIET) as reverie:
        ground = Ground.of(reverie, "mama")
    with opened(tmp_path / "a.bank", clock=lambda: now, settings=_QUIET) as reverie:
        late = Ground(reverie=reverie, agent=reverie.agent("mama"), ids=ground.ids)
        assert [
            *filter(None, (_late(late, verb) for verb in dict.fromkeys(one.verb for one in places())))
        ] == []


def _late(ground: Ground, verb: str) -> str | None:
    with Tried() as tried:
        if verb not in _ELSEWHERE:
            ground.call(verb)
    return tried.wrong and f"{verb}: {tried.wrong}"


@pytest.mark.parametrize("moment", ["0001-01-01", "9999-12-31"], ids=str)
def test_nothing_is_said_or_learned_at_the_ends_of_the_calendar(tmp_path: Path, moment: str) -> None:
    with opened(tmp_path / "a.bank", clock=Clock(), settings=_QUIET) as reverie:
        mama = reverie.agent("mama")
        for tell in (
            lambda: mama.observe({"content": "I moved yesterday", "time": moment}),
            lambda: mama.remember("Anna moved", valid_from=moment),
            lambda: reverie.room("plaza", ["mama"]).say("mama", "I moved", time=moment),
        ):
            with pytest.raises(ReverieError, match="the years 2 to 9998"):
                tell()
