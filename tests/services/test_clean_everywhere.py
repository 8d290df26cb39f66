"""A secret at any place of any verb reaches no row of any table, no log and no error."""

from __future__ import annotations

import logging
import random
import re
import string
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle, groupby
from pathlib import Path
from typing import Any

import apsw
import psycopg
import pytest

from reverie import Agent, PrivacySettings, RememberSettings, Reverie, ReverieError, Settings
from reverie.agent.facets import Room
from reverie.errors import InvalidInput, LinkRefused
from reverie.memory.privacy.accounts import is_luhn
from reverie.memory.privacy.redaction import Cleaned
from reverie.memory.quoting.fence import fenced
from reverie.services.aggregates import SHAPES
from reverie.services.codecs.lines import PROCEDURE, QUOTED
from reverie.services.link.brought import NAMES, Brought
from reverie.services.runtime.secrets import clean
from tests.contract.store_engines import ENGINES
from tests.services.bench import Clock, opened
from tests.verbs import Ground, Place, Tried, places

_ELSEWHERE = frozenset({"Reverie.open", "Reverie.close", "Reverie.backup", "Reverie.copy_to"})
_QUIET = Settings(remember=RememberSettings(emotions=False))
_NAMES = {"time_zone", "members", "with_"}
_NAMED = NAMES | {"home", "location", "principals", "type", "name"}
_LENGTH = 14  # letters and digits, by which a secret is known
_PLAIN = re.compile("[^a-z0-9]")
_DIGITS, _SIGNS = string.digits, string.ascii_letters + string.digits
_SHAPES: Sequence[Callable[..., str]] = (
    lambda some: f"ghp_{some(36)}",
    lambda some: f"xoxb-{some(12, _DIGITS)}-{some(12, _DIGITS)}-{some(24)}",
    lambda some: f"aws_secret_access_key={some(20)}/{some(19)}",
    lambda some: f"ghp_{some(18)}\u200b{some(18)}",
    lambda some: f"postgres://anna:{some(16)}@db/app",
    lambda some: _card(some(14, _DIGITS)),
)
_TABLES = """SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'"""


class _Secrets:
    """A secret for each place, of each shape in turn, so that a leak says where it came in."""

    def __init__(self) -> None:
        self._chance = random.Random(17)
        self._turns = cycle(_SHAPES)
        self.places: dict[str, Place] = {}
        self.numbers: dict[str, Place] = {}  # cards in names, which are stored: many a name looks like one
        self.errors: list[str] = []

    def of(self, place: Place) -> str:
        drawn: list[str] = []

        def some(count: int, of: str = _SIGNS) -> str:
            made = ""
            while not any(
                map(str.isdigit, made)
            ):  # a part of letters alone is anybody's word (services/link/brought.py)
                made = "".join(self._chance.choices(of, k=count))
            drawn.append(made)
            return made

        secret = next(self._turns)(some)
        is_name = len(drawn[0]) == _LENGTH and place.name.split(".")[-1] in _NAMED
        (self.numbers if is_name else self.places)["".join(drawn).lower()[:_LENGTH]] = place
        return secret


def _card(digits: str) -> str:
    """A card's number."""
    return next(card for last in range(10) if is_luhn(card := f"4{digits}{last}"))


def _rows(where: str) -> Iterator[str]:
    """Every row of every table, as text."""
    if where.startswith("postgres"):
        with psycopg.connect(where) as connection:
            for (table,) in connection.execute(_TABLES).fetchall():
                query = f"SELECT t::text FROM {table} t"
                yield from (str(row) for (row,) in connection.execute(query))
        return
    database = apsw.Connection(where)
    try:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            yield from (repr(row) for row in database.execute(f'SELECT * FROM "{table}"'))
    finally:
        database.close()


