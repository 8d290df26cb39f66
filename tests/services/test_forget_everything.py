"""forget(everything=True): no word of the bank is left, in any row or in any byte of the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from reverie import Agent, Forgotten, NotFound, Reverie
from tests.services.bench import Clock, kept, opened
from tests.services.conftest import Open
from tests.services.traces import holding

WORDS = {
    name: f"{name}quux"
    for name in (
        "principal", "home", "location", "speaker", "said", "ref", "tag", "tool", "conversation", "essence", "lesson",
        "reworded", "reason", "scope", "mood", "page", "place", "other", "tone", "rationale", "notes", "soul", "step",
        "procedure", "note", "goal", "asked", "night", "told", "blocked", "unblocked",
        "label", "key", "value", "text",
    )
}  # fmt: skip
ZONE = "Pacific/Chatham"


def _live(reverie: Reverie, clock: Clock) -> Agent:
    """An agent all of whose words are marked."""
    kept(reverie.agent("papa"), "Bees fly by day")
    word = WORDS
    mama = reverie.agent(
        "mama", time_zone=ZONE, principals=[word["principal"]], home=word["home"], location=word["location"]
    )
    mama.set_profile(home=f"{word['home']} no more")
    said = mama.observe(
        {
            "content": f"I always drink {word['said']} at {word['night']}. I love it.",
            "speaker": word["speaker"], "ref": word["ref"], "tags": [word["tag"]],
            "metadata": {"tools_used": [word["tool"]]},
        },
        conversation=word["conversation"],
    )  # fmt: skip
    memory = kept(
        mama, f"Anna said {word['essence']}", lesson=word["lesson"], tags=[word["tag"]], scope=[word["scope"]],
        source_episodes=said.episode_ids,
    )  # fmt: skip
    mama.revise(memory.id, essence=f"Anna said {word['reworded']}", reason=word["reason"])
    mama.soul.add(f"I keep {word['soul']}")
    mama.diary.write(f"It was {word['page']}", mood=word["mood"], location=word["place"])
    mama.relationships.assign(
        word["other"], "ally", 0.4, tone=word["tone"], rationale=word["rationale"], notes=word["notes"]
    )
    mama.items.put(["users", word["label"]], word["key"], {"is": [word["value"]]}, texts=word["text"])
    mama.items.search("users", word["text"])
    mama.procedures.record(
        word["procedure"], steps=[word["step"], "call"], outcome="success", note=word["note"]
    )
    mama.goals.add(f"Reach {word['goal']}")
    mama.link.request("papa", message=word["asked"])
    mama.link.block(word["blocked"])
    mama.link.block(word["unblocked"])
    mama.link.unblock(word["unblocked"])
    mama._desk.store.transact("mama", lambda unit: unit.nights.put("n1", clock(), word["told"]))
    clock.wait(hours=12)
    mama.attend()
    mama.sleep()
    mama.context(f"drink {word['said']}")
    mama.soul.portrait()
    return mama


def test_no_row_of_any_table_holds_a_word_of_it(reverie: Reverie, clock: Clock) -> None:
    mama = _live(reverie, clock)
    assert [word for word in (*WORDS.values(), ZONE) if not holding(mama, word)] == []
    mama.forget(everything=True)
    assert holding(mama, *WORDS.values(), ZONE) == []


def test_no_byte_of_the_file_holds_a_word_of_it(tmp_path: Path, clock: Clock) -> None:
    def held() -> set[str]:
        files = b"".join(one.read_bytes() for one in tmp_path.iterdir() if one.is_file())
        return {word for word in (*WORDS.values(), ZONE) if word.encode() in files}

    with opened(tmp_path / "bank", key=None, encrypted=False, clock=clock) as reverie:
        mama = _live(reverie, clock)
        assert held() == {*WORDS.values(), ZONE}
        receipt = mama.forget(everything=True)
        assert any("papa keeps the message" in one for one in receipt.elsewhere)
        assert held() == {WORDS["asked"]}
    assert held() == {WORDS["asked"]}


def test_what_stays_is_the_id_and_that_it_is_paused(reverie: Reverie, clock: Clock, open_bank: Open) -> None:
    mama = _live(reverie, clock)
    mama.jobs.pause()
    before = mama.profile
    mama.forget(everything=True)
    for again in (mama, open_bank().agent("mama")):
        after = again.profile
        assert (after.id, after.created_at, after.paused_at) == ("mama", before.created_at, before.paused_at)
        assert (after.time_zone, after.principals, after.home, after.location) == ("UTC", (), None, None)


def test_an_emptied_bank_lives_on(reverie: Reverie, clock: Clock) -> None:
    mama = _live(reverie, clock)
    slept = mama.jobs.sleeps()
    mama.forget(everything=True)
    for one in slept:
        with pytest.raises(NotFound):
            mama.get(one.id)
        mama.revert(one.id)
    stats = mama.stats()
    assert (stats.memories, stats.episodes, stats.conversations, stats.speakers) == (0, 0, 0, {})
    assert mama.forget(everything=True).memories == ()
    with pytest.raises(Forgotten):
        mama.remember(f"Anna said {WORDS['reworded']}")
    kept(mama, "Anna lives in Porto")
    mama.observe("I always drink tea.")
    clock.wait(hours=12)
    mama.sleep()
    assert mama.recall("Porto").hits
