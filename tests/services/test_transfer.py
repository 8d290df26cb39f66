"""copy: banks move whole, between files and databases, and what can't be copied is refused and left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from reverie import Copied, Forgotten, InvalidInput, StoreError
from reverie.ports.store import Unit
from reverie.ports.transfer import AGENT
from reverie.services.exchange import transfer
from tests.postgres_databases import Databases
from tests.services.bench import KEY, NOON, Clock, kept, opened
from tests.services.houses import (
    FEW,
    PAIRS,
    Houses,
    alike,
    interrupted,
    live,
    settled,
    small_pages,
    tables_of,
)
from tests.tables import TABLES, UNREVISED

pytestmark = pytest.mark.slow


@pytest.fixture(params=PAIRS, ids="-".join)
def houses(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Houses]:
    """Two places, in pairs of engines."""
    database = request.getfixturevalue("postgres_database") if "postgres" in request.param else ""
    with ExitStack() as held:
        yield Houses(
            engines=request.param, clock=clock, folder=tmp_path, database=lambda _: database, held=held
        )


@pytest.fixture
def files(tmp_path: Path, clock: Clock) -> Iterator[Houses]:
    """Two files, for what has nothing to do with engines."""
    with ExitStack() as held:
        yield Houses(engines=("sqlite", "sqlite"), clock=clock, folder=tmp_path, database=str, held=held)


@pytest.fixture
def databases(
    tmp_path: Path, clock: Clock, postgres_database: str, postgres_databases: Databases
) -> Iterator[Houses]:
    """Two databases of one server."""
    made = {"old": postgres_database, "new": postgres_databases.make()}
    with ExitStack() as held:
        yield Houses(
            engines=("postgres", "postgres"),
            clock=clock,
            folder=tmp_path,
            database=made.__getitem__,
            held=held,
        )
    postgres_databases.drop(made["new"])


def test_a_copied_bank_shows_everything_that_its_source_shows(houses: Houses, clock: Clock) -> None:
    mama = houses.old.agent("mama")
    live(mama, clock)
    [copied] = houses.old.copy_to(houses.new)
    assert tables_of(houses.old) == tables_of(houses.new)
    assert copied.written == copied.total == sum(copied.rows.values())
    assert all(copied.rows[table] for table in (*TABLES, *UNREVISED, AGENT)), copied.rows
    alike(houses.new.agent("mama"), mama)
    assert [*houses.new.check()] == []


def test_a_bank_moves_between_two_databases(databases: Houses, clock: Clock) -> None:
    live(databases.old.agent("mama"), clock)
    interrupted(databases, 3)
    databases.old.copy_to(databases.new)
    assert tables_of(databases.old) == tables_of(databases.new)
    alike(databases.new.agent("mama"), databases.old.agent("mama"))
    assert [*databases.new.check()] == []


def test_what_was_forgotten_stays_forgotten_in_the_copy(houses: Houses, clock: Clock) -> None:
    mama = houses.old.agent("mama")
    mama.forget(kept(mama, "Péter has a secret").id)
    message = {"content": "a message to forget", "ref": "r1"}
    mama.forget(mama.observe([message]).episode_ids[0])
    houses.old.copy_to(houses.new)
    again = houses.new.agent("mama")
    with pytest.raises(Forgotten):
        again.remember("Péter has a secret")
    assert again.observe([message]).forgotten == 1


def test_a_copied_bank_goes_on_where_its_source_was(houses: Houses, clock: Clock) -> None:
    live(houses.old.agent("mama"), clock)
    houses.old.copy_to(houses.new)
    for reverie in (houses.old, houses.new):
        agent = reverie.agent("mama")
        kept(agent, "a new thing: the tram is late")
        agent.observe([{"content": "message 1000 of the tram", "time": NOON.isoformat()}])
        agent.remember("Péter is allergic to peanuts")
        agent.forget(agent.memories(match="tram")[0].id)
    both = [reverie.agent("mama") for reverie in (houses.old, houses.new)]
    assert both[0].stats().rev == both[1].stats().rev
    assert [m.essence for m in both[0].memories(limit=99)] == [m.essence for m in both[1].memories(limit=99)]
    hits = [agent.recall("peanuts", min_score=0, limit=50).hits for agent in both]
    scores = [{hit.text: hit.score for hit in found} for found in hits]
    assert scores[0] == pytest.approx(scores[1], abs=1e-4)
    assert [*houses.new.check()] == []


def test_only_the_named_agents_are_copied(houses: Houses) -> None:
    for name in ("mama", "papa", "zoé"):
        kept(houses.old.agent(name), f"{name} likes tea")
    kept(houses.new.agent("other"), "other likes milk")
    before = tables_of(houses.new, "other")
    copied = houses.old.copy_to(houses.new, agents=["zoé", "mama", "zoé"])
    assert [one.agent_id for one in copied] == ["zoé", "mama"]
    assert houses.new.agents() == ["mama", "other", "zoé"]
    assert tables_of(houses.new, "other") == before
    assert houses.old.copy_to(houses.new, agents="papa")[0].rows["memories"] == 1
    assert houses.new.agent("papa").recall("papa tea").hits[0].text == "papa likes tea"


def test_an_agent_that_was_copied_already_is_there_already(houses: Houses, clock: Clock) -> None:
    live(houses.old.agent("mama"), clock, 10)
    houses.old.copy_to(houses.new)
    kept(houses.old.agent("papa"), "papa likes tea")
    houses.old.agent("mama").recall("peanuts")
    houses.new.agent("mama").recall("fact")
    settled(houses.old, houses.new)
    mama, papa = houses.old.copy_to(houses.new)
    assert (mama.written, papa.written) == (0, papa.total)
    assert houses.old.copy_to(houses.new)[1].written == 0


def test_an_agent_of_the_same_name_is_refused_and_left_alone(houses: Houses) -> None:
    kept(houses.old.agent("mama"), "mama likes tea")
    kept(houses.old.agent("anna"), "anna likes tea")
    kept(houses.new.agent("mama"), "mama likes milk")
    before = tables_of(houses.new)
    with pytest.raises(InvalidInput, match="another agent of that name"):
        houses.old.copy_to(houses.new)
    assert tables_of(houses.new) == before
    assert houses.new.agents() == ["mama"]


@pytest.mark.parametrize("side", ["old", "new"])
def test_an_agent_that_changed_since_its_copy_is_refused(houses: Houses, side: str) -> None:
    kept(houses.old.agent("mama"), "mama likes tea")
    houses.old.copy_to(houses.new)
    kept(getattr(houses, side).agent("mama"), "the tram is late")
    before = tables_of(houses.new)
    with pytest.raises(InvalidInput, match="has changed since"):
        houses.old.copy_to(houses.new)
    assert tables_of(houses.new) == before


def test_a_changed_profile_is_no_equal_copy(files: Houses) -> None:
    kept(files.old.agent("mama"), "mama likes tea")
    files.old.copy_to(files.new)
    files.new.agent("mama").set_profile(home="Győr")
    with pytest.raises(InvalidInput, match="other contents in audit"):
        files.old.copy_to(files.new)


def test_a_place_is_not_copied_into_itself(houses: Houses) -> None:
    kept(houses.old.agent("mama"), "mama likes tea")
    for same in (houses.old, houses.again(0)):
        with pytest.raises(InvalidInput, match="the source itself"):
            houses.old.copy_to(same)


def test_an_agent_that_the_source_lacks_is_refused_first(files: Houses) -> None:
    kept(files.old.agent("mama"), "mama likes tea")
    with pytest.raises(InvalidInput, match="no agent 'papa'"):
        files.old.copy_to(files.new, agents=["mama", "papa"])
    assert files.new.agents() == []


def test_a_source_without_agents_gives_an_empty_result(files: Houses) -> None:
    assert files.old.copy_to(files.new) == ()


@pytest.mark.parametrize("writes", [1, 3, 6])
def test_a_copy_that_broke_off_goes_on_where_it_was(houses: Houses, clock: Clock, writes: int) -> None:
    live(houses.old.agent("mama"), clock, 12)
    interrupted(houses, writes)
    houses.old.agent("mama").recall("peanuts")  # touches make no new revision
    settled(houses.old)
    [copied] = houses.old.copy_to(houses.new)
    assert 0 < copied.written <= copied.total - FEW * writes
    assert tables_of(houses.old) == tables_of(houses.new)
    alike(houses.new.agent("mama"), houses.old.agent("mama"))
    assert [*houses.new.check()] == []


def test_until_it_is_whole_an_agent_is_not_there(houses: Houses, clock: Clock) -> None:
    live(houses.old.agent("mama"), clock, 12)
    interrupted(houses)
    half = houses.new.agent("mama")
    assert houses.new.agents() == []
    assert half.recall("fact 11 peanuts", min_score=0, deep=True).hits == ()
    assert half.recall_episodes("message 3", min_score=0).hits == ()
    for read in (half.memories, half.episodes, half.conversations, half.audit, half.stats):
        with pytest.raises(StoreError, match="not whole yet"):
            read()
    for write in (
        lambda: half.remember("the tram is late"),
        lambda: half.observe(["the tram is late"]),
        lambda: half.set_profile(home="Győr"),
    ):
        with pytest.raises(StoreError, match="run the same `reverie copy` again"):
            write()
    houses.old.copy_to(houses.new)
    assert tables_of(houses.old) == tables_of(houses.new)
    kept(half, "the tram is late")


def test_what_the_source_became_meanwhile_is_copied_anew(houses: Houses, clock: Clock) -> None:
    mama = houses.old.agent("mama")
    live(mama, clock, 12)
    interrupted(houses)
    mama.forget(mama.memories()[0].id)
    kept(mama, "the tram is late")
    [copied] = houses.old.copy_to(houses.new)
    assert copied.written == copied.total
    assert tables_of(houses.old) == tables_of(houses.new)
    alike(houses.new.agent("mama"), mama)
    assert [*houses.new.check()] == []


def test_a_change_without_a_new_revision_is_found_and_copied_too(houses: Houses, clock: Clock) -> None:
    mama = houses.old.agent("mama")
    live(mama, clock, 12)
    with houses.old._desk.store.read("mama") as unit:
        rev = unit.agents.rev()
    interrupted(houses)
    with houses.old._desk.store.write("mama") as unit:
        unit.audit.scrub([mama.memories()[0].id])
        assert unit.agents.rev() == rev
    [copied] = houses.old.copy_to(houses.new)
    assert copied.written == copied.total
    assert tables_of(houses.old) == tables_of(houses.new)


def test_another_agent_of_that_name_replaces_a_rest(houses: Houses, clock: Clock, tmp_path: Path) -> None:
    live(houses.old.agent("mama"), clock, 12)
    interrupted(houses)
    with opened(tmp_path / "another.bank", clock=clock) as another:
        kept(another.agent("mama"), "the tram is late")
        another.copy_to(houses.new)
        assert tables_of(another) == tables_of(houses.new)
    assert [*houses.new.check()] == []


def test_of_two_copies_the_first_ends(files: Houses, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    live(files.old.agent("mama"), clock, 12)
    second: list[Copied] = []
    really = transfer._AgentCopy._write

    def overtaken(job: transfer._AgentCopy, pieces: Sequence[transfer.Piece]) -> None:
        monkeypatch.setattr(transfer._AgentCopy, "_write", really)
        second.extend(files.again(0).copy_to(files.again(1)))
        really(job, pieces)

    small_pages(monkeypatch)
    monkeypatch.setattr(transfer._AgentCopy, "_write", overtaken)
    with pytest.raises(StoreError, match="has taken over"):
        files.old.copy_to(files.new)
    assert len(second) == 1
    assert tables_of(files.old) == tables_of(files.new)


def test_a_changed_row_stops_the_copy(houses: Houses, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    live(houses.old.agent("mama"), clock, 12)
    really = transfer._AgentCopy._put

    def damaged(job: transfer._AgentCopy, new: Unit, pieces: Sequence[transfer.Piece]) -> None:
        spoilt = [
            (table, [(*row[:-1], bytes(32)) for row in rows] if table == "memory_versions" else rows)
            for table, rows in pieces
        ]
        really(job, new, spoilt)

    with monkeypatch.context() as patch:
        patch.setattr(transfer._AgentCopy, "_put", damaged)
        with pytest.raises(StoreError, match=r"agent 'mama' differs from its source in memory_versions"):
            houses.old.copy_to(houses.new)
    assert houses.new.agents() == []
    houses.old.copy_to(houses.new)
    assert tables_of(houses.old) == tables_of(houses.new)


def test_a_source_is_read_in_one_state(houses: Houses, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    live(houses.old.agent("mama"), clock, 12)
    settled(houses.old)
    before = tables_of(houses.old)
    writer = houses.again(0).agent("mama")
    really, number = transfer._AgentCopy._write, iter(range(1000))

    def beside(job: transfer._AgentCopy, pieces: Sequence[transfer.Piece]) -> None:
        kept(writer, f"tram {7919 * next(number)} was late")
        really(job, pieces)

    small_pages(monkeypatch)
    monkeypatch.setattr(transfer._AgentCopy, "_write", beside)
    houses.old.copy_to(houses.new)
    assert next(number) > 1
    assert tables_of(houses.new) == before


def test_progress_goes_up_to_the_number_of_rows(files: Houses, clock: Clock) -> None:
    live(files.old.agent("mama"), clock, 12)
    kept(files.old.agent("papa"), "papa likes tea")
    heard: list[tuple[int, int]] = []
    copied = files.old.copy_to(files.new, on_progress=lambda done, of: heard.append((done, of)))
    total = sum(one.total for one in copied)
    assert heard == sorted(heard)
    assert heard[-1] == (total, total)
    again: list[tuple[int, int]] = []
    files.old.copy_to(files.new, on_progress=lambda done, of: again.append((done, of)))
    assert again[-1][0] == again[-1][1]


def test_the_key_of_a_file_may_lie_in_a_key_file(tmp_path: Path, clock: Clock) -> None:
    places = [(tmp_path / f"{name}.bank", tmp_path / f"{name}.key") for name in ("old", "new")]
    with opened(places[0][0], key=places[0][1]) as old, opened(places[1][0], key=places[1][1]) as new:
        kept(old.agent("mama"), "mama likes tea")
        old.copy_to(new)
    texts = [key.read_text() for _, key in places]
    assert texts[0] != texts[1]
    with opened(places[1][0], key=texts[1].strip()) as new:
        assert new.agent("mama").memories()[0].essence == "mama likes tea"
    assert KEY.hex() not in texts


def test_a_copy_that_nobody_will_finish_can_be_forgotten(houses: Houses, clock: Clock) -> None:
    live(houses.old.agent("mama"), clock, 12)
    interrupted(houses)
    half = houses.new.agent("mama")
    half.forget(everything=True)
    assert not any(tables_of(houses.new).values())
    kept(half, "the tram is late")
    assert [memory.essence for memory in half.memories()] == ["the tram is late"]
    assert [*houses.new.check()] == []
