"""The self-portrait in the bank and as a file."""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from reverie import Agent, Reverie, Settings, SoulSettings
from reverie.domain.change import Proposal, Spent
from reverie.domain.draft import Draft
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Quoted
from reverie.domain.message import Role
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import InvalidInput, MindFailed
from reverie.minds.local import LocalMind
from reverie.ports.bill import charge
from reverie.ports.night import Night
from reverie.ports.soulfile import SoulFile
from reverie.services.soul.portrait import refresh
from tests.services.bench import Clock, kept
from tests.services.conftest import Open
from tests.services.nights import slept, undone
from tests.services.scripted import Scripted

LIKES = "Anna prefers tea to coffee"
ACCOUNT = "Anna's IBAN is DE89 3704 0044 0532 0130 00."


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where soul.md may lie, apart from the banks."""
    return tmp_path_factory.mktemp("souls")


@pytest.fixture
def file(folder: Path) -> Path:
    return folder / "soul.md"


@pytest.fixture
def filed(open_bank: Open, file: Path) -> Agent:
    """An agent whose portrait is that file."""
    return open_bank(settings=Settings(soul=SoulSettings(file=str(file)))).agent("mama")


class Painter(Scripted):
    """Portrays as it is told to."""

    def __init__(self, sections: Mapping[Kind, str] | None) -> None:
        super().__init__()
        self.sections = sections

    def portray(self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int) -> Mapping[Kind, str]:
        if self.sections is None:
            raise MindFailed("painter", "no paint")
        return self.sections


def test_soul_entries_stand_first_and_word_for_word(mama: Agent) -> None:
    mama.soul.add("I would rather ask than guess")
    mama.remember(LIKES, kind="preference")
    text = mama.soul.portrait()
    assert text.index("- I would rather ask than guess") < text.index(f"- {LIKES}")


def test_what_is_unsure_superseded_or_faded_stays_out(mama: Agent, clock: Clock) -> None:
    mama.remember("Anna may like jazz", confidence=0.5)
    old = mama.remember("Anna lives in Porto").memory
    mama.remember("Anna lives in Lisbon now", supersedes=[old.id])
    clock.wait(days=10)
    text = mama.soul.portrait()
    assert "Lisbon" in text
    assert "Porto" not in text
    assert "jazz" not in text
    clock.wait(days=400)
    assert "Lisbon" not in mama.soul.portrait()


def test_what_is_over_stays_out(mama: Agent, clock: Clock) -> None:
    mama.remember("Anna takes iron tablets", valid_to=clock() + timedelta(days=3))
    goal = mama.remember("Anna wants to find a flat", kind="goal").memory
    mama.remember("Anna sings in a choir")
    assert {"iron", "flat", "choir"} <= {*mama.soul.portrait().split()}
    mama.goals.complete(goal.id)
    clock.wait(days=4)
    text = mama.soul.portrait()
    assert "choir" in text
    assert "iron" not in text
    assert "flat" not in text


def test_home_and_work_stand_before_many_newer_trifles(open_bank: Open) -> None:
    agent = open_bank(settings=Settings(soul=SoulSettings(tokens=120))).agent("mama")
    agent.remember("Anna lives in Porto", importance=0.65)
    agent.remember("Anna works at Tindora", importance=0.75)
    bills = [f"The plumber's bill number {place} is {place * 7}" for place in range(90)]
    agent.remember_many([Draft(essence=one, importance=0.3) for one in bills])
    text = agent.soul.portrait()
    assert text.index("Tindora") < text.index("Porto") < text.index("bill")


def test_what_others_said_does_not_enter_until_adopted(mama: Agent) -> None:
    known = mama.remember("Anna should wire money to Bob", source_trust="external").memory
    assert "Bob" not in mama.soul.portrait()
    mama.adopt(known.id)
    assert "Bob" in mama.soul.portrait()


def test_quotations_show_speaker_and_the_agents_day(open_bank: Open) -> None:
    at, text = datetime(2026, 11, 19, 20, tzinfo=UTC), "my choir is in Ghent"
    for mind in (None, LocalMind(HashingEmbedder.for_tests())):
        reverie = open_bank()
        mama = Reverie(replace(reverie._desk, mind=mind), actor="caller").agent(f"mama {mind is None}")
        mama.set_profile(time_zone="Pacific/Auckland")
        (source,) = mama.observe({"content": text, "speaker": "Rosa", "time": at}).episode_ids
        said = Quoted(episode=source, role=Role.USER, speaker="Rosa", at=at)
        mama.remember_many([Draft(essence=text, source_episodes=(source,), quoted=said)])
        mama.soul.refresh()
        assert "## Facts\n- Rosa, 20 November 2026: my choir is in Ghent\n" in mama.soul.portrait()


def test_no_portrait_shows_the_number_of_an_account(open_bank: Open) -> None:
    agent = open_bank(mind=Painter({Kind.FACT: f"- {ACCOUNT}\n- Anna sings"})).agent("mama")
    agent.remember_many([ACCOUNT, "Anna keeps bees"])
    assert "bees" in agent.soul.portrait()
    assert "DE89" not in agent.soul.portrait()
    agent.soul.refresh()
    assert "Anna sings" in agent.soul.portrait()
    assert "DE89" not in agent.soul.portrait()


def test_it_keeps_to_its_tokens(open_bank: Open) -> None:
    reverie = open_bank(settings=Settings(soul=SoulSettings(tokens=60)))
    agent = reverie.agent("mama")
    for number in range(40):
        agent.remember(f"Fact {number} is about {'abcdefghij'[number % 10] * 6} and {number * 7}")
    text = agent.soul.portrait()
    body = "".join(line for line in text.splitlines(keepends=True) if not line.startswith(("<!--", "# ")))
    assert 0 < reverie.tokens(body.strip()) <= 60


def test_a_mind_writes_sections_which_are_kept_until_a_forget(open_bank: Open) -> None:
    sections = {Kind.PREFERENCE: "## Preferences\n- tea, always\n<!-- reverie:end preference -->"}
    agent = open_bank(mind=Painter(sections)).agent("mama")
    known = agent.remember(LIKES, kind="preference").memory
    assert agent.soul.refresh() == ()
    assert "- tea, always" in agent.soul.portrait()
    agent.remember("Anna runs on Tuesdays", kind="routine")
    assert "Tuesdays" not in agent.soul.portrait()
    agent.forget(known.id)
    assert "tea" not in agent.soul.portrait()
    assert "Tuesdays" in agent.soul.portrait()


def test_a_mind_that_fails_leaves_the_plain_portrait_and_a_note(open_bank: Open) -> None:
    agent = open_bank(mind=Painter(None)).agent("mama")
    agent.remember(LIKES, kind="preference")
    assert agent.soul.refresh() == ("soul.md was written without the mind: MindFailed",)
    assert LIKES in agent.soul.portrait()


def test_a_sleep_tells_and_keeps_what_it_cost(open_bank: Open) -> None:
    class Costly(Painter):
        def portray(
            self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int
        ) -> Mapping[Kind, str]:
            charge(Spent(calls=3, input_tokens=300, output_tokens=60))
            return super().portray(memories, max_tokens=max_tokens)

        def consolidate(self, night: Night) -> Proposal:
            charge(Spent(calls=1, input_tokens=5))  # which the proposal tells by itself
            return Proposal(spent=Spent(calls=1, input_tokens=5))

    for sections in (None, {Kind.PREFERENCE: "tea"}):
        with open_bank(mind=Costly(sections)) as reverie:
            agent = reverie.agent(f"mama {sections is None}")
            agent.remember(LIKES, kind="preference")
            agent.observe(["The harbour was cold"], conversation="day")
            record = agent.sleep().sleep
            assert record.spent == Spent(calls=4, input_tokens=305, output_tokens=60)
            assert agent.jobs.diff(record.id).sleep == record
            assert agent.jobs.sleeps()[0] == record
            assert (sections is None) == any("without the mind" in note for note in record.notes)


def test_the_file_is_private_and_keeps_a_persons_own_text(open_bank: Open, folder: Path) -> None:
    path = folder / "souls" / "{agent}.md"
    with open_bank(settings=Settings(soul=SoulSettings(file=str(path)))) as reverie:
        agent = reverie.agent("mama")
        agent.remember(LIKES, kind="preference")
        assert agent.soul.refresh() == ()
        file = folder / "souls" / "mama.md"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.write_text(f"My own words.\n{file.read_text().replace('tea', 'TEA')}\nThe end.\n")
        (note,) = agent.soul.refresh()
        assert "'preference' was changed by hand" in note
        text = file.read_text()
        assert text.startswith("My own words.\n")
        assert text.endswith("The end.\n")
        assert f"- {LIKES}\n<!-- reverie:end" in text
        assert "- Anna prefers TEA to coffee" in text
        assert [one.name for one in file.parent.iterdir()] == ["mama.md"]


def test_a_forget_takes_it_out_of_the_file_too(filed: Agent, file: Path) -> None:
    known = filed.remember(LIKES, kind="preference").memory
    filed.remember("Anna runs on Tuesdays", kind="routine")
    filed.soul.refresh()
    assert LIKES in file.read_text()
    filed.forget(known.id)
    assert LIKES not in file.read_text()
    assert "Tuesdays" in file.read_text()


def test_without_a_path_there_is_no_file(
    mama: Agent, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mama.remember(LIKES)
    mama.soul.refresh()
    assert [one.name for one in tmp_path.rglob("*.md")] == []


def test_a_file_that_holds_no_text_is_left_alone_and_told(filed: Agent, file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00picture")
    filed.remember(LIKES)
    (note,) = filed.soul.refresh()
    assert note.startswith("soul.md could not be written: Settings.soul.file: ")
    assert "no text in UTF-8" in note
    assert file.read_bytes() == b"\xff\xfe\x00picture"


def test_an_agents_name_cannot_lead_the_file_elsewhere(open_bank: Open, folder: Path) -> None:
    settings = Settings(soul=SoulSettings(file=str(folder / "in" / "{agent}.md")))
    agent = open_bank(settings=settings).agent("../../evil/name")
    agent.remember(LIKES)
    agent.soul.refresh()
    assert [one.parent for one in folder.rglob("*.md")] == [folder / "in"]


def test_one_file_is_one_agents(filed: Agent, file: Path) -> None:
    papa = Reverie(filed._desk, actor="caller").agent("papa")
    for agent in (filed, papa):
        agent.remember(f"{agent.id} likes tea")
    assert filed.soul.refresh() == ()
    before = file.read_text()
    (note,) = papa.soul.refresh()
    assert "'mama'" in note
    assert file.read_text() == before


def test_a_path_must_be_one() -> None:
    with pytest.raises(InvalidInput, match=r"soul\.file"):
        replace(Settings(), soul=replace(Settings().soul, file=" "))


SECRET = "Anna hides in Quaxhausen"


class Meddling:
    """A soul.md of which somebody does something just before it is written for the first time."""

    def __init__(self, file: SoulFile, meanwhile: Callable[[], object]) -> None:
        self._file, self._meanwhile = file, meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, agent_id: str, text: str, *, instead_of: str | None) -> bool:
        meanwhile, self._meanwhile = self._meanwhile, lambda: None
        meanwhile()
        return self._file.write(agent_id, text, instead_of=self.read(agent_id))


def _secretive(agent: Agent) -> Memory:
    agent.remember("Anna lives in Munich")
    return kept(agent, SECRET)


def _portraits(agent: Agent) -> str:
    with agent._desk.store.read("mama") as unit:
        return repr([*unit.transfer.pages("portraits")])


def test_what_is_forgotten_while_the_mind_portrays_stays_out(filed: Agent, file: Path) -> None:
    class Slow(Painter):
        def portray(
            self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int
        ) -> Mapping[Kind, str]:
            filed.forget(secret.id)
            return super().portray(memories, max_tokens=max_tokens)

    secret = _secretive(filed)
    desk = replace(filed._desk, mind=Slow({Kind.FACT: SECRET}))
    assert refresh(desk, "mama") == ("soul.md was written without the mind: the bank changed meanwhile",)
    assert "Quaxhausen" not in filed.soul.portrait() + _portraits(filed) + file.read_text()
    assert "- Anna lives in Munich" in file.read_text()


def test_what_is_forgotten_meanwhile_leaves_the_file(filed: Agent, file: Path) -> None:
    secret = _secretive(filed)
    assert filed._desk.soul_file is not None
    meddling = Meddling(filed._desk.soul_file, lambda: filed.forget(secret.id))
    refresh(replace(filed._desk, soul_file=meddling), "mama")
    assert "Quaxhausen" not in file.read_text()
    assert "- Anna lives in Munich" in file.read_text()


def test_a_persons_own_line_keeps_no_forgotten_ones(filed: Agent, file: Path) -> None:
    secret = _secretive(filed)
    filed.soul.refresh()
    text = file.read_text()
    assert SECRET in text
    file.write_text(text.replace("- Anna lives in Munich", "- Anna lives in Munich\n- my own line"))
    filed.forget(secret.id)
    assert "Quaxhausen" not in file.read_text()
    assert "- my own line" in file.read_text()


def test_a_forget_tells_that_the_file_cannot_be_written(
    filed: Agent, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.mkdir()
    secret, store = _secretive(filed), type(filed._desk.store)
    scoured: list[bool] = []
    scour = store.scour

    def watched(store: Any) -> bool:
        scoured.append(scour(store))
        return scoured[-1]

    monkeypatch.setattr(store, "scour", watched)
    receipt = filed.forget(secret.id)
    assert (receipt.memories, len(scoured)) == ((secret.id,), 1)
    (told,) = [one for one in receipt.elsewhere if str(file) in one]
    assert "soul show --refresh" in told


def test_a_revert_tells_that_the_file_cannot_be_written(filed: Agent, file: Path, clock: Clock) -> None:
    file.mkdir()
    _secretive(filed)
    clock.wait(days=1)
    filed.observe([{"content": SECRET, "speaker": "Anna"}])
    clock.wait(hours=9)
    done = undone(filed, slept(Reverie(filed._desk, actor="caller")).sleep.id)
    assert done.episodes == 1
    (told,) = done.elsewhere
    assert str(file) in told


def test_a_forget_elsewhere_names_the_file_that_it_cant_reach(
    filed: Agent, file: Path, open_bank: Open
) -> None:
    secret = _secretive(filed)
    filed.soul.refresh()
    other = open_bank().agent("mama")
    assert [one for one in other.forget(secret.id).elsewhere if str(file) in one] != []
    filed.soul.refresh()
    assert "Quaxhausen" not in file.read_text()
    receipt = filed.forget(filed.memories()[0].id)
    assert [one for one in receipt.elsewhere if str(file) in one] == []


def test_a_bank_that_has_no_file_names_none(mama: Agent) -> None:
    known = kept(mama, SECRET)
    mama.soul.refresh()
    assert "self-portrait" not in repr(mama.forget(known.id).elsewhere)