def _planted(ground: Ground, place: Place, secrets: _Secrets) -> None:
    for wrap in (
        lambda secret: secret,
        lambda secret: f"my token is {secret} and no other",
        lambda secret: [secret],
        lambda secret: {secret: f"it is {secret}", "text": secret},
    ):
        with Tried() as tried:
            made = ground.call(place.verb, **place.arguments(wrap(secrets.of(place))))
            if isinstance(made, Agent):
                made.remember("Anna sings")
            if isinstance(made, Room):
                made.say("Kade", "Hello")
        if tried.error is not None:
            secrets.errors += traceback.format_exception(tried.error)


def _filled(ground: Ground, secrets: _Secrets) -> None:
    """Plants a secret wherever an agent's bank may hold one."""
    for place in places():
        if place.verb.startswith("Agent.") and not {place.name.split(".")[-1]} & _NAMES:
            _planted(ground, place, secrets)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_secret_at_any_place_is_stored_and_told_nowhere(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = _Secrets()
    plain = {"key": None, "encrypted": False} if engine == "sqlite" else {}
    where = ENGINES[engine].place(request)
    with opened(where, clock=Clock(), settings=_QUIET, **plain) as reverie:
        ground = Ground.of(reverie, "mama")
        fresh = ground.agent.stats()
        for verb, of_verb in groupby(places(), lambda place: place.verb):
            for place in of_verb:
                if verb not in _ELSEWHERE:
                    _planted(ground, place, secrets)
            if ground.agent.stats() != fresh:  # else the next verb finds them as this one did
                for _ in _jobs(ground.agent):
                    pass
                ground = Ground.of(reverie, verb)
                fresh = ground.agent.stats()
        leaks = _found(secrets, _rows(where)) | _found(secrets, caplog.messages)
        secrets.places |= secrets.numbers
        leaks |= _found(secrets, secrets.errors)
    assert sorted(f"{place.verb}({place.name})" for place in leaks) == []


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[_Secrets, Sequence[Mapping[str, object]]]:
    """The lines of a bank that redacts nothing, and the secrets that they hold."""
    secrets = _Secrets()
    with opened(
        tmp_path_factory.mktemp("told") / "b.bank",
        clock=Clock(),
        settings=Settings(remember=RememberSettings(emotions=False), privacy=PrivacySettings(redact=False)),
    ) as reverie:
        ground = Ground.of(reverie, "mama")
        _filled(ground, secrets)
        return secrets, [*ground.agent.export()]


@pytest.mark.parametrize("engine", ENGINES)
def test_an_import_stores_no_secret_of_its_file(
    engine: str, request: pytest.FixtureRequest, exported: tuple[_Secrets, Sequence[Mapping[str, object]]]
) -> None:
    secrets, lines = exported
    told = _found(secrets, map(repr, lines))
    assert {place.verb for place in told} > {
        "Agent.observe",
        "Agent.remember",
        "Agent.soul.add",
        "Agent.diary.write",
    }
    plain = {"key": None, "encrypted": False} if engine == "sqlite" else {}
    where = ENGINES[engine].place(request)
    with opened(where, clock=Clock(), settings=_QUIET, **plain) as reverie:
        reverie.agent("papa").import_bank(lines)
        reverie.agent("nova").import_bank(lines, untrusted=True)
        assert reverie.agent("papa").stats().memories > 0
        leaks = _found(secrets, _rows(where))
    assert sorted(f"{place.verb}({place.name})" for place in leaks) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_no_secret_comes_over_a_link(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    secrets = _Secrets()
    plain = {"key": None, "encrypted": False} if engine == "sqlite" else {}
    where = ENGINES[engine].place(request)
    with opened(
        where,
        clock=Clock(),
        settings=Settings(remember=RememberSettings(emotions=False), privacy=PrivacySettings(redact=False)),
        **plain,
    ) as reverie:
        _filled(Ground.of(reverie, "mama"), secrets)
    with opened(where, clock=Clock(), settings=_QUIET, **plain) as reverie:
        mama, papa = reverie.agent("mama"), reverie.agent("papa")
        asked = papa.link.request("mama")
        done = mama.link.accept(asked.id, include=["soul", "diary", "relationships"])
        assert min(done.counts[name] for name in ("withheld", "memories", "episodes", "soul", "diary")) > 0
        leaks = _found(secrets, map(repr, papa.export()))
    assert sorted(f"{place.verb}({place.name})" for place in leaks) == []


def test_a_link_withholds_names_with_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (_Secrets().of(place) for place, _ in zip(places(), range(2), strict=False))
    with opened(
        tmp_path / "bank",
        clock=Clock(),
        settings=Settings(remember=RememberSettings(emotions=False), privacy=PrivacySettings(redact=False)),
        key=None,
        encrypted=False,
    ) as reverie:
        mama = reverie.agent("mama")
        mama.observe("Hello there", conversation=one)
        mama.observe("Hello", conversation="plaza")
        mama.remember("Anna sings", scope=[other])
        mama.procedures.record(one, ["boil", "eat"])
        mama.remember("Péter sails")
        mama.relationships.assign(one, "friend", 0.5)
        mama.relationships.assign("Anna", "friend", 0.5)
        mama.soul.add("the password for the router is Sunflower7")
        mama.soul.add("Sunflower7 is what I call my boat")
    read: list[str] = []
    with opened(tmp_path / "bank", clock=Clock(), settings=_QUIET, key=None, encrypted=False) as reverie:
        mama, papa = reverie.agent("mama"), reverie.agent("papa")
        asked = papa.link.request("mama")
        transact = mama._desk.store.transact_both

        def spied(settings: Settings, text: str) -> Cleaned:
            read.append(text)
            return clean(settings, text)

        def transacting(*given: Any) -> Any:
            monkeypatch.setattr("reverie.services.link.brought.clean", spied)
            return transact(*given)

        monkeypatch.setattr(mama._desk.store, "transact_both", transacting)
        counts = mama.link.accept(asked.id, include=["soul", "relationships"]).counts
        assert (counts["withheld"], counts["relationships"], counts["soul"]) == (4, 1, 2)
        assert [one.content for one in papa.episodes()] == ["Hello"]
        assert "Sunflower7 is what I call my boat" in {one.essence for one in papa.memories()}
        assert not {"Hello", "Péter sails", "Sunflower7 is what I call my boat"} & set(read)
        assert "the password for the router is Sunflower7" in read


def test_a_link_that_shares_nothing_for_secrets_says_so(tmp_path: Path) -> None:
    secret, off = (
        _Secrets().of(next(places())),
        Settings(remember=RememberSettings(emotions=False), privacy=PrivacySettings(redact=False)),
    )
    with opened(tmp_path / "bank", clock=Clock(), settings=off) as reverie:
        reverie.agent("mama").remember(f"my token is {secret}", tags=["ops"])
    with opened(tmp_path / "bank", clock=Clock(), settings=_QUIET) as reverie:
        asked = reverie.agent("papa").link.request("mama")
        with pytest.raises(LinkRefused, match="what passes tags: ops is kept back: 1 hold a secret"):
            reverie.agent("mama").link.accept(asked.id, tags=["ops"])


def test_every_name_is_a_field_of_an_export() -> None:
    assert {name for shape in (*SHAPES.values(), PROCEDURE, QUOTED) for name in shape.fields} >= NAMES


def test_keys_that_become_one_are_kept_apart() -> None:
    secrets = _Secrets()
    value = {secrets.of(place): number for number, place in zip(range(3), places(), strict=False)}
    cleaned = Brought(Settings()).cleaned(value)
    assert ([*cleaned.values()], _found(secrets, cleaned)) == ([0, 1, 2], set())


def test_a_text_is_clean_whatever_stands_beside_it() -> None:
    start, inside, end = fenced("<> tea <>").split("\n")
    assert inside == "<> tea <>"
    assert Brought(Settings()).is_clean([start, "tea", end])


def test_parts_of_a_secret_go_and_plain_words_of_it_stay() -> None:
    value = {
        "text": "password: Sunday#hunter2024",
        "lesson": "Anna rests on Sunday",
        "topics": ["db_hunter2024"],
    }
    cleaned = Brought(Settings()).cleaned(value)
    assert (cleaned["lesson"], "hunter2024" in repr(cleaned)) == ("Anna rests on Sunday", False)


def test_a_mapping_without_values_is_cleaned() -> None:
    secret = _Secrets().of(next(places()))
    assert secret not in repr(Brought(Settings()).cleaned({"of": {secret: None}}))


def _named(where: Path, secrets: Sequence[str]) -> list[Mapping[str, object]]:
    """An export of a bank whose names hold these secrets."""
    one, other = secrets
    with opened(
        where,
        clock=Clock(),
        settings=Settings(remember=RememberSettings(emotions=False), privacy=PrivacySettings(redact=False)),
    ) as reverie:
        mama = reverie.agent("mama", principals=[one])
        for name in secrets:
            mama.observe({"content": f"Hello number {len(name)}", "ref": name}, conversation=name)
            mama.remember(f"Anna sings {'high' if name == one else 'low'}", scope=[name])
            mama.relationships.assign(name, "friend", 0.5)
            mama.link.block(name)
        mama.procedures.record(other, ["boil", "eat"])
        return [*mama.export()]


@pytest.mark.parametrize("engine", ENGINES)
def test_names_with_secrets_are_imported_under_other_names(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    tokens = _Secrets()
    secrets = [tokens.of(place) for place, _ in zip(places(), range(2), strict=False)]
    lines = _named(tmp_path / "old.bank", secrets)
    again = _named(tmp_path / "other.bank", secrets)
    plain = {"key": None, "encrypted": False} if engine == "sqlite" else {}
    where = ENGINES[engine].place(request)
    with opened(where, clock=Clock(), settings=_QUIET, **plain) as reverie:
        papa, nova = reverie.agent("papa"), reverie.agent("nova")
        done = papa.import_bank(lines)
        assert done.redacted["name"] == 2
        rooms = {one.ref: one.conversation for one in papa.episodes()}
        names = set(rooms)
        assert len(names) == 2
        assert all(ref == room and papa.episodes(conversations=[room]) for ref, room in rooms.items())
        assert {name for one in papa.memories() for name in one.scope} == names
        assert {view.other for view in papa.relationships.list()} == names == set(papa.link.blocked())
        assert set(papa.profile.principals) < names
        assert {one.name for one in papa.procedures.list()} < names
        assert papa.import_bank(lines).changed == 0
        nova.import_bank(again)
        assert names.isdisjoint(nova.link.blocked()), "who has another key can't test guesses"
        leaks = _found(tokens, _rows(where))
    assert not leaks


def test_a_field_that_does_not_exist_is_not_repeated(tmp_path: Path) -> None:
    secrets = _Secrets()
    with opened(tmp_path / "b.bank", clock=Clock(), settings=_QUIET) as reverie:
        reverie.agent("mama").remember("Anna sings")
        field = secrets.of(next(places()))
        lines = [{**line, field: "x"} for line in reverie.agent("mama").export()]
        with pytest.raises(InvalidInput, match="there is no such field") as refused:
            reverie.agent("papa").import_bank(lines)
    assert _found(secrets, [str(refused.value)]) == set()


def test_who_signs_the_audit_log_is_no_secret(tmp_path: Path) -> None:
    actor = _Secrets().of(next(places()))
    with pytest.raises(ReverieError, match="it holds a secret"):
        Reverie.open(tmp_path / "a.bank", encrypted=False, actor=actor)
    assert not (tmp_path / "a.bank").exists()


def _jobs(agent: Agent) -> Iterator[object]:
    """What is made of what was told."""
    yield agent.jobs.resume()
    yield agent.attend()
    with suppress(ReverieError):
        yield agent.sleep()
    yield agent.housekeeping()
    yield agent.soul.refresh()


def _found(secrets: _Secrets, texts: Iterable[str]) -> set[Place]:
    plain = (_PLAIN.sub("", text.lower()) for text in texts)
    parts = (one[start : start + _LENGTH] for one in plain for start in range(len(one) - _LENGTH + 1))
    return {secrets.places[part] for part in parts if part in secrets.places}
